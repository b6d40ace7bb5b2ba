// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The verdicts of Meaning: pairs of programs as a correct and a wrong pass
// would produce them.

#include "PassMeaning.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mercator::testing;

namespace {

class Pairs : public ::testing::Test {
protected:
  /// The verdict on the first function, or on all together.
  FunctionVerdict::Kind judge(llvm::StringRef before, llvm::StringRef after,
                              MeaningOptions options = {}) {
    auto first = parseSourceString<ModuleOp>(before, context.get());
    auto second = parseSourceString<ModuleOp>(after, context.get());
    EXPECT_TRUE(first && second);
    if (!first || !second)
      return FunctionVerdict::NotRun;
    std::vector<FunctionVerdict> verdicts =
        Meaning(*first, *second, options).compare();
    for (const FunctionVerdict &verdict : verdicts)
      if (verdict.kind == FunctionVerdict::Differs)
        return verdict.kind;
    EXPECT_FALSE(verdicts.empty());
    return verdicts.front().kind;
  }

  std::unique_ptr<MLIRContext> context = contextForPasses();
};

std::string transposed(llvm::StringRef map) {
  return (R"(
    func.func @f(%x: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
      %0 = linalg.generic {
          indexing_maps = [)" +
          map + R"(, affine_map<(i, j) -> (i, j)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) {
        ^bb0(%a: f32, %b: f32):
          linalg.yield %a : f32
      } -> tensor<?x?xf32>
      return %0 : tensor<?x?xf32>
    })")
      .str();
}

TEST_F(Pairs, AMapThatReadsElsewhereDiffers) {
  std::string right = transposed("affine_map<(i, j) -> (i, j)>"),
              wrong = transposed("affine_map<(i, j) -> (j, i)>");
  EXPECT_EQ(judge(right, right), FunctionVerdict::Same);
  EXPECT_EQ(judge(right, wrong), FunctionVerdict::Differs);
}

constexpr const char *stores = R"(
  util.global private mutable @g : i32
  func.func @f(%x: i32) -> i32 {
    %old = util.global.load @g : i32
    util.global.store %x, @g : i32
    return %old : i32
  })";

TEST_F(Pairs, AStoreThatIsLostDiffers) {
  EXPECT_EQ(judge(stores, stores), FunctionVerdict::Same);
  EXPECT_EQ(judge(stores, R"(
    util.global private mutable @g : i32
    func.func @f(%x: i32) -> i32 {
      %old = util.global.load @g : i32
      return %old : i32
    })"),
            FunctionVerdict::Differs);
}

TEST_F(Pairs, AStoreThatIsSeenTooEarlyDiffers) {
  EXPECT_EQ(judge(stores, R"(
    util.global private mutable @g : i32
    func.func @f(%x: i32) -> i32 {
      util.global.store %x, @g : i32
      return %x : i32
    })"),
            FunctionVerdict::Differs);
}

TEST_F(Pairs, EffectsKeepTheirOrder) {
  constexpr const char *right = R"(
    func.func private @sink(f32)
    func.func @f(%x: f32) {
      call @sink(%x) : (f32) -> ()
      "test.effect"(%x) : (f32) -> ()
      return
    })";
  EXPECT_EQ(judge(right, right), FunctionVerdict::Same);
  EXPECT_EQ(judge(right, R"(
    func.func private @sink(f32)
    func.func @f(%x: f32) {
      "test.effect"(%x) : (f32) -> ()
      call @sink(%x) : (f32) -> ()
      return
    })"),
            FunctionVerdict::Differs);
}

TEST_F(Pairs, UnwrittenElementsMayBeAnything) {
  constexpr const char *half = R"(
    func.func @f(%x: tensor<2xf32>) -> tensor<4xf32> {
      %e = tensor.empty() : tensor<4xf32>
      %0 = tensor.insert_slice %x into %e[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
      return %0 : tensor<4xf32>
    })";
  EXPECT_EQ(judge(half, R"(
    func.func @f(%x: tensor<2xf32>) -> tensor<4xf32> {
      %e = arith.constant dense<3.0> : tensor<4xf32>
      %0 = tensor.insert_slice %x into %e[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
      return %0 : tensor<4xf32>
    })"),
            FunctionVerdict::Same);
  // But a program that was defined must not begin to read it.
  EXPECT_EQ(judge(R"(
    func.func @f(%x: tensor<2xf32>) -> tensor<4xf32> {
      %c = arith.constant dense<3.0> : tensor<4xf32>
      %0 = tensor.insert_slice %x into %c[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
      return %0 : tensor<4xf32>
    })",
                  half),
            FunctionVerdict::Differs);
}

TEST_F(Pairs, ExtentsGoBesideTheirTensors) {
  constexpr const char *before = R"(
    func.func @f(%x: tensor<?x4xf32>, %y: f32) -> (tensor<?x4xf32>, f32) {
      return %x, %y : tensor<?x4xf32>, f32
    })";
  EXPECT_EQ(judge(before, R"(
    func.func @f(%x: tensor<?x4xf32>, %d: index, %y: f32) -> (tensor<?x4xf32>, index, f32) {
      return %x, %d, %y : tensor<?x4xf32>, index, f32
    })"),
            FunctionVerdict::Same);
  EXPECT_EQ(judge(before, R"(
    func.func @f(%x: tensor<?x4xf32>, %d: index, %y: f32) -> (tensor<?x4xf32>, index, f32) {
      %c7 = arith.constant 7 : index
      return %x, %c7, %y : tensor<?x4xf32>, index, f32
    })"),
            FunctionVerdict::Differs);
}

TEST_F(Pairs, ToleranceIsOfTheLargestElement) {
  constexpr const char *before = R"(
    func.func @f(%x: f32, %y: f32, %z: f32) -> f32 {
      %0 = arith.addf %x, %y : f32
      %1 = math.exp %0 : f32
      return %1 : f32
    })";
  constexpr const char *after = R"(
    func.func @f(%x: f32, %y: f32, %z: f32) -> f32 {
      %0 = math.exp %x : f32
      %1 = math.exp %y : f32
      %2 = arith.mulf %0, %1 : f32
      return %2 : f32
    })";
  MeaningOptions options;
  options.runs = 10;
  EXPECT_EQ(judge(before, after, options), FunctionVerdict::Differs);
  options.tolerance.ulps = 16;
  EXPECT_EQ(judge(before, after, options), FunctionVerdict::Same);
}

} // namespace
