// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/Register.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/llvm/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::cpu;

namespace {

/// Each part stores to memory of its worker; each iteration of the loop inside, too.
constexpr const char *kParts = R"(
func.func @kernel(%memory: memref<16xf32>, %inner: memref<4xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.for %part = %c0 to %c16 step %c1 {
    %own = builtin.unrealized_conversion_cast %part : index to i64 {mercator.worker}
    %i = arith.index_cast %own : i64 to index
    memref.store %x, %memory[%i] : memref<16xf32>
    scf.for %other = %c0 to %c4 step %c1 {
      %all = builtin.unrealized_conversion_cast %other : index to i64 {mercator.worker}
      %j = arith.index_cast %all : i64 to index
      memref.store %x, %inner[%j] : memref<4xf32>
    } {mercator.parallel}
  } {mercator.parallel}
  return
}
)";

TEST(Workers, AreTheThreadsOfATask) {
  mlir::DialectRegistry registry;
  registerAllMercatorDialects(registry);
  mlir::MLIRContext context(registry);
  loadDialects(context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kParts, &context);
  ASSERT_TRUE(module);
  ASSERT_TRUE(succeeded(outlineParallelLoops(*module)));
  auto task = module->lookupSymbol<mlir::func::FuncOp>("kernel_part0");
  ASSERT_TRUE(task);
  std::vector<mlir::Value> places;
  task.walk([&](mlir::memref::StoreOp store) {
    auto cast = store.getIndices()[0].getDefiningOp<mlir::arith::IndexCastOp>();
    ASSERT_TRUE(cast);
    places.push_back(cast.getIn());
  });
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[0], task.getArgument(1));
  // The loop inside is no task.
  EXPECT_EQ(mlir::getConstantIntValue(places[1]), 0);
}

} // namespace
