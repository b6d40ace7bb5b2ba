// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code that a compilation keeps for the next run, and arrays of the caller.

#include "mercator/compiler/Compilation.h"
#include "mercator/compiler/run/Run.h"

#include "gtest/gtest.h"

using namespace mercator;

namespace {

struct KeptCodeTest : testing::Test {
  std::string said;
  llvm::raw_string_ostream os{said};
  DiagnosticEngine diagnostics{os};
  std::unique_ptr<Compilation> compilation = Compilation::load("f.mlir", R"(
        func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
          %y = stablehlo.exponential %x : tensor<3xf32>
          return %y : tensor<3xf32>
        }
        func.func @negate(%x: tensor<3xf32>) -> tensor<3xf32> {
          %y = stablehlo.negate %x : tensor<3xf32>
          return %y : tensor<3xf32>
        }
      )",
                                                               diagnostics);
  float x[3] = {0, 1, -1};

  /// Whether the code was there, and the second element of the result.
  std::pair<bool, double> run(RunOptions options) {
    options.through = Stage::Cpu;
    options.arrays = {{.element = "f32", .shape = {3}, .data = x}};
    Answer<RunResults> results = compilation->run(options);
    EXPECT_TRUE(results) << said;
    return {results->isCached,
            results->values[0][0].tensor()->at(int64_t(1)).re};
  }
};

TEST_F(KeptCodeTest, TheSameQuestionFindsIt) {
  RunOptions keeps{.keepsCode = true};
  EXPECT_FALSE(run(keeps).first);
  auto [isCached, value] = run(keeps);
  EXPECT_TRUE(isCached);
  EXPECT_NEAR(value, 2.71828, 1e-5);
  x[1] = 2; // other inputs
  EXPECT_NEAR(run(keeps).second, 7.38906, 1e-5);
}

TEST_F(KeptCodeTest, AnotherQuestionDoesNot) {
  RunOptions keeps{.keepsCode = true};
  EXPECT_FALSE(run(keeps).first);
  RunOptions precise = keeps;
  precise.native.preciseMath = true;
  EXPECT_FALSE(run(precise).first);
  EXPECT_TRUE(run(precise).first);
  RunOptions other = keeps;
  other.function = "negate";
  EXPECT_EQ(run(other), std::pair(false, -1.0));
  // One code is kept: the last one.
  EXPECT_FALSE(run(keeps).first);
}

TEST_F(KeptCodeTest, ARunThatKeepsNothingLeavesIt) {
  RunOptions keeps{.keepsCode = true};
  EXPECT_FALSE(run({}).first);
  EXPECT_FALSE(run(keeps).first);
  EXPECT_FALSE(run({}).first);
  EXPECT_TRUE(run(keeps).first);
}

TEST(RunNative, RandomNumbersAreThoseOfTheEvaluatorInEachRun) {
  std::string said;
  llvm::raw_string_ostream os(said);
  DiagnosticEngine diagnostics(os);
  auto compilation = Compilation::load("rng.mlir", R"(
    func.func @main() -> tensor<4xf32> {
      %low = stablehlo.constant dense<0.0> : tensor<f32>
      %high = stablehlo.constant dense<1.0> : tensor<f32>
      %shape = stablehlo.constant dense<4> : tensor<1xi64>
      %y = stablehlo.rng %low, %high, %shape, distribution = UNIFORM
        : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    }
  )",
                                       diagnostics);
  Answer<RunResults> expected = compilation->run({});
  ASSERT_TRUE(expected) << said;
  for (int64_t repeat : {1, 1, 2}) {
    Answer<RunResults> results =
        compilation->run({.through = Stage::Cpu, .repeat = repeat});
    ASSERT_TRUE(results) << said;
    for (int64_t i : {0, 1, 2, 3})
      EXPECT_EQ(results->values[0][0].tensor()->at(i).re,
                expected->values[0][0].tensor()->at(i).re);
  }
}

} // namespace
