// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code with schedules that are drawn at random: results have the same bits
// as with the best schedules, for any number of threads and any fusion.

#include "mercator/compiler/native/Native.h"
#include "mercator/compiler/program/Stage.h"
#include "mercator/dialects/Register.h"
#include "mercator/runtime/Abi.h"
#include "tests/Scale.h"
#include "tests/Seed.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <random>

using namespace mercator;
using reference::Tensor;

namespace {

struct Schedules : testing::Test {
  Schedules() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    std::printf("seed %llu\n", (unsigned long long)testSeed());
  }
  ~Schedules() override { mercator_set_threads(2); }

  std::vector<Tensor> run(const std::string &text, Fusion fusion,
                          uint64_t schedule, int64_t threads,
                          bool isPrecise = false) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    if (!module)
      return {};
    auto type =
        module->lookupSymbol<mlir::func::FuncOp>("main").getFunctionType();
    LoweringOptions lowering;
    lowering.formation.fusion = fusion;
    lowering.formation.keepSums = isPrecise;
    NativeOptions options;
    options.scheduleSeed = schedule;
    options.isChecked = isChecked;
    options.preciseMath = isPrecise;
    if (failed(lowerTo(*module, Stage::Cpu, lowering)))
      return {};
    auto program = NativeProgram::compile(*module, "main", options);
    EXPECT_TRUE(succeeded(program)) << text;
    if (failed(program))
      return {};
    auto emitError = [&] {
      return mlir::emitError(mlir::UnknownLoc::get(&context));
    };
    std::mt19937_64 engine(1);
    std::uniform_real_distribution<double> fraction(-1, 1);
    std::vector<reference::Value> inputs;
    for (mlir::Type input : type.getInputs()) {
      Tensor tensor =
          *Tensor::zeros(mlir::cast<mlir::RankedTensorType>(input), emitError);
      for (int64_t i = 0; i < tensor.size(); ++i)
        tensor.set(i, reference::Scalar::real(fraction(engine)));
      if (hasInfinity && inputs.size() + 1 == type.getNumInputs())
        tensor.set(tensor.size() - 1, reference::Scalar::real(INFINITY));
      inputs.emplace_back(tensor);
    }
    mercator_set_threads(threads);
    auto results = program->call(inputs, emitError);
    EXPECT_TRUE(succeeded(results)) << text;
    std::vector<Tensor> tensors;
    if (succeeded(results))
      for (const reference::Value &value : *results)
        tensors.push_back(*value.tensor());
    return tensors;
  }

  /// For the program, and some schedules.
  void expectSameBits(const std::string &text) {
    std::vector<Tensor> best = run(text, Fusion::Maps, 0, 2);
    ASSERT_FALSE(best.empty()) << text;
    auto compare = [&](const std::vector<Tensor> &other, uint64_t schedule) {
      ASSERT_EQ(other.size(), best.size());
      for (size_t n = 0; n < best.size(); ++n)
        for (int64_t i = 0; i < best[n].size(); ++i)
          ASSERT_EQ(other[n].at(i).re, best[n].at(i).re)
              << "result " << n << ", element " << i << ", schedule "
              << schedule << "\n"
              << text;
    };
    compare(run(text, Fusion::Seed, 0, 2), 0);
    for (int i = 0; i < cases(5); ++i) {
      uint64_t schedule = 1 + (testSeed() + uint64_t(i)) % 1'000'000;
      compare(run(text, Fusion::Maps, schedule, 1 + i % 3), schedule);
    }
  }

  /// The program, whose sums precise math adds up in another order.
  void expectNear(const std::string &text) {
    std::vector<Tensor> best = run(text, Fusion::Maps, 0, 2),
                        other = run(text, Fusion::Maps, 0, 1, true);
    ASSERT_EQ(best.size(), 1U) << text;
    ASSERT_EQ(other.size(), 1U) << text;
    auto sameBits = [](double x, double y) {
      return std::isnan(x) ? std::isnan(y) : x == y;
    };
    for (int64_t i = 0; i < best[0].size(); ++i) {
      double x = best[0].at(i).re, y = other[0].at(i).re;
      ASSERT_TRUE(std::abs(x - y) < 2e-6 || sameBits(x, y))
          << "element " << i << ": " << x << ", precise " << y << "\n"
          << text;
    }
    for (int i = 0; i < cases(3); ++i) {
      uint64_t schedule = 1 + (testSeed() + uint64_t(i)) % 1'000'000;
      std::vector<Tensor> drawn = run(text, Fusion::Maps, schedule, 1 + i % 3);
      ASSERT_EQ(drawn.size(), 1U);
      for (int64_t k = 0; k < best[0].size(); ++k)
        ASSERT_TRUE(sameBits(best[0].at(k).re, drawn[0].at(k).re))
            << "element " << k << ", schedule " << schedule << "\n"
            << text;
    }
  }

  bool hasInfinity = false; ///< at the end of the last parameter
  bool isChecked = true;    ///< each access
  mlir::MLIRContext context;
};

