// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/Candidates.h"
#include "mercator/dialects/Register.h"
#include "mercator/targets/cpu/llvm/Lower.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <set>

using namespace mercator;
using namespace mercator::cpu;

namespace {

constexpr const char *kProduct = R"mlir(
flow.executable private @product {
  flow.executable.export public @product
  builtin.module {
    func.func @product(%arg0: !flow.dispatch.tensor<readonly:tensor<96x64xf32>>, %arg1: !flow.dispatch.tensor<readonly:tensor<64x80xf32>>, %arg2: !flow.dispatch.tensor<writeonly:tensor<96x80xf32>>) {
      %cst = arith.constant 0.000000e+00 : f32
      %0 = flow.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [96, 64], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<96x64xf32>> -> tensor<96x64xf32>
      %1 = flow.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [64, 80], strides = [1, 1] : !flow.dispatch.tensor<readonly:tensor<64x80xf32>> -> tensor<64x80xf32>
      %2 = tensor.empty() : tensor<96x80xf32>
      %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<96x80xf32>) -> tensor<96x80xf32>
      %4 = linalg.matmul ins(%0, %1 : tensor<96x64xf32>, tensor<64x80xf32>) outs(%3 : tensor<96x80xf32>) -> tensor<96x80xf32>
      flow.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [96, 80], strides = [1, 1] : tensor<96x80xf32> -> !flow.dispatch.tensor<writeonly:tensor<96x80xf32>>
      return
    }
  }
}
func.func @main(%arg0: tensor<96x64xf32>, %arg1: tensor<64x80xf32>) -> tensor<96x80xf32> {
  %0 = flow.dispatch @product::@product(%arg0, %arg1) : (tensor<96x64xf32>, tensor<64x80xf32>) -> tensor<96x80xf32>
  return %0 : tensor<96x80xf32>
}
)mlir";

class Candidates : public testing::Test {
protected:
  Candidates() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    cpu::registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = mlir::parseSourceString<mlir::ModuleOp>(kProduct, &context);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(Candidates, AreTheBestOfTheEstimate) {
  auto all = candidatesOf(*module, "main", *Machine::named("znver4"), 100, 10);
  ASSERT_TRUE(mlir::succeeded(all));
  ASSERT_EQ(all->size(), 1u);
  const DispatchCandidates &own = all->front();
  EXPECT_EQ(own.kernel, "kernel_0_product");
  ASSERT_EQ(own.candidates.size(), 10u);
  // The first one changes nothing; the others are different, the best ones first.
  EXPECT_TRUE(own.candidates.front().changes.empty());
  EXPECT_GT(own.candidates.front().predicted, 100);
  std::set<std::string> texts;
  for (size_t i = 1; i < own.candidates.size(); ++i) {
    const ScheduleCandidate &candidate = own.candidates[i];
    EXPECT_FALSE(candidate.changes.empty());
    EXPECT_NE(candidate.from, candidate.to);
    texts.insert(candidate.to);
    if (i > 1)
      EXPECT_GE(candidate.predicted, own.candidates[i - 1].predicted);
  }
  EXPECT_EQ(texts.size(), 9u);
}

/// The same product of bf16 is computed by AMX.
TEST_F(Candidates, HaveTilesOfTheMatrixUnit) {
  std::string text = kProduct;
  for (std::string from : {"96x64xf32", "64x80xf32"})
    for (size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at + 6, 3, "bf16");
  module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  auto all =
      candidatesOf(*module, "main", *Machine::named("sapphirerapids"), 0, 20);
  ASSERT_TRUE(mlir::succeeded(all));
  ASSERT_EQ(all->size(), 1u);
  std::set<std::string> tiles;
  for (const ScheduleCandidate &candidate : all->front().candidates) {
    EXPECT_GT(candidate.predicted, 0);
    if (candidate.changes.empty())
      continue;
    llvm::StringRef schedule = candidate.to;
    EXPECT_TRUE(schedule.starts_with("form=tiles unit=matrix lanes=16 rows="))
        << candidate.to;
    tiles.insert(schedule.split(" pack").first.str());
  }
  EXPECT_GE(tiles.size(), 4u);
}

TEST_F(Candidates, CheapDispatchesHaveNone) {
  auto all = candidatesOf(*module, "main", *Machine::named("znver4"), 1e9, 10);
  ASSERT_TRUE(mlir::succeeded(all));
  EXPECT_TRUE(all->empty());
}

TEST_F(Candidates, ApplyWhatTheySay) {
  auto all = candidatesOf(*module, "main", *Machine::named("znver4"), 100, 5);
  ASSERT_TRUE(mlir::succeeded(all));
  const DispatchCandidates &own = all->front();
  ScheduleCandidate before = scheduleOf(own.function);
  auto text = [&] {
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    return text;
  };
  std::string chosen = text();
  EXPECT_NE(chosen.find("mercator.schedule = \"form=tiles"), std::string::npos);
  applySchedule(own.function, own.candidates[2]);
  EXPECT_NE(text().find("mercator.schedule = \"" + own.candidates[2].to),
            std::string::npos);
  applySchedule(own.function, before);
  EXPECT_EQ(text(), chosen);
}

} // namespace
