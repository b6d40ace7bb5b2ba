// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/RowAccess.h"
#include "mercator/targets/cpu/kernels/Loops.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

RowAccess cpu::rowAccess(linalg::LinalgOp op, OpOperand &operand,
                         unsigned loop) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isFunctionOfDim(loop))
    return {RowAccess::Kind::All};
  std::optional<unsigned> place;
  for (auto [i, e] : llvm::enumerate(map.getResults())) {
    if (!e.isFunctionOfDim(loop))
      continue;
    if (place || !isa<AffineDimExpr>(e))
      return {RowAccess::Kind::Other};
    place = unsigned(i);
  }
  return {RowAccess::Kind::Own, *place};
}

bool cpu::isPlainWrite(linalg::LinalgOp op, OpOperand &operand) {
  return op.isDpsInit(&operand) && !op.payloadUsesValueFromOperand(&operand) &&
         op.getMatchingIndexingMap(&operand).isProjectedPermutation();
}

bool cpu::loadsWhatIsWritten(linalg::LinalgOp reader, linalg::LinalgOp writer) {
  return reader
      ->walk([&](memref::LoadOp load) {
        for (OpOperand &written : writer.getDpsInitsMutable())
          if (rootOf(load.getMemRef()) == rootOf(written.get()))
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

bool cpu::hasKnownLoops(linalg::LinalgOp op) {
  return op.hasPureBufferSemantics() &&
         llvm::all_of(op.getStaticLoopRanges(), [](int64_t extent) {
           return !ShapedType::isDynamic(extent) && extent > 0;
         });
}

bool cpu::isOrderless(Operation *op) {
  return isMemoryEffectFree(op) || isa<memref::AllocOp>(op);
}

bool cpu::accessesOperandsAlone(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return isa<memref::CopyOp>(op) ||
         (linalgOp && linalgOp.hasPureBufferSemantics());
}

bool cpu::accesses(Operation *op, mlir::Value root) {
  auto isPart = [&](mlir::Value operand) {
    return isa<MemRefType>(operand.getType()) && rootOf(operand) == root;
  };
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperands(), isPart)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

SmallVector<mlir::Value> cpu::writtenBy(Operation *op) {
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return {copy.getTarget()};
  return cast<linalg::LinalgOp>(op).getDpsInits();
}

void cpu::eraseCopiesToSelf(Block &block) {
  for (auto copy : llvm::make_early_inc_range(block.getOps<memref::CopyOp>()))
    if (copy.getSource() == copy.getTarget())
      copy.erase();
}
