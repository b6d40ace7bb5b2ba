// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// jnp.argmax returns the first of equal elements, and a NaN is greater than any
// number. GE's ArgMaxV2 defines neither. So this finds the greatest element,
// then its positions, then the least of these:
//
//   most = ReduceMax(x)
//   place = ReduceMin(Select(Equal(x, most), places, last))

#include "mercator/targets/ascend/rules/ArgReduction.h"

#include "mercator/dialects/ascend/Infer.h"
#include "mercator/dialects/stablehlo/ExtremeSearch.h"
#include "mercator/targets/ascend/operators/Build.h"
#include "mercator/targets/ascend/operators/DynamicShape.h"
#include "mercator/targets/ascend/operators/Elements.h"
#include "mercator/targets/ascend/operators/Reductions.h"

#include "mlir/IR/Matchers.h"

#include <limits>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

//===--- The places -------------------------------------------------------===//

static bool isConstant(Value value, int64_t number) {
  std::optional<Shape> ints = constantInts(value);
  return ints && !ints->empty() &&
         llvm::all_of(*ints, [&](int64_t it) { return it == number; });
}

/// Whether a column with one unknown extent holds 0, 1, .. below element `i` of
/// `shape`, as a dynamic_iota becomes: Range, Cast, Reshape.
static bool countsTo(Value column, Value shape, int64_t i) {
  while (Operation *op = column.getDefiningOp()) {
    if (!isa<CastOp, ReshapeOp>(op))
      break;
    column = op->getOperand(0);
  }
  auto range = column.getDefiningOp<RangeOp>();
  if (!range || !isConstant(range.getStart(), 0) ||
      !isConstant(range.getDelta(), 1))
    return false;
  Value limit = range.getLimit();
  while (Operation *op = limit.getDefiningOp()) {
    if (!isa<CastOp, ReshapeOp>(op))
      break;
    limit = op->getOperand(0);
  }
  auto slice = limit.getDefiningOp<SliceOp>();
  return slice && slice.getX() == shape && isConstant(slice.getOffsets(), i);
}

bool ascend::countsAlong(Value value, int64_t dim) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto cast = dyn_cast<CastOp>(op)) {
      value = cast.getX();
    } else if (auto to = dyn_cast<BroadcastToOp>(op)) {
      RankedTensorType from = typeOf(to.getX());
      int64_t added = typeOf(value).getRank() - from.getRank();
      if (dim < added ||
          from.getDimSize(dim - added) != typeOf(value).getDimSize(dim))
        return false;
      if (from.isDynamicDim(dim - added))
        return countsTo(to.getX(), to.getShape(), dim);
      dim -= added;
      value = to.getX();
    } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
      // All other dimensions have extent 1.
      int64_t extent = typeOf(value).getDimSize(dim);
      RankedTensorType from = typeOf(reshape.getX());
      const int64_t *place = llvm::find(from.getShape(), extent);
      if (!typeOf(value).hasStaticShape() ||
          typeOf(value).getNumElements() != extent ||
          place == from.getShape().end())
        return false;
      dim = place - from.getShape().begin();
      value = reshape.getX();
    } else {
      auto range = dyn_cast<RangeOp>(op);
      return range && isConstant(range.getStart(), 0) &&
             isConstant(range.getDelta(), 1);
    }
  }
  return false;
}

//===--- The operators ----------------------------------------------------===//

FailureOr<Value> ascend::convertArgReduction(Conversion &c,
                                             stablehlo::ReduceOp op) {
  std::optional<stablehlo::Extreme> extreme = stablehlo::searchedExtreme(op);
  if (!extreme)
    return failure();
  bool isGreatest = *extreme == stablehlo::Extreme::Greatest;
  Reduction by = isGreatest ? Reduction::Greatest : Reduction::Least;
  Value x = op.getInputs()[0], places = op.getInputs()[1];
  auto type = cast<RankedTensorType>(op.getResult(0).getType()),
       placeType = cast<RankedTensorType>(op.getResult(1).getType());
  Type element = type.getElementType();
  if (typeOf(x).getElementType() != element ||
      typeOf(places).getElementType() != placeType.getElementType())
    return failure();
  RankedTensorType all = typeOf(x);
  if (llvm::is_contained(all.getShape(), 0)) {
    c.others = {broadcastTo(c.b, op.getInitValues()[1], placeType.getShape())};
    return broadcastTo(c.b, op.getInitValues()[0], type.getShape());
  }
  if (op.getDimensions().size() != 1 ||
      !countsAlong(places, op.getDimensions()[0]))
    return c.no("it finds an index, and the indices are not counted along one "
                "dimension");
  int64_t dim = op.getDimensions()[0];
  if (element.isInteger(1))
    by = isGreatest ? Reduction::Any : Reduction::All;
  if (!isIdentity(op.getInitValues()[0], by, element) ||
      !isConstant(op.getInitValues()[1], 0))
    return c.no(
        "it finds an index, and an initial value is not the identity element");

  Elements e(c.b);
  DynamicShape shape = dynamicShapeOf(x), kept = shape;
  kept[dim] = DynamicExtent::of(1);
  auto everywhere = [&](Value value) {
    return broadcastTo(c.b, reshape(c.b, value, kept), shape);
  };
  Value most = reduce(c.b, by, x, {dim}, type);
  Value isThere = e.isEqual(x, everywhere(most));
  if (isa<FloatType>(element)) {
    // With NaNs, the first of them.
    auto booleans = all.clone(c.b.getI1Type());
    Value isNaN = NotEqualOp::create(c.b, booleans, x, x);
    Value hasNaN =
        reduce(c.b, Reduction::Any, isNaN, {dim}, type.clone(c.b.getI1Type()));
    most = e.choose(
        hasNaN, e.real(most, std::numeric_limits<double>::quiet_NaN()), most);
    isThere = e.choose(everywhere(hasNaN), isNaN, isThere);
  }
  Value last;
  if (shape[dim].isKnown())
    last = e.integer(places, shape[dim].known - 1);
  else
    last = e.subtract(extentScalar(c.b, shape[dim], elementOf(places)),
                      e.integer(places, 1));
  c.others = {reduce(c.b, Reduction::Least, e.choose(isThere, places, last),
                     {dim}, placeType)};
  return most;
}