/// The text with numbers for the names in braces.
std::string with(std::string text,
                 const std::vector<std::pair<std::string, int64_t>> &names) {
  for (const auto &[name, number] : names)
    for (size_t at; (at = text.find("{" + name + "}")) != std::string::npos;)
      text.replace(at, name.size() + 2, std::to_string(number));
  return text;
}

/// Attention. `mask`, if there is one, computes %keep from the indices %i and %j. Scores
/// that it does not keep become `excluded`.
std::string attention(const std::string &mask = "",
                      const std::string &excluded = "-1.0e30") {
  bool isMasked = !mask.empty();
  std::string text = R"(
func.func @main(%q: tensor<{b}x{s}x{d}xf32>, %k: tensor<{b}x{t}x{d}xf32>,
                %v: tensor<{b}x{t}x{d}xf32>) -> tensor<{b}x{s}x{d}xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
)";
  if (isMasked)
    text += "  %none = stablehlo.constant dense<" + excluded +
            R"(> : tensor<{b}x{s}x{t}xf32>
  %i = stablehlo.iota dim = 1 : tensor<{b}x{s}x{t}xi32>
  %j = stablehlo.iota dim = 2 : tensor<{b}x{s}x{t}xi32>
)" + mask;
  text += isMasked ? "  %0" : "  %s";
  text +=
      R"( = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<{b}x{s}x{d}xf32>, tensor<{b}x{t}x{d}xf32>) -> tensor<{b}x{s}x{t}xf32>
)";
  if (isMasked)
    text +=
        R"(  %s = stablehlo.select %keep, %0, %none : tensor<{b}x{s}x{t}xi1>, tensor<{b}x{s}x{t}xf32>
)";
  return text +
         R"(  %m = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [2]
      : (tensor<{b}x{s}x{t}xf32>, tensor<f32>) -> tensor<{b}x{s}xf32>
  %ms = stablehlo.broadcast_in_dim %m, dims = [0, 1] : (tensor<{b}x{s}xf32>) -> tensor<{b}x{s}x{t}xf32>
  %c = stablehlo.subtract %s, %ms : tensor<{b}x{s}x{t}xf32>
  %e = stablehlo.exponential %c : tensor<{b}x{s}x{t}xf32>
  %n = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<{b}x{s}x{t}xf32>, tensor<f32>) -> tensor<{b}x{s}xf32>
  %ns = stablehlo.broadcast_in_dim %n, dims = [0, 1] : (tensor<{b}x{s}xf32>) -> tensor<{b}x{s}x{t}xf32>
  %p = stablehlo.divide %e, %ns : tensor<{b}x{s}x{t}xf32>
  %o = stablehlo.dot_general %p, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<{b}x{s}x{t}xf32>, tensor<{b}x{t}x{d}xf32>) -> tensor<{b}x{s}x{d}xf32>
  return %o : tensor<{b}x{s}x{d}xf32>
}
)";
}

TEST_F(Schedules, OfAttentionKeepBits) {
  std::string text = attention();
  expectSameBits(with(text, {{"b", 3}, {"s", 61}, {"t", 70}, {"d", 16}}));
  expectSameBits(with(text, {{"b", 2}, {"s", 97}, {"t", 600}, {"d", 33}}));
}

const std::string types =
    "(tensor<{b}x{s}x{t}xi32>, tensor<{b}x{s}x{t}xi32>) -> "
    "tensor<{b}x{s}x{t}xi1>\n";
const std::string causal = "  %keep = stablehlo.compare GE, %i, %j : " + types;
// The last rows keep nothing: their weights are all the same.
const std::string window =
    "  %near = stablehlo.constant dense<11> : tensor<{b}x{s}x{t}xi32>\n"
    "  %first = stablehlo.subtract %i, %near : tensor<{b}x{s}x{t}xi32>\n"
    "  %after = stablehlo.compare LT, %first, %j : " +
    types + "  %before = stablehlo.compare GE, %i, %j : " + types +
    "  %keep = stablehlo.and %after, %before : tensor<{b}x{s}x{t}xi1>\n";

