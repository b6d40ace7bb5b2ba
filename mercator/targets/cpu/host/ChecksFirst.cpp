// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/host/ChecksFirst.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator;

/// Whether the operation computes numbers and nothing else.
static bool computesNumbers(Operation &op) {
  return op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
         llvm::none_of(op.getResultTypes(),
                       [](Type type) { return isa<TensorType>(type); });
}

/// Collects the operations of the block that compute numbers for `op`. Returns the
/// last other operation that it needs; null if there is none.
static Operation *collectNeeded(Operation *op,
                                SmallVectorImpl<Operation *> &needed) {
  Operation *last = nullptr;
  SmallVector<Operation *> pending = {op};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!pending.empty())
    for (Value operand : pending.pop_back_val()->getOperands()) {
      Operation *from = operand.getDefiningOp();
      if (!from || from->getBlock() != op->getBlock() ||
          !seen.insert(from).second)
        continue;
      if (computesNumbers(*from)) {
        needed.push_back(from);
        pending.push_back(from);
      } else if (!last || last->isBeforeInBlock(from)) {
        last = from;
      }
    }
  return last;
}

void cpu::checkFirst(func::FuncOp function) {
  for (Block &block : function.getBody()) {
    llvm::SmallPtrSet<Operation *, 8> moved;
    for (auto assertion : llvm::to_vector(block.getOps<cf::AssertOp>())) {
      SmallVector<Operation *> needed;
      Operation *last = collectNeeded(assertion, needed);
      llvm::sort(needed, [](Operation *a, Operation *b) {
        return a->isBeforeInBlock(b);
      });
      needed.push_back(assertion);
      Operation *place = last ? last->getNextNode() : &block.front();
      while (moved.contains(place))
        place = place->getNextNode();
      for (Operation *op : needed) {
        if (op == place)
          place = place->getNextNode();
        else if (place->isBeforeInBlock(op))
          op->moveBefore(place);
        moved.insert(op);
      }
    }
  }
}
