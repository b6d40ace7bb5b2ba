// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Pad, dynamic_pad. Element i of a dimension moves to low + i * step, where
// step = interior + 1. The elements that stay within the result are a slice of
// the operand:
//
//   low = -3, interior = 1    elements 0, 1 move to -3, -1; element 2 moves
//                             to 1: the slice begins at 2, its place at 1
//
// The slice becomes tensor.pad, or is inserted into a filled tensor if there
// is interior padding or the amounts are not known.

#include "mercator/transforms/stablehlo/lowering/Builders.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace mercator::stablehlo {

namespace {
struct Padding {
  Sizes low, high, interior;
};

/// What happens to one dimension.
struct Placement {
  /// The extent of the result.
  OpFoldResult extent;
  /// The slice of the operand that is not removed.
  OpFoldResult first, count;
  /// Where it begins in the result.
  OpFoldResult place;
  OpFoldResult step;
};
} // namespace

/// `known` is the extent that the result type has.
static Placement placementOf(ImplicitLocOpBuilder &b, OpFoldResult operand,
                             OpFoldResult low, OpFoldResult high,
                             OpFoldResult interior, int64_t known) {
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  Placement p;
  p.step = addSizes(b, interior, one);
  if (ShapedType::isStatic(known)) {
    p.extent = b.getIndexAttr(known);
  } else {
    OpFoldResult gaps =
        isConstantIntValue(interior, 0)
            ? zero
            : mulSizes(b, maxSizes(b, subSizes(b, operand, one), zero),
                       interior);
    p.extent = addSizes(b, addSizes(b, operand, gaps), addSizes(b, low, high));
  }
  std::optional<int64_t> before = getConstantIntValue(low),
                         after = getConstantIntValue(high);
  if (before && *before >= 0) {
    p.first = zero;
    // A negative `high` may cut it off.
    p.place = after && *after >= 0 ? low : minSizes(b, low, p.extent);
  } else {
    p.first = minSizes(
        b, operand,
        ceilDivSizes(b, maxSizes(b, subSizes(b, zero, low), zero), p.step));
    p.place =
        minSizes(b, p.extent, addSizes(b, low, mulSizes(b, p.first, p.step)));
    // All elements are removed by `low`.
    p.place = maxSizes(b, p.place, zero);
  }
  OpFoldResult end = operand;
  if (!after || *after < 0)
    end = minSizes(
        b, operand,
        ceilDivSizes(b, maxSizes(b, subSizes(b, p.extent, low), zero), p.step));
  p.count = isConstantIntValue(p.first, 0)
                ? end
                : maxSizes(b, subSizes(b, end, p.first), zero);
  // Nothing is left to place at the end of the result.
  auto place = getConstantIntValue(p.place),
       extent = getConstantIntValue(p.extent);
  if (place && extent && *place >= *extent)
    p.count = zero;
  return p;
}

/// tensor.pad with a value from outside. The amounts are known.
static FailureOr<Value> padAtEdges(Lowering &l, Value tensor, Value value,
                                   ArrayRef<Placement> placements,
                                   const Padding &padding) {
  ImplicitLocOpBuilder &b = l.b;
  auto type = cast<RankedTensorType>(tensor.getType());
  Sizes low, high, sizes;
  bool isPadded = false;
  for (auto [p, before, after] :
       llvm::zip(placements, padding.low, padding.high)) {
    bool isCut =
        *getConstantIntValue(before) < 0 || *getConstantIntValue(after) < 0;
    low.push_back(p.place);
    high.push_back(isCut ? subSizes(b, p.extent, addSizes(b, p.place, p.count))
                         : after);
    sizes.push_back(p.extent);
    isPadded |= !isConstantIntValue(low.back(), 0) ||
                !isConstantIntValue(high.back(), 0);
  }
  if (!isPadded)
    return tensor;
  if (anyNegative(high))
    return l.refuse("the padding does not give the extents of the result");
  return Value(tensor::PadOp::create(
      b, RankedTensorType::get(shapeOf(sizes), type.getElementType()), tensor,
      low, high, value));
}

static FailureOr<Value> pad(Lowering &l, Value operand, Value value,
                            const Padding &padding) {
  ImplicitLocOpBuilder &b = l.b;
  RankedTensorType type = l.type();
  if (failed(expectResultElement(l, operand)) ||
      failed(expectResultElement(l, value)))
    return failure();
  SmallVector<Placement> placements;
  Sizes firsts, counts, ones, sizes, places, steps;
  bool isAtEdges = true;
  for (auto [dim, extent] : llvm::enumerate(extentsOf(b, operand))) {
    Placement p = placementOf(b, extent, padding.low[dim], padding.high[dim],
                              padding.interior[dim], type.getDimSize(dim));
    // Sums of huge amounts wrap around.
    if (anyNegative({p.extent, p.first, p.count, p.place}) ||
        getConstantIntValue(p.step).value_or(1) < 1)
      return l.refuse("the padding of dimension " + Twine(dim) +
                      " is out of range");
    placements.push_back(p);
    firsts.push_back(p.first);
    counts.push_back(p.count);
    ones.push_back(b.getIndexAttr(1));
    sizes.push_back(p.extent);
    places.push_back(p.place);
    steps.push_back(p.step);
    isAtEdges &= isConstantIntValue(p.step, 1) &&
                 getConstantIntValue(padding.low[dim]) &&
                 getConstantIntValue(padding.high[dim]);
  }
  if (hasNoElements(shapeOf(sizes)))
    return empty(b, sizes, type.getElementType());
  if (hasNoElements(shapeOf(counts)))
    return filled(b, sizes, scalarOf(b, value));
  Value slice = sliceTensor(b, operand, firsts, counts, ones);
  if (isAtEdges)
    return padAtEdges(l, slice, scalarOf(b, value), placements, padding);
  return insertTensor(b, slice, filled(b, sizes, scalarOf(b, value)), places,
                      steps);
}

static FailureOr<Value> lowerPad(PadOp op, PadOp::Adaptor in, Lowering &l) {
  auto sizes = [&](ArrayRef<int64_t> numbers) {
    Sizes sizes;
    for (int64_t number : numbers)
      sizes.push_back(l.b.getIndexAttr(number));
    return sizes;
  };
  FailureOr<Value> padded =
      pad(l, in.getOperand(), in.getPaddingValue(),
          {sizes(op.getEdgePaddingLow()), sizes(op.getEdgePaddingHigh()),
           sizes(op.getInteriorPadding())});
  if (failed(padded))
    return failure();
  return castTo(l.b, *padded, l.type());
}

static FailureOr<Value> lowerDynamicPad(DynamicPadOp op,
                                        DynamicPadOp::Adaptor in, Lowering &l) {
  auto sizes = [&](Value old, Value vector) {
    return elementsOf(
        l.b, vector, l.type().getRank(),
        isUnsigned(cast<RankedTensorType>(old.getType()).getElementType()));
  };
  FailureOr<Value> padded =
      pad(l, in.getOperand(), in.getPaddingValue(),
          {sizes(op.getEdgePaddingLow(), in.getEdgePaddingLow()),
           sizes(op.getEdgePaddingHigh(), in.getEdgePaddingHigh()),
           sizes(op.getInteriorPadding(), in.getInteriorPadding())});
  if (failed(padded))
    return failure();
  return castTo(l.b, *padded, l.type());
}

void addPadRules(LoweringRules &rules) {
  rules.add<PadOp, lowerPad>();
  rules.add<DynamicPadOp, lowerDynamicPad>();
}

} // namespace mercator::stablehlo
