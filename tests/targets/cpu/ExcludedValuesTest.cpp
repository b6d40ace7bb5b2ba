// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/ExcludedValues.h"
#include "mercator/dialects/Register.h"
#include "mercator/targets/cpu/llvm/Lower.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::cpu;

namespace {

class ExcludedValues : public testing::Test {
protected:
  ExcludedValues() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    context.appendDialectRegistry(registry);
    loadDialects(context);
  }

  /// Of two operations, p = first(s, r) and q = second(p, r, c), what q is where i >= j
  /// is false: `0`, the operands that it follows from, or `unknown`. r has the rows i
  /// of the block, c its columns j.
  std::string value(const std::string &first, const std::string &second) {
    std::string indices = R"(
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %keep = arith.cmpi sge, %i, %j : index
      %after = arith.cmpi slt, %i, %j : index
)";
    auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
func.func @kernel(%s: memref<8x16xf32>, %r: memref<8xf32>, %c: memref<16xf32>,
                  %p: memref<8x16xf32>, %q: memref<8x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e9 : f32
  linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%s, %r : memref<8x16xf32>, memref<8xf32>) outs(%p : memref<8x16xf32>) {
    ^bb0(%in: f32, %row: f32, %out: f32):)" + indices + first +
                                                              R"(
      linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#ij, #i, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%p, %r, %c : memref<8x16xf32>, memref<8xf32>, memref<16xf32>) outs(%q : memref<8x16xf32>) {
    ^bb0(%in: f32, %row: f32, %column: f32, %out: f32):)" + indices +
                                                              second +
                                                              R"(
      linalg.yield %0 : f32
  }
  return
})",
                                                          &context);
    if (!module)
      return "not parsed";
    auto kernel = module->lookupSymbol<mlir::func::FuncOp>("kernel");
    std::vector<CellMember> members;
    for (auto op : kernel.getOps<mlir::linalg::LinalgOp>())
      members.push_back({op, {0}, false, 1});
    auto found =
        ExcludedValue::of(members, kernel.getArgument(4), {{1, -1, 0}});
    if (!found)
      return "unknown";
    if (mlir::matchPattern(found->value, mlir::m_AnyZeroFloat()))
      return "0";
    std::string operands;
    for (const ExcludedValue::Input &input : found->inputs)
      operands += "srcpq"[mlir::cast<mlir::BlockArgument>(input.operand->get())
                              .getArgNumber()];
    return operands;
  }

  mlir::MLIRContext context;
};

const std::string weights = R"(
      %1 = arith.select %keep, %in, %low : f32
      %2 = arith.subf %1, %row : f32
      %0 = math.exp %2 : f32)";

TEST_F(ExcludedValues, OfWeightsFollowFromRows) {
  EXPECT_EQ(value(weights, "%0 = arith.divf %in, %row : f32"), "r");
  EXPECT_EQ(value("%1 = arith.select %after, %low, %in : f32\n"
                  "%2 = arith.subf %1, %row : f32\n"
                  "%0 = math.exp %2 : f32",
                  "%0 = arith.divf %in, %row : f32"),
            "r");
  EXPECT_EQ(value(weights, "%0 = arith.divf %in, %column : f32"), "rc");
}

TEST_F(ExcludedValues, OfASelectAreItsConstant) {
  EXPECT_EQ(value("%0 = arith.mulf %in, %row : f32",
                  "%1 = arith.select %keep, %in, %zero : f32\n"
                  "%0 = arith.mulf %1, %1 : f32"),
            "0");
}

TEST_F(ExcludedValues, AreUnknownWithoutTheMask) {
  EXPECT_EQ(value("%0 = arith.mulf %in, %row : f32",
                  "%0 = arith.mulf %in, %column : f32"),
            "unknown");
  // The other side of the select.
  EXPECT_EQ(value(weights, "%0 = arith.select %keep, %zero, %out : f32"),
            "unknown");
  // Another condition.
  EXPECT_EQ(value(weights, "%1 = arith.cmpi sgt, %i, %j : index\n"
                           "%0 = arith.select %1, %in, %zero : f32"),
            "unknown");
}

} // namespace
