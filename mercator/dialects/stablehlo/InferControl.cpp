// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result types of control, tuples, tokens, randomness and collectives.

#include "mercator/dialects/stablehlo/Infer.h"
#include "mercator/dialects/stablehlo/Verify.h"

using namespace mlir;
using namespace mercator::stablehlo;

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

/// The values returned at the end of a region. Fails without a terminator.
static FailureOr<OperandRange> returnedFrom(Region &region) {
  if (region.empty() || region.front().empty() ||
      !isa<ReturnOp>(region.front().back()))
    return failure();
  return region.front().back().getOperands();
}

/// The type of a value that has the one type or the other.
static FailureOr<Type> either(Type a, Type b) {
  auto left = dyn_cast<RankedTensorType>(a),
       right = dyn_cast<RankedTensorType>(b);
  if (a == b)
    return a;
  if (!left || !right)
    return failure();
  Extents all = extentsOf(left), more = extentsOf(right);
  if (left.getElementType() != right.getElementType() ||
      all.size() != more.size())
    return failure();
  for (auto [known, other] : llvm::zip(all, more))
    known = join(known, other);
  return Type(tensorOf(all, left.getElementType()));
}

static LogicalResult inferBranches(Types &types, ArrayRef<Region *> branches) {
  if (branches.empty())
    return failure();
  for (Region *branch : branches) {
    FailureOr<OperandRange> returned = returnedFrom(*branch);
    if (failed(returned))
      return failure();
    if (branch == branches.front()) {
      llvm::append_range(types, returned->getTypes());
      continue;
    }
    if (returned->size() != types.size())
      return failure();
    for (auto [type, other] : llvm::zip(types, returned->getTypes())) {
      FailureOr<Type> joined = either(type, other);
      if (failed(joined))
        return failure();
      type = *joined;
    }
  }
  return success();
}

static LogicalResult infer(IfOp::Adaptor op, Types &types) {
  return inferBranches(types, {&op.getTrueBranch(), &op.getFalseBranch()});
}
static LogicalResult infer(CaseOp::Adaptor op, Types &types) {
  SmallVector<Region *> branches(op.getBranches().begin(),
                                 op.getBranches().end());
  return inferBranches(types, branches);
}

static LogicalResult inferSame(Types &types, ValueRange operands) {
  llvm::append_range(types, operands.getTypes());
  return success();
}
static LogicalResult infer(WhileOp::Adaptor op, Types &types) {
  return inferSame(types, op.getOperand());
}
static LogicalResult infer(OptimizationBarrierOp::Adaptor op, Types &types) {
  return inferSame(types, op.getOperand());
}

//===----------------------------------------------------------------------===//
// Tuples, tokens, futures
//===----------------------------------------------------------------------===//

static LogicalResult infer(GetTupleElementOp::Adaptor op, Types &types) {
  auto tuple = dyn_cast<TupleType>(op.getOperand().getType());
  int64_t index = int32_t(op.getIndex());
  if (!tuple || index < 0 || index >= int64_t(tuple.size()))
    return failure();
  return inferred(types, tuple.getType(index));
}

static LogicalResult infer(AsyncStartOp::Adaptor op, Types &types) {
  FailureOr<OperandRange> returned = returnedFrom(op.getBody());
  if (failed(returned))
    return failure();
  SmallVector<Type> later(returned->getTypes());
  if (later.empty() || !llvm::all_of(later, llvm::IsaPred<RankedTensorType>))
    return failure();
  return inferred(types, FutureType::get(later[0].getContext(), later));
}
static LogicalResult infer(AsyncDoneOp::Adaptor op, Types &types) {
  auto future = dyn_cast<FutureType>(op.getOperand().getType());
  if (!future)
    return failure();
  llvm::append_range(types, future.getTypes());
  return success();
}

//===----------------------------------------------------------------------===//
// Randomness
//===----------------------------------------------------------------------===//

