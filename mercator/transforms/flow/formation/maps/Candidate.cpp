// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/maps/Candidate.h"

#include "mercator/dialects/flow/Flow.h"
#include "mercator/transforms/flow/extents/Extents.h"
#include "mercator/transforms/flow/formation/Cloneable.h"
#include "mercator/transforms/flow/formation/maps/Arrange.h"
#include "mercator/transforms/flow/operations/Candidates.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

namespace {
class CandidateBuilder {
public:
  explicit CandidateBuilder(ArrayRef<Operation *> members)
      : members(members), isMember(members.begin(), members.end()),
        block(members.front()->getBlock()), loc(members.front()->getLoc()),
        builder(members.front()->getContext()) {
    for (Operation *member : members)
      member->walk(
          [&](tensor::InsertSliceOp op) { updated.insert(op.getDest()); });
  }

  OwningOpRef<ModuleOp> make();

private:
  bool bring(Value value, unsigned depth);
  bool clone(Operation *op, unsigned depth);
  bool isBetween(Operation *op) const;
  bool addParameter(Value value);
  bool store(Value result);
  bool isUsedOutside(Value value) const;
  static BlockArgument updatedBy(Value value);

  ArrayRef<Operation *> members;
  DenseSet<Operation *> isMember;
  Block *block;
  Location loc;
  OpBuilder builder;
  Block *body = nullptr;
  Operation *lastLoad = nullptr; ///< loads come before everything else
  IRMapping inside;
  DenseSet<Value> tied;
  DenseSet<Value> updated; ///< by slices: those are never cloned
};
} // namespace

/// Whether the operation is a view of what a member makes.
bool CandidateBuilder::isBetween(Operation *op) const {
  while (op && op->getBlock() == block && isView(op) && !isMember.contains(op))
    op = op->getOperand(0).getDefiningOp();
  return isMember.contains(op);
}

bool CandidateBuilder::addParameter(Value value) {
  Type type = value.getType();
  if (!canCross(type))
    return false;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (isa<TensorType>(type) && !(tensor && tensor.hasStaticShape()))
    return false;
  if (!tensor) {
    inside.map(value, body->addArgument(type, loc));
    return true;
  }
  BlockArgument argument = body->addArgument(
      DispatchTensorType::get(TensorAccess::ReadOnly, type), loc);
  OpBuilder::InsertionGuard guard(builder);
  if (lastLoad)
    builder.setInsertionPointAfter(lastLoad);
  else
    builder.setInsertionPointToStart(body);
  auto load = DispatchTensorLoadOp::create(builder, loc, tensor, argument,
                                           ValueRange());
  lastLoad = load;
  inside.map(value, load.getResult());
  return true;
}

/// Makes the value known inside: as a clone, or as a parameter.
bool CandidateBuilder::bring(Value value, unsigned depth) {
  constexpr unsigned kMostDepth = 16;
  if (inside.contains(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (depth < kMostDepth && op && !isMember.contains(op) &&
      (isBetween(op) || (isCloneable(op) && !updated.contains(value))))
    return clone(op, depth + 1);
  return !isMember.contains(op) && addParameter(value);
}

bool CandidateBuilder::clone(Operation *op, unsigned depth) {
  SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value value : used)
    if (!bring(value, depth))
      return false;
  builder.clone(*op, inside);
  return true;
}

/// The parameter whose tensor the value updates, or null.
BlockArgument CandidateBuilder::updatedBy(Value value) {
  Type type = value.getType();
  while (value && value.getType() == type) {
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return {};
    if (auto load = dyn_cast<DispatchTensorLoadOp>(result.getOwner()))
      return dyn_cast<BlockArgument>(load->getOperand(0));
    auto style = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
    value = style ? style.getTiedOpOperand(result)->get() : Value();
  }
  return {};
}

bool CandidateBuilder::store(Value result) {
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || !type.hasStaticShape() || !canCross(type))
    return false;
  Value made = inside.lookup(result);
  BlockArgument target = updatedBy(made);
  if (target && tied.insert(target).second)
    target.setType(DispatchTensorType::get(TensorAccess::ReadWrite, type));
  else
    target = body->addArgument(
        DispatchTensorType::get(TensorAccess::WriteOnly, type), loc);
  DispatchTensorStoreOp::create(builder, loc, made, target, ValueRange());
  return true;
}

bool CandidateBuilder::isUsedOutside(Value value) const {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isResolvableDim(user))
      return false;
    if (user->getBlock() == block && isView(user) &&
        use.getOperandNumber() == 0 && !isMember.contains(user))
      return isUsedOutside(user->getResult(0));
    return !isMember.contains(block->findAncestorOpInBlock(*user));
  });
}

OwningOpRef<ModuleOp> CandidateBuilder::make() {
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, loc);
  auto function = func::FuncOp::create(
      loc, "dispatch", FunctionType::get(builder.getContext(), {}, {}));
  module->push_back(function);
  body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  builder.setInsertionPoint(func::ReturnOp::create(builder, loc));
  for (Operation *member : members)
    if (!clone(member, 0))
      return {};
  for (Operation *member : llvm::reverse(members))
    for (Value result : member->getResults())
      if (isUsedOutside(result) && !store(result))
        return {};
  function.setType(
      FunctionType::get(builder.getContext(), body->getArgumentTypes(), {}));
  return module;
}

OwningOpRef<ModuleOp> flow::makeCandidate(ArrayRef<Operation *> members) {
  return CandidateBuilder(members).make();
}