TEST_F(Schedules, OfMaskedAttentionKeepBits) {
  std::string steep =
      "  %two = stablehlo.constant dense<2> : tensor<{b}x{s}x{t}xi32>\n"
      "  %twice = stablehlo.multiply %two, %i : tensor<{b}x{s}x{t}xi32>\n"
      "  %drop = stablehlo.compare LE, %j, %twice : " +
      types + "  %keep = stablehlo.not %drop : tensor<{b}x{s}x{t}xi1>\n";
  expectSameBits(
      with(attention(causal), {{"b", 2}, {"s", 64}, {"t", 64}, {"d", 16}}));
  expectSameBits(
      with(attention(causal), {{"b", 1}, {"s", 90}, {"t", 608}, {"d", 33}}));
  expectSameBits(
      with(attention(window), {{"b", 2}, {"s", 97}, {"t", 80}, {"d", 16}}));
  expectSameBits(
      with(attention(window), {{"b", 1}, {"s", 320}, {"t", 304}, {"d", 8}}));
  expectSameBits(
      with(attention(steep), {{"b", 2}, {"s", 60}, {"t", 96}, {"d", 16}}));
}

// A softmax of long rows is computed in blocks of columns.
TEST_F(Schedules, OfLongAttentionKeepBits) {
  expectNear(with(attention(), {{"b", 2}, {"s", 256}, {"t", 512}, {"d", 16}}));
  expectNear(with(attention(), {{"b", 2}, {"s", 250}, {"t", 529}, {"d", 33}}));
}

TEST_F(Schedules, OfLongMaskedAttentionKeepBits) {
  // Cells have no coordinate of a batch of 1.
  expectNear(
      with(attention(causal), {{"b", 1}, {"s", 512}, {"t", 512}, {"d", 16}}));
  expectNear(
      with(attention(causal), {{"b", 2}, {"s", 256}, {"t", 512}, {"d", 16}}));
  expectNear(
      with(attention(window), {{"b", 2}, {"s", 600}, {"t", 530}, {"d", 8}}));
  // Rows of -inf alone are NaN.
  expectNear(with(attention(window, "0xFF800000"),
                  {{"b", 2}, {"s", 600}, {"t", 530}, {"d", 8}}));
  // What is excluded counts.
  expectNear(with(attention(causal, "0.0"),
                  {{"b", 2}, {"s", 256}, {"t", 512}, {"d", 16}}));
  // A weight of 0 makes NaN of what is infinite.
  hasInfinity = true;
  expectNear(
      with(attention(causal), {{"b", 2}, {"s", 256}, {"t", 512}, {"d", 16}}));
}

/// The gradient of half the sum of the squares of an attention: those of q, k and v. As
/// JAX does, it selects the gradients of scores that the mask keeps.
std::string gradientOfAttention(const std::string &mask,
                                const std::string &excluded = "-1.0e30") {
  std::string text = attention(mask, excluded);
  text.replace(text.find("-> tensor<{b}x{s}x{d}xf32>"),
               std::string("-> tensor<{b}x{s}x{d}xf32>").size(),
               "-> tensor<{b}x{n}x{d}xf32>");
  text.erase(text.find("  return"));
  text +=
      R"(  %dp = stablehlo.dot_general %o, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2]
      : (tensor<{b}x{s}x{d}xf32>, tensor<{b}x{t}x{d}xf32>) -> tensor<{b}x{s}x{t}xf32>
  %w = stablehlo.multiply %p, %dp : tensor<{b}x{s}x{t}xf32>
  %r = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [2]
      : (tensor<{b}x{s}x{t}xf32>, tensor<f32>) -> tensor<{b}x{s}xf32>
  %rs = stablehlo.broadcast_in_dim %r, dims = [0, 1] : (tensor<{b}x{s}xf32>) -> tensor<{b}x{s}x{t}xf32>
  %g = stablehlo.subtract %dp, %rs : tensor<{b}x{s}x{t}xf32>
  %du = stablehlo.multiply %p, %g : tensor<{b}x{s}x{t}xf32>
  %nothing = stablehlo.constant dense<0.0> : tensor<{b}x{s}x{t}xf32>
  %ds = stablehlo.select %keep, %du, %nothing : tensor<{b}x{s}x{t}xi1>, tensor<{b}x{s}x{t}xf32>
  %dq = stablehlo.dot_general %ds, %k, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<{b}x{s}x{t}xf32>, tensor<{b}x{t}x{d}xf32>) -> tensor<{b}x{s}x{d}xf32>
  %dk = stablehlo.dot_general %ds, %q, batching_dims = [0] x [0], contracting_dims = [1] x [1]
      : (tensor<{b}x{s}x{t}xf32>, tensor<{b}x{s}x{d}xf32>) -> tensor<{b}x{t}x{d}xf32>
  %dv = stablehlo.dot_general %p, %o, batching_dims = [0] x [0], contracting_dims = [1] x [1]
      : (tensor<{b}x{s}x{t}xf32>, tensor<{b}x{s}x{d}xf32>) -> tensor<{b}x{t}x{d}xf32>
  %all = stablehlo.concatenate %dq, %dk, %dv, dim = 1
      : (tensor<{b}x{s}x{d}xf32>, tensor<{b}x{t}x{d}xf32>, tensor<{b}x{t}x{d}xf32>) -> tensor<{b}x{n}x{d}xf32>
  return %all : tensor<{b}x{n}x{d}xf32>
}
)";
  return text;
}

