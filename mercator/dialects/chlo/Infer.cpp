// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result types that follow from operands and attributes.

#include "mercator/dialects/stablehlo/Infer.h"
#include "mercator/dialects/chlo/Chlo.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mercator::chlo;
using mercator::stablehlo::elementOf;
using mercator::stablehlo::Extent;
using mercator::stablehlo::Extents;
using mercator::stablehlo::extentsOf;
using mercator::stablehlo::inferred;
using mercator::stablehlo::meetAll;
using mercator::stablehlo::tensorOf;
using mercator::stablehlo::Types;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A tensor with this element type and the shape of the operands.
static LogicalResult inferShape(ValueRange operands, Type element,
                                Types &types) {
  FailureOr<Extents> extents = meetAll(operands);
  return failed(extents) ? failure()
                         : inferred(types, tensorOf(*extents, element));
}

/// The result has the type of the operands. Operations with another result type
/// follow below.
template <typename Adaptor>
static LogicalResult infer(Adaptor op, Types &types) {
  return inferShape(op.getOperands(), elementOf(op.getOperands()[0]), types);
}

static Type predicate(Value operand) {
  return IntegerType::get(operand.getContext(), 1);
}
static LogicalResult infer(IsInfOp::Adaptor op, Types &types) {
  return inferShape(op.getOperand(), predicate(op.getOperand()), types);
}
static LogicalResult infer(IsNegInfOp::Adaptor op, Types &types) {
  return inferShape(op.getOperand(), predicate(op.getOperand()), types);
}
static LogicalResult infer(IsPosInfOp::Adaptor op, Types &types) {
  return inferShape(op.getOperand(), predicate(op.getOperand()), types);
}

//===----------------------------------------------------------------------===//
// Broadcasts
//===----------------------------------------------------------------------===//

std::optional<Extent> mercator::chlo::broadcastExtent(Extent a, Extent b) {
  if (a.size == 1 || b.size == 1)
    return a.size == 1 ? b : a;
  if (a.isKnown() && b.isKnown() && a.size != b.size)
    return std::nullopt;
  // The result is the known extent: the other one equals it or is 1.
  if (a.isKnown() || b.isKnown())
    return a.isKnown() ? a : b;
  return join(a, b);
}

static FailureOr<Extents>
broadcastExtents(ValueRange operands, std::optional<ArrayRef<int64_t>> given) {
  size_t rank = 0;
  for (Value operand : operands)
    rank = std::max(rank, extentsOf(operand).size());
  Extents all(rank, Extent::of(1));
  for (Value operand : operands) {
    Extents extents = extentsOf(operand);
    SmallVector<int64_t> dims = broadcastDims(extents.size(), rank, given);
    if (dims.size() != extents.size())
      return failure();
    for (auto [extent, dim] : llvm::zip(extents, dims)) {
      if (dim < 0 || dim >= int64_t(rank))
        return failure();
      std::optional<Extent> both = broadcastExtent(all[dim], extent);
      if (!both)
        return failure();
      all[dim] = *both;
    }
  }
  return all;
}

static LogicalResult inferBroadcast(ValueRange operands,
                                    std::optional<ArrayRef<int64_t>> given,
                                    Type element, Types &types) {
  FailureOr<Extents> extents = broadcastExtents(operands, given);
  return failed(extents) ? failure()
                         : inferred(types, tensorOf(*extents, element));
}

static LogicalResult infer(BroadcastCompareOp::Adaptor op, Types &types) {
  return inferBroadcast(op.getOperands(), op.getBroadcastDimensions(),
                        predicate(op.getLhs()), types);
}
static LogicalResult infer(BroadcastComplexOp::Adaptor op, Types &types) {
  auto part = dyn_cast<FloatType>(elementOf(op.getLhs()));
  if (!part || !(part.isF32() || part.isF64()) ||
      elementOf(op.getRhs()) != part)
    return failure();
  return inferBroadcast(op.getOperands(), op.getBroadcastDimensions(),
                        ComplexType::get(part), types);
}
static LogicalResult infer(BroadcastSelectOp::Adaptor op, Types &types) {
  if (elementOf(op.getOnTrue()) != elementOf(op.getOnFalse()))
    return failure();
  return inferBroadcast(op.getOperands(), std::nullopt,
                        elementOf(op.getOnTrue()), types);
}

//===----------------------------------------------------------------------===//
// Constants, sorting
//===----------------------------------------------------------------------===//

