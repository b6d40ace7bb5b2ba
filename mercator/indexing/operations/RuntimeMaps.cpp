// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of the operations with offsets that are known only when the program
// runs: dynamic-slice, dynamic-update-slice, gather.

#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/operations/TensorMapsDetail.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::indexing::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

Expr indexing::clampedIndex(Map &map, const IndexValue &index, Interval to) {
  Arena &arena = *map.arena;
  Interval range = index.range;
  if (index.exact)
    range = range.intersect(
        IntervalAnalysis(arena, map.domain).interval(index.exact));
  // The tensor of indices is empty, so the domain has no point. Any value will
  // do.
  if (range.isEmpty())
    return arena.constant(to.lower);
  Interval left = {std::clamp(range.lower, to.lower, to.upper),
                   std::clamp(range.upper, to.lower, to.upper)};
  // If the slice fits at one position only, the variable stays, because the
  // operation reads it. Simplification drops it.
  if (left.isPoint() && (index.exact || !to.isPoint()))
    return arena.constant(left.lower);
  if (index.exact) {
    Expr e = index.exact;
    if (range.lower < to.lower)
      e = arena.max(e, arena.constant(to.lower));
    if (range.upper > to.upper)
      e = arena.min(e, arena.constant(to.upper));
    return e;
  }
  RuntimeVariable v;
  v.bounds = left;
  v.source = index.source;
  v.element = index.element;
  v.index = index.index;
  return map.domain.addRuntime(arena, std::move(v));
}

Map indexing::dynamicSlice(Arena &arena, Direction direction, Sizes operand,
                           Sizes result, ArrayRef<IndexValue> starts) {
  Map map = onBox(arena, result);
  for (auto [i, start] : llvm::enumerate(starts)) {
    Expr at = clampedIndex(map, start, {0, operand[i] - result[i]});
    map.results.push_back(arena.add(arena.dim(i), at));
  }
  return inDirection(direction, finish(std::move(map)), operand);
}

Map indexing::dynamicUpdateSliceUpdate(Arena &arena, Direction direction,
                                       Sizes operand, Sizes update,
                                       ArrayRef<IndexValue> starts) {
  // The update reads the result as a dynamic slice reads its operand, in the
  // other direction.
  return dynamicSlice(arena,
                      direction == Direction::OutToIn ? Direction::InToOut
                                                      : Direction::OutToIn,
                      operand, update, starts);
}

Map indexing::dynamicUpdateSliceOperand(Arena &arena, Sizes operand,
                                        Sizes update,
                                        ArrayRef<IndexValue> starts) {
  Map map = Map::identity(arena, operand);
  if (map.isKnownEmpty() || llvm::is_contained(update, 0))
    return map;
  Expr outside; // the distance of d from the box; negative inside it
  int64_t farthest = 0;
  auto alsoOutside = [&](Expr by, int64_t most) {
    outside = outside ? arena.max(outside, by) : by;
    farthest = std::max(farthest, most);
  };
  for (auto [i, start] : llvm::enumerate(starts)) {
    int64_t room = operand[i] - update[i];
    if (room == 0)
      continue; // every index of this dimension lies inside
    Expr d = arena.dim(i), at = clampedIndex(map, start, {0, room});
    // A constant start at either end leaves no element on that side.
    if (!arena.isConstant(at, 0))
      alsoOutside(arena.add(arena.sub(at, d), -1), room - 1);
    if (!arena.isConstant(at, room))
      alsoOutside(arena.add(arena.sub(d, at), -update[i]), room - 1);
  }
  if (!outside)
    return Map::makeEmpty(arena, operand.size(), operand.size());
  map.domain.addConstraint(outside, {0, farthest});
  return finish(std::move(map));
}

//===--- Gather -----------------------------------------------------------===//

