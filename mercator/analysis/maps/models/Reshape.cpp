// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reshape, dynamic_reshape, bitcast_convert.

#include "mercator/analysis/maps/models/ShapeOperands.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::RankedTensorType;

namespace {

MapSet staticReshapeMaps(const Query &q) {
  if (!q.isStatic)
    return q.dynamic();
  if (!productFits(q.in))
    return q.tooLarge();
  return reshape(q.arena, q.from(), q.to());
}

MapSet reshapeMaps(stablehlo::ReshapeOp, const Query &q) {
  return staticReshapeMaps(q);
}

/// A reshape whose outermost sizes alone are not known: the order of the
/// elements does not depend on them.
Map reshapeBelowOutermost(const Query &q) {
  Arena &arena = q.arena;
  Map map(arena);
  for (int64_t size : q.from())
    map.domain.addDim(arena, Interval::ofSize(size));
  Expr place = arena.constant(0);
  for (auto [i, size] : llvm::enumerate(q.from()))
    place = arena.add(i == 0 ? place : arena.scale(place, size), arena.dim(i));
  map.results.resize(q.to().size());
  for (size_t i = q.to().size(); i-- > 1;) {
    map.results[i] = arena.mod(place, q.to()[i]);
    place = arena.floorDiv(place, q.to()[i]);
  }
  map.results[0] = place;
  // The two sides may have different bounds. An element beyond either bound
  // does not exist.
  if (q.to()[0] != Interval::kMax)
    map.domain.addConstraint(place, Interval::ofSize(q.to()[0]));
  return map;
}

/// True if no size but the outermost is dynamic or 0.
bool isKnownBelowOutermost(RankedTensorType type) {
  return type.getRank() > 0 &&
         llvm::all_of(type.getShape().drop_front(),
                      [](int64_t size) { return size > 0; });
}

MapSet dynamicReshapeMaps(stablehlo::DynamicReshapeOp op, const Query &q) {
  if (q.operand == 1) // the shape
    return q.nothing();
  RankedTensorType in = tensorOf(op.getOperand()),
                   declared = tensorOf(op.getResult());
  auto out = knownResult(q, op.getOutputShape());
  if (in.hasStaticShape() && out && productFits(in.getShape()) &&
      productFits(out->getShape()) &&
      in.getNumElements() == out->getNumElements())
    return staticReshapeMaps(q.withResult(*out));
  auto sizesFit = [](Sizes sizes) {
    return productFits(sizes.drop_front()) &&
           (sizes[0] == Interval::kMax || productFits(sizes));
  };
  if (isKnownBelowOutermost(in) && isKnownBelowOutermost(declared) &&
      sizesFit(q.in) && sizesFit(q.out))
    return reshapeBelowOutermost(q);
  return q.everything("dynamic_reshape: the shape is known only when the "
                      "program runs");
}

/// A change of the element's width adds or removes a last dimension, which is
/// then read whole.
MapSet bitcastConvertMaps(stablehlo::BitcastConvertOp, const Query &q) {
  if (q.in.size() == q.out.size())
    return q.identity();
  SmallVector<int64_t> source;
  for (size_t i = 0; i < q.to().size(); ++i)
    source.push_back(i < q.from().size() ? (int64_t)i : -1);
  return selectDims(q.arena, q.from(), q.to(), source);
}

} // namespace

void maps::attachReshapeMaps(mlir::MLIRContext *context) {
  attach<stablehlo::ReshapeOp, reshapeMaps>(context);
  attach<stablehlo::DynamicReshapeOp, dynamicReshapeMaps>(context);
  attach<stablehlo::BitcastConvertOp, bitcastConvertMaps>(context);
}
