// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of f32 as vector code against the C library's of f64. One f32 in 251
// by default; all of them with MERCATOR_ALL_FLOATS=1, which takes minutes.

#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/dialects/Register.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <bit>
#include <cmath>
#include <cstdlib>

using namespace mercator;
using reference::Tensor;

namespace {

constexpr int64_t kChunk = 1 << 20;

/// A subnormal number is taken for zero.
double flushed(double x) {
  return std::abs(x) < 0x1p-126 ? std::copysign(0.0, x) : x;
}

/// Units in the last place of f32 between the result and the exact one.
double ulps(float got, double exact) {
  if (std::isnan(exact) || std::isnan(got))
    return std::isnan(exact) && std::isnan(got) ? 0 : INFINITY;
  if (got == float(exact) || (got == 0 && std::abs(exact) < 0x1p-126))
    return 0; // subnormal results may be zero
  if (std::isinf(got) || std::isinf(float(exact))) // one step to infinity
    return std::nextafter(std::abs(double(float(exact))), INFINITY) > 3.4e38 &&
                   std::abs(exact) > 3.4028e38
               ? 0.5
               : INFINITY;
  int exponent = std::max(std::ilogb(exact == 0 ? 0x1p-149 : exact), -126);
  return std::abs(double(got) - exact) / std::ldexp(1.0, exponent - 23);
}

struct Row {
  const char *operation;
  double (*function)(double);
};

TEST(VectorMath, IsWithinTwoUlps) {
  const Row rows[] = {{"exp", std::exp},   {"expm1", std::expm1},
                      {"log", std::log},   {"log1p", std::log1p},
                      {"sin", std::sin},   {"cos", std::cos},
                      {"tanh", std::tanh}, {"erf", std::erf}};
  for (const Row &row : rows) {
    mlir::MLIRContext context;
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    std::string type = "tensor<" + std::to_string(kChunk) + "xf32>";
    std::string text =
        "func.func @main(%x: " + type + ") -> " + type +
        " {\n  %e = tensor.empty() : " + type +
        "\n  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, "
        "affine_map<(i) -> (i)>], iterator_types = [\"parallel\"]} ins(%x : " +
        type + ") outs(%e : " + type +
        ") {\n  ^bb0(%a: f32, %b: f32):\n    %r = math." + row.operation +
        " %a : f32\n    linalg.yield %r : f32\n  } -> " + type +
        "\n  return %y : " + type + "\n}\n";
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    ASSERT_TRUE(succeeded(lowerTo(*module, Stage::Cpu)));
    auto program = NativeProgram::compile(*module, "main");
    ASSERT_TRUE(succeeded(program));
    auto emitError = [&] { return mlir::emitError(module->getLoc()); };
    auto input = Tensor::zeros(
        mlir::RankedTensorType::get({kChunk}, mlir::Float32Type::get(&context)),
        emitError);
    ASSERT_TRUE(succeeded(input));
    auto *x = reinterpret_cast<float *>(input->data());
    uint64_t step = std::getenv("MERCATOR_ALL_FLOATS") ? 1 : 251;
    double worst = 0;
    float worstAt = 0;
    for (uint64_t first = 0; first < (uint64_t(1) << 32);
         first += step * kChunk) {
      for (int64_t i = 0; i < kChunk; ++i)
        x[i] = std::bit_cast<float>(uint32_t(first + step * uint64_t(i)));
      auto results = program->call({*input}, emitError);
      ASSERT_TRUE(succeeded(results));
      const Tensor *tensor = results->front().tensor();
      const auto *y = reinterpret_cast<const float *>(tensor->data());
      for (int64_t i = 0; i < kChunk; ++i)
        if (double error = ulps(y[i], row.function(flushed(x[i])));
            !(error <= worst) && !(y[i] == 0 && error < 0x1p23)) {
          worst = error;
          worstAt = x[i];
        }
    }
    RecordProperty(row.operation, std::to_string(worst));
    llvm::outs() << row.operation << ": " << worst << " ULP at " << worstAt
                 << '\n';
    EXPECT_LE(worst, 2) << row.operation << " at " << worstAt;
  }
}

} // namespace
