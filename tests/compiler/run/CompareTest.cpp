// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of Compare.h: what rounding explains is equal, and nothing else.

#include "mercator/compiler/run/Compare.h"
#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/run/Run.h"
#include "tests/Scale.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mercator;
using reference::Scalar;
using reference::Tensor;

namespace {

struct Evaluated {
  std::string text;
  DiagnosticEngine diagnostics{llvm::errs()};
  std::unique_ptr<Compilation> compilation;
  RunOptions options{.inputs = {"random:1"}};
  std::optional<RunResults> reference;
  std::optional<Variants> variants;

  explicit Evaluated(std::string program, std::string input = "random:1")
      : text(std::move(program)) {
    options.inputs = {std::move(input)};
    compilation = Compilation::load("t.mlir", text, diagnostics);
    if (!compilation)
      return;
    Answer<RunResults> own = compilation->run(options);
    if (!own)
      return;
    reference = *own;
    variants = compilation->evaluateVariants(options, *own);
  }

  std::optional<RunResults> native() {
    RunOptions own = options;
    own.through = Stage::Cpu;
    Answer<RunResults> results = compilation->run(own);
    return results ? std::optional<RunResults>(*results) : std::nullopt;
  }

  /// The reference with another element in result 0.
  RunResults with(int64_t place, double value) const {
    RunResults other = *reference;
    llvm::FailureOr<Tensor> tensor = other.values[0][0].tensor()->clone(
        [&]() -> mlir::InFlightDiagnostic { return {}; });
    tensor->set(place, Scalar::real(value));
    other.values[0][0] = *tensor;
    return other;
  }
  [[nodiscard]] double at(int64_t place) const {
    return reference->values[0][0].tensor()->at(place).re;
  }
  [[nodiscard]] Difference compared(const RunResults &got) const {
    return compare(got, expectedOf(*reference), {}, &*variants).front();
  }
};

/// The sum of what is left after the mean is subtracted: zero, but for rounding.
constexpr const char *kNoise = R"(
func.func @main(%x: tensor<64x128xf32>) -> tensor<64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.constant dense<128.0> : tensor<64xf32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
  %mean = stablehlo.divide %sum, %n : tensor<64xf32>
  %b = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<64xf32>) -> tensor<64x128xf32>
  %c = stablehlo.subtract %x, %b : tensor<64x128xf32>
  %r = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
)";

/// Two layers with a softmax between.
constexpr const char *kLayers = R"(
func.func @main(%x: tensor<16x32xf32>, %w: tensor<32x24xf32>, %v: tensor<24x8xf32>) -> tensor<16x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %h = stablehlo.dot %x, %w : (tensor<16x32xf32>, tensor<32x24xf32>) -> tensor<16x24xf32>
  %e = stablehlo.exponential %h : tensor<16x24xf32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x24xf32>, tensor<f32>) -> tensor<16xf32>
  %b = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<16xf32>) -> tensor<16x24xf32>
  %p = stablehlo.divide %e, %b : tensor<16x24xf32>
  %y = stablehlo.dot %p, %v : (tensor<16x24xf32>, tensor<24x8xf32>) -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}
)";

/// x := 3.9 x (1 - x), eighty times.
constexpr const char *kChaos = R"(
func.func @main(%x: tensor<32xf32>) -> tensor<32xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<80> : tensor<i32>
  %a = stablehlo.constant dense<3.9> : tensor<32xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<32xf32>
  %start = stablehlo.abs %x : tensor<32xf32>
  %r:2 = stablehlo.while(%i = %zero, %s = %start) : tensor<i32>, tensor<32xf32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %d = stablehlo.subtract %ones, %s : tensor<32xf32>
      %e = stablehlo.multiply %s, %d : tensor<32xf32>
      %f = stablehlo.multiply %a, %e : tensor<32xf32>
      stablehlo.return %j, %f : tensor<i32>, tensor<32xf32>
    }
  return %r#1 : tensor<32xf32>
}
)";

TEST(Compare, NoiseIsEqualAndMoreIsNot) {
  Evaluated own(kNoise);
  ASSERT_TRUE(own.variants);
  auto native = own.native();
  ASSERT_TRUE(native);
  EXPECT_TRUE(own.compared(*native).isEqual());
  double largest = 0;
  for (int64_t i = 0; i < 64; ++i)
    largest = std::fmax(largest, std::fabs(own.at(i)));
  ASSERT_LT(largest, 1e-4);
  // Zero is as good as the noise; a thousand times the noise is an error.
  EXPECT_TRUE(own.compared(own.with(3, 0)).isEqual());
  EXPECT_FALSE(own.compared(own.with(3, 1000 * largest)).isEqual());
  EXPECT_FALSE(own.compared(own.with(3, 0.01)).isEqual());
}

/// Wrong elements of a program whose results do not depend on rounding.
TEST(Compare, WrongElementsDiffer) {
  Evaluated own(kLayers);
  ASSERT_TRUE(own.variants);
  auto native = own.native();
  ASSERT_TRUE(native);
  EXPECT_TRUE(own.compared(*native).isEqual());
  std::mt19937 engine(7);
  for (int i = 0; i < cases(200); ++i) {
    auto place = int64_t(engine() % (16 * 8));
    double value = own.at(place), largest = 0;
    for (int64_t k = 0; k < 16 * 8; ++k)
      largest = std::fmax(largest, std::fabs(own.at(k)));
    double other = own.at(int64_t(engine() % (16 * 8)));
    for (double wrong : {value + 3e-4 * largest, -value, 0.0, other,
                         value + largest / 100, double(NAN)})
      if (!(std::fabs(wrong - value) <= 2e-4 * largest))
        EXPECT_FALSE(own.compared(own.with(place, wrong)).isEqual())
            << place << ": " << wrong << " for " << value;
  }
}

TEST(Compare, ChaosProvesNothing) {
  Evaluated own(kChaos);
  ASSERT_TRUE(own.variants);
  Difference row = own.compared(own.with(0, own.at(0) + 0.3));
  EXPECT_FALSE(row.isEqual());
  EXPECT_TRUE(row.isAmplified);
}

TEST(Compare, ShapesComeFirst) {
  Evaluated own(kNoise);
  ASSERT_TRUE(own.reference);
  std::vector<ExpectedTensor> expected = expectedOf(*own.reference);
  const Tensor &tensor = *expected[0].tensor;
  expected[0].tensor = tensor.withType(
      mlir::RankedTensorType::get({8, 8}, tensor.type().getElementType()));
  Difference row = compare(*own.reference, expected).front();
  EXPECT_FALSE(row.isEqual());
  EXPECT_EQ(row.mismatch, "expected tensor<8x8xf32>, got tensor<64xf32>");
}

/// The sign of a number that a compiled program takes for zero.
TEST(Compare, SubnormalNumbersMayBeZero) {
  Evaluated own(R"(
func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi1>) {
  %zero = stablehlo.constant dense<0.0> : tensor<3xf32>
  %l = stablehlo.log %x : tensor<3xf32>
  %p = stablehlo.compare GT, %x, %zero : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  return %l, %p : tensor<3xf32>, tensor<3xi1>
}
)",
                "dense<[1.0e-40, 1.0, 2.0]> : tensor<3xf32>");
  ASSERT_TRUE(own.variants);
  auto native = own.native();
  ASSERT_TRUE(native);
  for (const Difference &row :
       compare(*native, expectedOf(*own.reference), {}, &*own.variants))
    EXPECT_TRUE(row.isEqual()) << row.got << " for " << row.expected;
  EXPECT_FALSE(own.compared(own.with(1, -92.1)).isEqual());
}

} // namespace
