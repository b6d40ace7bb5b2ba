// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/util/ConstantExpressions.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::util;

/// Whether the operation is speculatable and gives the same results for the
/// same operands everywhere.
static bool isEligible(Operation *op) {
  if (op->getNumResults() == 0)
    return false;
  // Unregistered operations are used in tests for arbitrary operations.
  if (!op->isRegistered())
    return op->getName().getStringRef() == "iree_unregistered.const_expr" ||
           op->getName().getStringRef() ==
               "iree_unregistered.non_leaf_const_expr";
  // Queries of a dispatch depend on where they run.
  StringRef name = op->getName().getStringRef();
  return !name.starts_with("flow.dispatch") && isPure(op);
}

/// Calls `fn` with `op` and all enclosing operations for which `value` is
/// defined outside.
static void forEachTaker(Operation *op, Value value,
                         function_ref<void(Operation *)> fn) {
  Region *home = value.getParentRegion();
  for (; op; op = op->getParentOp()) {
    fn(op);
    if (op->getParentRegion() == home)
      return;
  }
}

ConstantExpressions::ConstantExpressions(ModuleOp module) {
  GlobalTable table(module);
  for (auto function : module.getOps<FunctionOpInterface>())
    if (table.getTime(function) == kLater && !isa<InitializerOp>(*function))
      for (Region &region : function->getRegions())
        for (Operation &op : region.getOps())
          visit(&op, table);
  propagate();
  for (Operation *op : constant)
    if (findAround(op) == op)
      order.push_back(op);
  // An operation inside another one is treated with it.
  constant = llvm::SetVector<Operation *>(order.begin(), order.end());
  for (auto [i, op] : llvm::enumerate(order))
    places[op] = i;
}

void ConstantExpressions::visit(Operation *top, const GlobalTable &table) {
  top->walk<WalkOrder::PreOrder>([&](Operation *op) {
    positions[op] = positions.size();
    if (auto load = dyn_cast<GlobalLoadOp>(op)) {
      auto it = table.globals.find(load.getGlobalAttr().getAttr());
      if (it != table.globals.end() && !it->second.op.getIsMutable() &&
          !it->second.escapes)
        roots.insert(op);
      return WalkResult::advance();
    }
    bool isAtomic = isa<linalg::LinalgOp>(op) ||
                    op->hasTrait<OpTrait::SymbolTable>() ||
                    op->hasTrait<OpTrait::IsIsolatedFromAbove>() ||
                    op->getName().getStringRef().starts_with("flow.dispatch");
    if (op->hasTrait<OpTrait::ConstantLike>())
      roots.insert(op);
    else if (isEligible(op))
      pending.try_emplace(op, 0);
    if (!isAtomic) {
      countOperands(op);
      return WalkResult::advance();
    }
    op->walk([this](Operation *inside) { countOperands(inside); });
    return WalkResult::skip();
  });
}

void ConstantExpressions::countOperands(Operation *op) {
  for (Value operand : op->getOperands())
    forEachTaker(op, operand, [this](Operation *taker) {
      if (auto it = pending.find(taker); it != pending.end())
        ++it->second;
    });
}

void ConstantExpressions::propagate() {
  SmallVector<Operation *> worklist(roots.getArrayRef());
  // An operation without operands may depend on its place. This one does not.
  for (auto [op, count] : pending)
    if (count == 0 && isa<tensor::EmptyOp>(op))
      worklist.push_back(op);
  llvm::sort(worklist, [this](Operation *a, Operation *b) {
    return getPosition(a) < getPosition(b);
  });
  for (size_t i = 0; i < worklist.size(); ++i) {
    Operation *op = worklist[i];
    constant.insert(op);
    for (OpOperand &use : op->getUses())
      forEachTaker(use.getOwner(), use.get(), [&](Operation *taker) {
        auto it = pending.find(taker);
        if (it != pending.end() && --it->second == 0)
          worklist.push_back(taker);
      });
  }
}

Operation *ConstantExpressions::findAround(Operation *op) const {
  Operation *outermost = nullptr;
  for (; op && !isa<FunctionOpInterface>(op); op = op->getParentOp())
    if (constant.contains(op))
      outermost = op;
  return outermost;
}
