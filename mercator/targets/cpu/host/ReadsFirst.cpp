// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/host/ReadsFirst.h"
#include "mercator/targets/cpu/host/InPlace.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

/// The operations of the block after `update` that use the tensor, also in
/// another shape.
static SmallVector<Operation *> laterUses(Value tensor, Operation *update) {
  SmallVector<Operation *> found;
  SmallVector<Value> open = {tensor};
  while (!open.empty())
    for (Operation *user : open.pop_back_val().getUsers()) {
      if (user->getBlock() != update->getBlock() ||
          user->hasTrait<OpTrait::IsTerminator>())
        continue;
      if (user != update && update->isBeforeInBlock(user))
        found.push_back(user);
      for (OpResult result : user->getResults())
        if (isa<RankedTensorType>(result.getType()) && sameElements(result))
          open.push_back(result);
    }
  return found;
}

/// Collects `op` and what it needs of the operations between `update` and it.
/// False if it needs `update`, or too much.
static bool collect(Operation *op, Operation *update,
                    llvm::SmallSetVector<Operation *, 16> &moved) {
  constexpr size_t kMost = 64;
  SmallVector<Operation *> open = {op};
  while (!open.empty()) {
    Operation *own = open.pop_back_val();
    if (own == update || moved.size() > kMost || own->getNumResults() == 0)
      return false;
    if (!moved.insert(own))
      continue;
    for (Value operand : own->getOperands()) {
      Operation *from = operand.getDefiningOp();
      if (from && from->getBlock() == update->getBlock() &&
          (from == update || update->isBeforeInBlock(from)))
        open.push_back(from);
    }
  }
  return true;
}

/// Whether one of the operations updates a tensor that another operation between
/// `update` and it still reads.
static bool overtakesReads(const llvm::SmallSetVector<Operation *, 16> &moved,
                           Operation *update) {
  for (Operation *op : moved)
    for (OpResult result : op->getResults()) {
      if (!isa<RankedTensorType>(result.getType()))
        continue;
      Value target = updatedTensor(result);
      if (!target)
        continue;
      for (Operation *user : target.getUsers())
        if (user != op && user->getBlock() == op->getBlock() &&
            !moved.contains(user) && user->isBeforeInBlock(op) &&
            (user == update || update->isBeforeInBlock(user)))
          return true;
    }
  return false;
}

static void readBefore(Operation *update, Value target) {
  for (Operation *user : laterUses(target, update)) {
    if (!update->isBeforeInBlock(user))
      continue; // it moved with another one
    llvm::SmallSetVector<Operation *, 16> moved;
    if (!collect(user, update, moved) || overtakesReads(moved, update))
      continue;
    SmallVector<Operation *> order(moved.begin(), moved.end());
    llvm::sort(order, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    for (Operation *op : order)
      op->moveBefore(update);
  }
}

void cpu::readBeforeUpdates(func::FuncOp source) {
  for (Block &block : source.getBody())
    for (Operation &op : llvm::make_early_inc_range(block))
      for (OpResult result : op.getResults())
        if (isa<RankedTensorType>(result.getType()))
          if (Value target = updatedTensor(result))
            readBefore(&op, target);
}
