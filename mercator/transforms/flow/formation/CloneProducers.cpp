// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/RegionToWorkgroups.h"

#include "mercator/transforms/flow/operations/Candidates.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mercator;

namespace {
/// The operations to clone into a region, each after the operations it uses.
class Producers {
public:
  Producers(flow::DispatchRegionOp region, int64_t maxConstantBytes)
      : maxConstantBytes(maxConstantBytes) {
    region.getBody().walk(
        [&](tensor::InsertSliceOp op) { updated.insert(op.getDest()); });
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(region.getBody(), used);
    for (Value value : llvm::reverse(used))
      visit(value);
  }

  llvm::ArrayRef<Operation *> get() const { return producers; }

private:
  /// The values from outside that `op` uses.
  static llvm::SetVector<Value> getUsed(Operation *op) {
    llvm::SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    return used;
  }

  /// Whether the producer of `value` is cloned into the region. If a clone
  /// needs a value that cannot be an operand of a dispatch, that value's
  /// producer must be cloned too; `depth` bounds the length of such chains.
  bool isProducer(Value value, unsigned depth = 16) {
    Operation *op = value.getDefiningOp();
    return op && depth > 0 && !updated.contains(value) &&
           flow::isCloneable(op, maxConstantBytes) &&
           llvm::all_of(op->getOperands(), [&](Value operand) {
             return flow::canCross(operand.getType()) ||
                    isProducer(operand, depth - 1);
           });
  }

  /// Adds the cloneable producers of `value`, each after those it uses. Without
  /// recursion, because a chain may be long.
  void visit(Value root);

  int64_t maxConstantBytes;
  llvm::DenseSet<Value> updated;
  llvm::DenseSet<Operation *> seen;
  llvm::SmallVector<Operation *> producers;
};
} // namespace

void Producers::visit(Value root) {
  struct Frame {
    Operation *op;
    llvm::SmallVector<Value> used;
  };
  llvm::SmallVector<Frame> stack;
  auto push = [&](Value value) {
    if (isProducer(value) && seen.insert(value.getDefiningOp()).second)
      stack.push_back(
          {value.getDefiningOp(), getUsed(value.getDefiningOp()).takeVector()});
  };
  push(root);
  while (!stack.empty()) {
    if (stack.back().used.empty()) {
      producers.push_back(stack.pop_back_val().op);
      continue;
    }
    push(stack.back().used.pop_back_val());
  }
}

void flow::cloneProducers(DispatchRegionOp region, int64_t maxConstantBytes) {
  Producers producers(region, maxConstantBytes);
  if (producers.get().empty())
    return;
  Block &body = region.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  IRMapping clones;
  for (Operation *op : producers.get())
    builder.clone(*op, clones);
  region.getBody().walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (Value clone = clones.lookupOrNull(operand.get()))
        operand.set(clone);
  });
}
