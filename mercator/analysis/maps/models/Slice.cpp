// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// slice, dynamic_slice, real_dynamic_slice, dynamic_update_slice.

#include "mercator/analysis/maps/models/ShapeOperands.h"
#include "mercator/analysis/values/KnownValues.h"
#include "mercator/dialects/stablehlo/ResultExtents.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;
using mlir::Value;

namespace {

MapSet sliceMaps(stablehlo::SliceOp op, const Query &q) {
  return slice(q.arena, q.direction, q.in, op.getStartIndices(),
               op.getLimitIndices(), op.getStrides());
}

//===--- Sizes that are attributes, starts that are operands ---------------===//

SmallVector<IndexValue> startsFrom(Arena &arena, mlir::OperandRange indices) {
  SmallVector<IndexValue> starts;
  Domain nothing; // a scalar stands at no index
  for (Value index : indices)
    starts.push_back(indexValue(arena, nothing, index, {}));
  return starts;
}

MapSet dynamicSliceMaps(stablehlo::DynamicSliceOp op, const Query &q) {
  if (q.operand > 0)
    return q.everything(); // each start is read for every element
  if (!q.isStatic)
    return q.dynamic();
  if (!fitsInto(q.out, q.in))
    return q.everything("dynamic_slice: the slice is larger than the operand");
  return dynamicSlice(q.arena, q.direction, q.in, q.out,
                      startsFrom(q.arena, op.getStartIndices()));
}

MapSet dynamicUpdateSliceMaps(stablehlo::DynamicUpdateSliceOp op,
                              const Query &q) {
  if (q.operand > 1)
    return q.everything();
  SmallVector<int64_t> update = sizesOf(op.getUpdate().getType());
  if (!q.isStatic || !tensorOf(op.getUpdate()).hasStaticShape())
    return q.operand == 0
               ? MapSet::approximate(
                     q.identity(), "a size is known only when the program runs")
               : q.dynamic();
  if (!fitsInto(update, q.out))
    return q.everything("dynamic_update_slice: the update is larger than the "
                        "operand");
  SmallVector<IndexValue> starts = startsFrom(q.arena, op.getStartIndices());
  if (q.operand == 0)
    return dynamicUpdateSliceOperand(q.arena, q.out, update, starts);
  return dynamicUpdateSliceUpdate(q.arena, q.direction, q.out, update, starts);
}

//===--- Starts, limits and strides that are operands ----------------------===//

/// The maps of the slice with these numbers; none where a number or the
/// operand's shape is not known, or where the numbers make no slice.
std::optional<MapSet> knownSliceMaps(stablehlo::RealDynamicSliceOp op,
                                     const Query &q) {
  auto starts = knownIntegers(q.arena, op.getStartIndices()),
       limits = knownIntegers(q.arena, op.getLimitIndices()),
       strides = knownIntegers(q.arena, op.getStrides());
  if (!starts || !limits || !strides ||
      !tensorOf(op.getOperand()).hasStaticShape())
    return std::nullopt;
  SmallVector<int64_t> sizes;
  for (auto [size, start, limit, stride] :
       llvm::zip_equal(q.in, *starts, *limits, *strides)) {
    if (start < 0 || start > limit || limit > size || stride <= 0 ||
        !productFits({size, stride}))
      return std::nullopt;
    sizes.push_back(stablehlo::sliced(start, limit, stride));
  }
  if (!withSizes(tensorOf(op.getResult()), sizes))
    return std::nullopt;
  return slice(q.arena, q.direction, q.in, *starts, *limits, *strides);
}

/// result[d] = operand[start + d * stride]: starts and strides that are not
/// known are runtime variables. A start outside the operand is an error of the
/// program: its clamp may be any.
MapSet realDynamicSliceMaps(stablehlo::RealDynamicSliceOp op, const Query &q) {
  enum { Operand, Starts, Limits };
  if (q.operand == Limits) // they say how large the result is
    return q.nothing();
  if (q.operand != Operand)
    return q.everything();
  if (auto known = knownSliceMaps(op, q))
    return *known;
  Arena &arena = q.arena;
  bool back = q.direction == Direction::OutToIn;
  if (llvm::is_contained(q.in, 0) || llvm::is_contained(q.out, 0))
    return q.nothing();
  Map map = Map::toScalar(arena, q.from());
  constexpr int64_t kMost = int64_t(1) << 59;
  for (int64_t i = 0, e = q.in.size(); i < e; ++i) {
    int64_t last = std::min(q.in[i] - 1, kMost);
    Expr start =
             clampedIndex(map, entry(map, op.getStartIndices(), i), {0, last}),
         stride = clampedIndex(map, entry(map, op.getStrides(), i),
                               {1, std::max<int64_t>(last, 1)});
    if (back) {
      Expr at = arena.add(arena.mul(arena.dim(i), stride), start);
      map.domain.addConstraint(at, Interval::ofSize(q.in[i]));
      map.results.push_back(at);
      continue;
    }
    Expr distance = arena.sub(arena.dim(i), start);
    Expr d = arena.floorDiv(distance, stride);
    map.domain.addConstraint(distance, {0, Interval::kMax});
    map.domain.addConstraint(arena.mod(distance, stride), Interval::point(0));
    map.domain.addConstraint(d, Interval::ofSize(q.out[i]));
    map.results.push_back(d);
    // The size of the result follows from the limit where the type does not
    // say it.
    if (tensorOf(op.getResult()).isDynamicDim(i)) {
      Expr limit =
          clampedIndex(map, entry(map, op.getLimitIndices(), i), {0, last + 1});
      map.domain.addConstraint(arena.sub(limit, arena.dim(i)),
                               {1, Interval::kMax});
    }
  }
  mergeRuntimes(map);
  return map;
}

} // namespace

void maps::attachSliceMaps(mlir::MLIRContext *context) {
  using namespace stablehlo;
  attach<SliceOp, sliceMaps>(context);
  attach<DynamicSliceOp, dynamicSliceMaps>(context);
  attach<DynamicUpdateSliceOp, dynamicUpdateSliceMaps>(context);
  attach<RealDynamicSliceOp, realDynamicSliceMaps>(context);
}