GatherRoles::GatherRoles(const Gather &g)
    : offsetOf(g.operand.size(), -1), mapped(g.operand.size(), -1),
      batchOf(g.operand.size(), -1) {
  bool hasVectors = g.indexVectorDim < (int64_t)g.indices.size();
  int64_t rank = g.offsetDims.size() + g.indices.size() - hasVectors;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(g.offsetDims, d))
      batchDims.push_back(d);
  size_t offset = 0;
  for (int64_t d = 0, e = g.operand.size(); d < e; ++d)
    if (!llvm::is_contained(g.collapsedSliceDims, d) &&
        !llvm::is_contained(g.operandBatchingDims, d))
      offsetOf[d] = g.offsetDims[offset++];
  for (auto [slot, dim] : llvm::enumerate(g.startIndexMap))
    mapped[dim] = slot;
  for (auto [dim, at] :
       llvm::zip_equal(g.operandBatchingDims, g.startIndicesBatchingDims))
    batchOf[dim] = at < g.indexVectorDim ? at : at - 1;
}

SmallVector<int64_t> GatherRoles::resultSizes(const Gather &g) const {
  SmallVector<int64_t> sizes(batchDims.size() + g.offsetDims.size());
  for (auto [number, d] : llvm::enumerate(batchDims))
    sizes[d] =
        g.indices[(int64_t)number < g.indexVectorDim ? number : number + 1];
  for (auto [dim, d] : llvm::enumerate(offsetOf))
    if (d >= 0)
      sizes[d] = g.sliceSizes[dim];
  return sizes;
}

namespace {

/// The index of slot `slot` of the index vector of the batch point `batch`.
SmallVector<Expr, 2> indexPosition(Arena &arena, const Gather &g,
                                   ArrayRef<Expr> batch, int64_t slot) {
  SmallVector<Expr, 2> at(batch);
  if (g.indexVectorDim < (int64_t)g.indices.size())
    at.insert(at.begin() + g.indexVectorDim, arena.constant(slot));
  return at;
}

/// The start of each mapped operand dimension, as an expression.
SmallVector<Expr, 4> gatherStarts(Map &map, const Gather &g,
                                  ArrayRef<Expr> batch) {
  Arena &arena = *map.arena;
  SmallVector<Expr, 4> starts;
  for (auto [slot, dim] : llvm::enumerate(g.startIndexMap)) {
    SmallVector<Expr, 2> at = indexPosition(arena, g, batch, slot);
    int64_t room = g.operand[dim] - g.sliceSizes[dim];
    starts.push_back(clampedIndex(
        map, g.read ? g.read(map.domain, at) : IndexValue(), {0, room}));
  }
  return starts;
}

Map gatherOutToIn(Arena &arena, const Gather &g) {
  // Slices of an empty operand are empty. The result may have elements even
  // then, if the empty dimension is collapsed; they read nothing.
  if (llvm::is_contained(g.sliceSizes, 0))
    return Map::makeEmpty(arena, g.result.size(), g.operand.size());
  GatherRoles roles(g);
  Map map = onBox(arena, g.result);
  SmallVector<Expr, 4> batch;
  for (int64_t d : roles.batchDims)
    batch.push_back(arena.dim(d));
  SmallVector<Expr, 4> starts = gatherStarts(map, g, batch);
  for (size_t dim = 0; dim < g.operand.size(); ++dim) {
    Expr at = arena.constant(0);
    if (roles.mapped[dim] >= 0)
      at = starts[roles.mapped[dim]];
    else if (roles.batchOf[dim] >= 0)
      at = batch[roles.batchOf[dim]];
    if (roles.offsetOf[dim] >= 0)
      at = arena.add(arena.dim(roles.offsetOf[dim]), at);
    map.results.push_back(at);
  }
  return finish(std::move(map));
}

} // namespace

Map indexing::gatherOperand(Arena &arena, Direction direction,
                            const Gather &gather) {
  return inDirection(direction, gatherOutToIn(arena, gather), gather.operand);
}

Map indexing::gatherIndices(Arena &arena, Direction direction,
                            const Gather &g) {
  GatherRoles roles(g);
  SmallVector<int64_t> batchOfIndices(g.indices.size(), -1);
  for (int64_t dim = 0, i = 0, e = g.indices.size(); dim < e; ++dim)
    if (dim != g.indexVectorDim)
      batchOfIndices[dim] = roles.batchDims[i++];
  return inDirection(direction,
                     selectDims(arena, g.result, g.indices, batchOfIndices),
                     g.indices);
}
