// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/operations/ScalarLoops.h"
#include "mercator/transforms/flow/operations/Candidates.h"
#include "mercator/transforms/flow/operations/TensorToFlow.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace mercator;

//===----------------------------------------------------------------------===//
// Updated tensors
//===----------------------------------------------------------------------===//

namespace {
/// Follows tensors back through insertions of elements, loops and conditionals,
/// to where they enter an operation.
class Origins {
public:
  explicit Origins(Operation *scope) : scope(scope) {}

  Value of(Value tensor) {
    if (!scope->isAncestor(tensor.getParentBlock()->getParentOp()))
      return tensor;
    auto [it, isNew] = known.try_emplace(tensor, tensor);
    if (!isNew)
      return it->second;
    Value from = compute(tensor);
    known[tensor] = from;
    return from;
  }

private:
  Value compute(Value tensor) {
    // A chain of insertions may be long.
    Value first = tensor;
    while (Operation *op = first.getDefiningOp()) {
      if (!scope->isProperAncestor(op))
        break;
      if (auto insert = dyn_cast<tensor::InsertOp>(op))
        first = insert.getDest();
      else if (isa<tensor::CastOp>(op))
        first = op->getOperand(0);
      else
        break;
    }
    if (first != tensor)
      return of(first);
    auto result = dyn_cast<OpResult>(tensor);
    if (!result)
      return tensor;
    unsigned number = result.getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(result.getOwner())) {
      Value next = of(loop.getYieldedValues()[number]);
      return next == loop.getRegionIterArg(number)
                 ? of(loop.getInitArgs()[number])
                 : tensor;
    }
    if (auto branch = dyn_cast<scf::IfOp>(result.getOwner())) {
      Value then = ofBoth(branch, number);
      return then ? of(then) : tensor;
    }
    if (auto loop = dyn_cast<scf::WhileOp>(result.getOwner())) {
      Value init = ofWhile(loop, number);
      return init ? of(init) : tensor;
    }
    return tensor;
  }

public:
  /// Where both branches of a conditional take a result from, or null.
  Value ofBoth(scf::IfOp branch, unsigned number) {
    Value then = of(branch.thenYield().getOperand(number));
    return then == of(branch.elseYield().getOperand(number)) ? then : Value();
  }

  /// The initial tensor that a loop updates to make a result, or null.
  Value ofWhile(scf::WhileOp loop, unsigned number) {
    scf::ConditionOp condition = loop.getConditionOp();
    auto before = [&](unsigned i) -> std::optional<unsigned> {
      auto argument = dyn_cast<BlockArgument>(of(condition.getArgs()[i]));
      if (!argument || argument.getOwner() != loop.getBeforeBody())
        return std::nullopt;
      return argument.getArgNumber();
    };
    std::optional<unsigned> init = before(number);
    if (!init)
      return {};
    auto next =
        dyn_cast<BlockArgument>(of(loop.getYieldOp().getOperand(*init)));
    if (!next || next.getOwner() != loop.getAfterBody() ||
        before(next.getArgNumber()) != init)
      return {};
    return loop.getInits()[*init];
  }

private:
  Operation *scope;
  DenseMap<Value, Value> known;
};
} // namespace

Value flow::updatedByLoop(OpResult result) {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  Origins origins(op);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return origins.of(loop.getYieldedValues()[number]) ==
                   loop.getRegionIterArg(number)
               ? loop.getInitArgs()[number]
               : Value();
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return origins.ofWhile(loop, number);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    if (branch.elseBlock())
      if (Value from = origins.ofBoth(branch, number);
          from && !op->isAncestor(from.getParentBlock()->getParentOp()))
        return from;
  return {};
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Whether a loop with `op` in its body can be a scalar loop.
static bool isScalar(Operation *op) {
  if (isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp, scf::YieldOp,
          scf::ConditionOp, tensor::ExtractOp, tensor::InsertOp, tensor::DimOp,
          tensor::EmptyOp, tensor::CastOp>(op))
    return true;
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return fill.hasPureTensorSemantics();
  auto isNumber = [](Type type) {
    return type.isIntOrIndexOrFloat() || isa<ComplexType>(type);
  };
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperandTypes(), isNumber) &&
         llvm::all_of(op->getResultTypes(), isNumber);
}

/// Whether the extents of a result are known before the loop runs.
static bool hasKnownExtents(OpResult result) {
  auto type = cast<RankedTensorType>(result.getType());
  return type.hasStaticShape() || flow::updatedByLoop(result);
}

bool flow::isScalarLoop(Operation *op) {
  auto isTensor = [](Type type) {
    return isa<RankedTensorType>(type) && canCross(type);
  };
  if (!isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op) ||
      op->getNumResults() == 0 ||
      !llvm::all_of(op->getResultTypes(), isTensor) ||
      !isOutsideOfDispatches(op))
    return false;
  bool writes = false;
  auto result = op->walk([&](Operation *inner) {
    writes |= isa<tensor::InsertOp>(inner);
    bool fits = inner == op || isScalar(inner);
    return fits && llvm::all_of(inner->getOperandTypes(), canCross)
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return writes && !result.wasInterrupted() &&
         llvm::all_of(op->getResults(), hasKnownExtents);
}