static LogicalResult infer(RngOp::Adaptor op, Types &types) {
  auto shapeType = cast<RankedTensorType>(op.getShape().getType());
  if (shapeType.getRank() != 1 || !shapeType.hasStaticShape())
    return failure();
  Extents extents(shapeType.getDimSize(0));
  if (std::optional<SmallVector<int64_t>> sizes =
          constantIntegers(op.getShape())) {
    for (auto [extent, size] : llvm::zip(extents, *sizes)) {
      if (size < 0)
        return failure();
      extent = Extent::of(size);
    }
  }
  return inferred(types, tensorOf(extents, elementOf(op.getA())));
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

static LogicalResult inferLike(Types &types, ValueRange operands) {
  for (Value operand : operands)
    types.push_back(tensorOf(extentsOf(operand), elementOf(operand)));
  return success();
}
static LogicalResult infer(CollectivePermuteOp::Adaptor op, Types &types) {
  return inferLike(types, op.getOperand());
}
static LogicalResult infer(CrossReplicaSumOp::Adaptor op, Types &types) {
  return inferLike(types, op.getOperand());
}

/// The operands without the one that holds the root.
static FailureOr<ValueRange> withoutRoot(ValueRange operands, bool hasRoot) {
  if (operands.size() < (hasRoot ? 2u : 1u))
    return failure();
  return hasRoot ? operands.drop_back() : operands;
}
static LogicalResult infer(CollectiveBroadcastOp::Adaptor op, Types &types) {
  FailureOr<ValueRange> operands =
      withoutRoot(op.getOperands(), op.getHasDynamicRoot());
  return failed(operands) ? failure() : inferLike(types, *operands);
}

static LogicalResult inferCombined(Types &types, ValueRange operands,
                                   Region &computation) {
  for (Value operand : operands)
    types.push_back(
        tensorOf(extentsOf(operand),
                 returnedElement(computation, 0, elementOf(operand))));
  return success();
}
static LogicalResult infer(AllReduceOp::Adaptor op, Types &types) {
  return inferCombined(types, op.getOperands(), op.getComputation());
}
static LogicalResult infer(CollectiveReduceOp::Adaptor op, Types &types) {
  FailureOr<ValueRange> operands =
      withoutRoot(op.getOperands(), op.getHasDynamicRoot());
  return failed(operands)
             ? failure()
             : inferCombined(types, *operands, op.getComputation());
}

static LogicalResult infer(AllToAllOp::Adaptor op, Types &types) {
  int64_t split = op.getSplitDimension(), concat = op.getConcatDimension(),
          count = op.getSplitCount();
  if (count < 1)
    return failure();
  for (Value operand : op.getOperands()) {
    Extents extents = extentsOf(operand);
    for (int64_t dim : {split, concat})
      if (dim < 0 || dim >= int64_t(extents.size()))
        return failure();
    bool fits = true;
    if (split != concat) {
      extents[split] =
          map(extents[split], [&](int64_t n) { return n / count; });
      extents[concat] = map(extents[concat], [&](int64_t n) {
        fits &= !llvm::MulOverflow(n, count, n);
        return n;
      });
    }
    if (!fits)
      return failure();
    types.push_back(tensorOf(extents, elementOf(operand)));
  }
  return success();
}

MERCATOR_INFERRED(IfOp)
MERCATOR_INFERRED(CaseOp)
MERCATOR_INFERRED(WhileOp)
MERCATOR_INFERRED(OptimizationBarrierOp)
MERCATOR_INFERRED(GetTupleElementOp)
MERCATOR_INFERRED(AsyncStartOp)
MERCATOR_INFERRED(AsyncDoneOp)
MERCATOR_INFERRED(RngOp)
MERCATOR_INFERRED(CollectivePermuteOp)
MERCATOR_INFERRED(CrossReplicaSumOp)
MERCATOR_INFERRED(CollectiveBroadcastOp)
MERCATOR_INFERRED(AllReduceOp)
MERCATOR_INFERRED(CollectiveReduceOp)
MERCATOR_INFERRED(AllToAllOp)

// The type of a token needs no operands.
MERCATOR_NOT_REFINED(CreateTokenOp)
MERCATOR_NOT_REFINED(AfterAllOp)
MERCATOR_NOT_REFINED(OutfeedOp)
MERCATOR_NOT_REFINED(SendOp)

// These types need the context: there may be no operand.

#define MERCATOR_INFERRED_FROM_CONTEXT(OP, TYPE)                               \
  LogicalResult OP::inferReturnTypes(                                          \
      MLIRContext *context, std::optional<Location>, ValueRange operands,      \
      DictionaryAttr, OpaqueProperties, RegionRange,                           \
      SmallVectorImpl<Type> &types) {                                          \
    return inferred(types, TYPE);                                              \
  }                                                                            \
  MERCATOR_NOT_REFINED(OP)

static Type deviceNumber(MLIRContext *context) {
  return RankedTensorType::get(
      {}, IntegerType::get(context, 32, IntegerType::Unsigned));
}

MERCATOR_INFERRED_FROM_CONTEXT(PartitionIdOp, deviceNumber(context))
MERCATOR_INFERRED_FROM_CONTEXT(ReplicaIdOp, deviceNumber(context))
MERCATOR_INFERRED_FROM_CONTEXT(TupleOp,
                               TupleType::get(context, operands.getTypes()))