// 16 MB of weights and more are computed again, not stored (RecomputeTensors.cpp).
TEST_F(Schedules, OfGradientsOfLongAttentionKeepBits) {
  isChecked = false; // it would take minutes
  std::vector<std::pair<std::string, int64_t>> sizes = {
      {"b", 1}, {"s", 540}, {"t", 8208}, {"d", 4}, {"n", 16956}};
  expectNear(with(gradientOfAttention(causal), sizes));
  // What is excluded counts.
  expectNear(with(gradientOfAttention(causal, "0.0"), sizes));
  // A weight of 0 makes NaN of what is infinite.
  hasInfinity = true;
  expectNear(with(gradientOfAttention(causal), sizes));
}

// Weights are converted where a product reads them, in each of its forms.
TEST_F(Schedules, OfConvertedWeightsKeepBits) {
  const char *text = R"(
func.func @main(%x: tensor<{m}x{k}xf32>, %q: tensor<{p}x{r}xbf16>, %s: tensor<{n}xf32>) -> tensor<{m}x{n}xf32> {
  %f = stablehlo.convert %q : (tensor<{p}x{r}xbf16>) -> tensor<{p}x{r}xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [{d}] : (tensor<{n}xf32>) -> tensor<{p}x{r}xf32>
  %w = stablehlo.multiply %f, %b : tensor<{p}x{r}xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [{c}] : (tensor<{m}x{k}xf32>, tensor<{p}x{r}xf32>) -> tensor<{m}x{n}xf32>
  return %y : tensor<{m}x{n}xf32>
}
)";
  auto check = [&](int64_t m, int64_t n, int64_t k) {
    for (bool isTransposed : {false, true})
      expectSameBits(with(text, {{"m", m},
                                 {"n", n},
                                 {"k", k},
                                 {"p", isTransposed ? n : k},
                                 {"r", isTransposed ? k : n},
                                 {"d", isTransposed ? 0 : 1},
                                 {"c", isTransposed ? 1 : 0}}));
  };
  check(3, 515, 517); // read in place, split; dots
  check(17, 386, 30); // copied by the first rows
  check(50, 35, 261); // packed before
}

TEST_F(Schedules, OfTwoLayersKeepBits) {
  const char *text = R"(
func.func @main(%x: tensor<{m}x{k}xf32>, %a: tensor<{k}x{n}xf32>, %b: tensor<{n}xf32>,
                %c: tensor<{n}x{o}xf32>) -> (tensor<{m}x{o}xf32>, tensor<{m}xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %h = stablehlo.dot %x, %a : (tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %bs = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<{n}xf32>) -> tensor<{m}x{n}xf32>
  %hb = stablehlo.add %h, %bs : tensor<{m}x{n}xf32>
  %t = stablehlo.tanh %hb : tensor<{m}x{n}xf32>
  %y = stablehlo.dot %t, %c : (tensor<{m}x{n}xf32>, tensor<{n}x{o}xf32>) -> tensor<{m}x{o}xf32>
  %r = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<{m}x{o}xf32>, tensor<f32>) -> tensor<{m}xf32>
  return %y, %r : tensor<{m}x{o}xf32>, tensor<{m}xf32>
}
)";
  expectSameBits(with(text, {{"m", 53}, {"k", 40}, {"n", 90}, {"o", 70}}));
  expectSameBits(with(text, {{"m", 64}, {"k", 1600}, {"n", 200}, {"o", 17}}));
  // One column: rows are neighbors in memory, and a tile of one has neither.
  expectSameBits(with(text, {{"m", 9}, {"k", 4}, {"n", 5}, {"o", 1}}));
}

} // namespace