static LogicalResult infer(ConstantOp::Adaptor op, Types &types) {
  return inferred(types, op.getValue().getType());
}
static LogicalResult infer(ConstantLikeOp::Adaptor op, Types &types) {
  return inferShape(op.getOperand(), op.getValue().getType(), types);
}

static LogicalResult infer(TopKOp::Adaptor op, Types &types) {
  Extents extents = extentsOf(op.getOperand());
  int64_t k = op.getK();
  if (k < 0 || extents.empty() ||
      (extents.back().limit() != Extent::kUnknown &&
       k > extents.back().limit()))
    return failure();
  extents.back() = Extent::of(k);
  types.push_back(tensorOf(extents, elementOf(op.getOperand())));
  return inferred(
      types,
      tensorOf(extents, IntegerType::get(op.getOperand().getContext(), 32)));
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

#define MERCATOR_INFERRED_BROADCAST(OP)                                        \
  static LogicalResult infer(OP::Adaptor op, Types &types) {                   \
    return inferBroadcast(op.getOperands(), op.getBroadcastDimensions(),       \
                          elementOf(op.getLhs()), types);                      \
  }                                                                            \
  MERCATOR_INFERRED(OP)

MERCATOR_INFERRED_BROADCAST(BroadcastAddOp)
MERCATOR_INFERRED_BROADCAST(BroadcastAndOp)
MERCATOR_INFERRED_BROADCAST(BroadcastAtan2Op)
MERCATOR_INFERRED_BROADCAST(BroadcastDivOp)
MERCATOR_INFERRED_BROADCAST(BroadcastMaxOp)
MERCATOR_INFERRED_BROADCAST(BroadcastMinOp)
MERCATOR_INFERRED_BROADCAST(BroadcastMulOp)
MERCATOR_INFERRED_BROADCAST(BroadcastNextAfterOp)
MERCATOR_INFERRED_BROADCAST(BroadcastOrOp)
MERCATOR_INFERRED_BROADCAST(BroadcastPolygammaOp)
MERCATOR_INFERRED_BROADCAST(BroadcastPowOp)
MERCATOR_INFERRED_BROADCAST(BroadcastRemOp)
MERCATOR_INFERRED_BROADCAST(BroadcastShiftLeftOp)
MERCATOR_INFERRED_BROADCAST(BroadcastShiftRightArithmeticOp)
MERCATOR_INFERRED_BROADCAST(BroadcastShiftRightLogicalOp)
MERCATOR_INFERRED_BROADCAST(BroadcastSubOp)
MERCATOR_INFERRED_BROADCAST(BroadcastXorOp)
MERCATOR_INFERRED_BROADCAST(BroadcastZetaOp)
MERCATOR_INFERRED(BroadcastCompareOp)
MERCATOR_INFERRED(BroadcastComplexOp)
MERCATOR_INFERRED(BroadcastSelectOp)

MERCATOR_INFERRED(AcosOp)
MERCATOR_INFERRED(AcoshOp)
MERCATOR_INFERRED(AsinOp)
MERCATOR_INFERRED(AsinhOp)
MERCATOR_INFERRED(AtanOp)
MERCATOR_INFERRED(AtanhOp)
MERCATOR_INFERRED(BesselI1eOp)
MERCATOR_INFERRED(ConjOp)
MERCATOR_INFERRED(CoshOp)
MERCATOR_INFERRED(DigammaOp)
MERCATOR_INFERRED(ErfOp)
MERCATOR_INFERRED(ErfInvOp)
MERCATOR_INFERRED(ErfcOp)
MERCATOR_INFERRED(LgammaOp)
MERCATOR_INFERRED(SinhOp)
MERCATOR_INFERRED(SquareOp)
MERCATOR_INFERRED(TanOp)
MERCATOR_INFERRED(AsinAcosKernelOp)
MERCATOR_INFERRED(IsInfOp)
MERCATOR_INFERRED(IsNegInfOp)
MERCATOR_INFERRED(IsPosInfOp)
MERCATOR_INFERRED(NextAfterOp)
MERCATOR_INFERRED(PolygammaOp)
MERCATOR_INFERRED(ZetaOp)
MERCATOR_INFERRED(MulhiOp)
MERCATOR_INFERRED(ConstantOp)
MERCATOR_INFERRED(ConstantLikeOp)
MERCATOR_INFERRED(TopKOp)
