// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Extents: numbers and products with unknown factors.

#include "mercator/analysis/extents/SymbolicExtent.h"
#include "mercator/dialects/Register.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mercator;

namespace {
/// x: tensor<?x8x?xf32>, y: tensor<?x8x?xf32> of the same shape.
struct ExtentTest : ::testing::Test {
  ExtentTest() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    module = mlir::parseSourceString<mlir::ModuleOp>(R"(
      func.func @main(%x: tensor<?x8x?xf32>, %y: tensor<?x8x?xf32>) -> tensor<?x8x?xf32> {
        %r = stablehlo.add %x, %y : tensor<?x8x?xf32>
        return %r : tensor<?x8x?xf32>
      })",
                                                     &context);
    extents.emplace(*module);
  }
  SymbolicExtent of(int argument, int64_t dim) {
    auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
    return SymbolicExtent::of(*extents, main.getArgument(argument), dim);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<EqualExtents> extents;
};
} // namespace

TEST_F(ExtentTest, EqualInEveryRun) {
  EXPECT_EQ(of(0, 0), of(1, 0));
  EXPECT_NE(of(0, 0), of(0, 2)); // they may be equal
  EXPECT_EQ(of(0, 1), 8);
  EXPECT_FALSE(of(0, 0).isKnown());
}

TEST_F(ExtentTest, Products) {
  SymbolicExtent a = of(0, 0), b = of(0, 2);
  EXPECT_EQ(a * b, b * a);
  EXPECT_EQ(a * 4 * b * 2, b * 8 * a);
  EXPECT_EQ(a * 1, a);
  EXPECT_NE(a * a, a);
  EXPECT_EQ(a * 0, 0);
  EXPECT_EQ(product({a, 2, 3}), SymbolicExtent(6) * a);
  EXPECT_EQ((a * 6).known(), 6);
  EXPECT_EQ(numbersOf({SymbolicExtent(2), of(0, 1)}),
            (llvm::SmallVector<int64_t, 4>{2, 8}));
}

TEST_F(ExtentTest, EstimatesSaturate) {
  SymbolicExtent a = of(0, 0);
  EXPECT_EQ(SymbolicExtent(7).estimate(), 7);
  EXPECT_EQ((a * 3).estimate(), 3 * SymbolicExtent::kTypical);
  EXPECT_EQ(SymbolicExtent(INT64_MAX) * 2, INT64_MAX);
  EXPECT_EQ((a * INT64_MAX).estimate(), INT64_MAX);
}

TEST_F(ExtentTest, Text) {
  EXPECT_EQ(SymbolicExtent(8).str(), "8");
  std::string symbol = of(0, 0).str();
  EXPECT_EQ(symbol[0], 'n');
  EXPECT_EQ((of(0, 0) * 8).str(), "8*" + symbol);
}
