// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of scatter. The index of an update in the input is a start, read from
// the indices, plus the index inside the window.

#include "mercator/indexing/operations/TensorMapsDetail.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::indexing::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

/// The roles of the dimensions of the three tensors.
struct Roles {
  SmallVector<int64_t> scatterDims; ///< of the update, in order
  SmallVector<int64_t> windowOf;    ///< input dim -> update dim, or -1
  SmallVector<int64_t> windowSize;  ///< input dim -> size of the window there
  SmallVector<int64_t> mapped;      ///< input dim -> index vector slot, or -1
  /// Input dim -> number of a scatter dim, or -1.
  SmallVector<int64_t> batchOf;

  explicit Roles(const Scatter &s)
      : windowOf(s.input.size(), -1), windowSize(s.input.size(), 1),
        mapped(s.input.size(), -1), batchOf(s.input.size(), -1) {
    for (int64_t d = 0, e = s.update.size(); d < e; ++d)
      if (!llvm::is_contained(s.updateWindowDims, d))
        scatterDims.push_back(d);
    size_t next = 0;
    for (int64_t d = 0, e = s.input.size(); d < e; ++d)
      if (!llvm::is_contained(s.insertedWindowDims, d) &&
          !llvm::is_contained(s.inputBatchingDims, d)) {
        windowOf[d] = s.updateWindowDims[next++];
        windowSize[d] = s.update[windowOf[d]];
      }
    for (auto [slot, dim] : llvm::enumerate(s.scatterDimsToOperandDims))
      mapped[dim] = slot;
    for (auto [dim, at] :
         llvm::zip_equal(s.inputBatchingDims, s.scatterIndicesBatchingDims))
      batchOf[dim] = at < s.indexVectorDim ? at : at - 1;
  }
};

/// The start along input dimension `dim` of the window at `batch`.
Expr startOf(Map &map, const Scatter &s, const Roles &roles,
             ArrayRef<Expr> batch, int64_t dim) {
  Arena &arena = *map.arena;
  if (roles.batchOf[dim] >= 0)
    return batch[roles.batchOf[dim]];
  if (roles.mapped[dim] < 0)
    return arena.constant(0);
  SmallVector<Expr, 2> at(batch);
  if (s.indexVectorDim < (int64_t)s.indices.size())
    at.insert(at.begin() + s.indexVectorDim, arena.constant(roles.mapped[dim]));
  // At or beyond these bounds the whole window lies outside.
  Interval bounds{-roles.windowSize[dim], s.input[dim]};
  IndexValue index = s.read(map.domain, at);
  // The domain excludes updates that lie outside, so nothing is clamped.
  if (index.exact && !arena.isConstant(index.exact))
    return index.exact;
  return clampedIndex(map, index, bounds);
}

/// Returns dim - start, and restricts it to [0, size - 1]: by the bounds of the
/// dimension if the start is a constant, else by a constraint.
Expr insideSlice(Map &map, int64_t dim, Expr start, int64_t size) {
  Arena &arena = *map.arena;
  Expr distance = arena.sub(arena.dim(dim), start);
  Interval &bounds = map.domain.dims[dim].bounds;
  if (arena.isConstant(start)) {
    int64_t at = arena.constantValue(start);
    bounds = bounds.intersect({at, at + size - 1});
  } else {
    map.domain.addConstraint(distance, Interval::ofSize(size));
  }
  return distance;
}

Map updatesOf(Arena &arena, const Scatter &s) {
  Roles roles(s);
  Map map = onBox(arena, s.input);
  map.results.resize(s.update.size(), arena.constant(0));
  SmallVector<Expr, 4> batch(roles.scatterDims.size());
  for (size_t dim = 0; dim < s.input.size(); ++dim)
    if (roles.batchOf[dim] >= 0)
      batch[roles.batchOf[dim]] = arena.dim(dim);
  for (auto [i, expr] : llvm::enumerate(batch)) {
    int64_t d = roles.scatterDims[i];
    if (s.window && (*s.window)[i] >= 0) {
      Expr at = arena.constant((*s.window)[i]);
      if (expr)
        map.domain.addConstraint(arena.sub(expr, at), Interval::point(0));
      expr = at;
    } else if (!expr) {
      expr = map.domain.addRange(arena, Interval::ofSize(s.update[d]));
    }
    map.results[d] = expr;
  }
  for (size_t dim = 0; dim < s.input.size(); ++dim) {
    if (roles.batchOf[dim] >= 0)
      continue;
    Expr start = startOf(map, s, roles, batch, dim);
    Expr offset = insideSlice(map, dim, start, roles.windowSize[dim]);
    if (roles.windowOf[dim] >= 0)
      map.results[roles.windowOf[dim]] = offset;
  }
  return finish(std::move(map));
}

Map landing(Arena &arena, const Scatter &s) {
  Roles roles(s);
  Map map = onBox(arena, s.update);
  SmallVector<Expr, 4> batch;
  for (auto [i, d] : llvm::enumerate(roles.scatterDims)) {
    batch.push_back(arena.dim(d));
    if (!s.window || (*s.window)[i] < 0)
      continue;
    int64_t at = (*s.window)[i];
    map.domain.dims[d].bounds =
        map.domain.dims[d].bounds.intersect(Interval::point(at));
    batch.back() = arena.constant(at);
  }
  for (size_t dim = 0; dim < s.input.size(); ++dim) {
    Expr at = startOf(map, s, roles, batch, dim);
    if (roles.windowOf[dim] >= 0)
      at = arena.add(at, arena.dim(roles.windowOf[dim]));
    Interval inside = Interval::ofSize(s.input[dim]);
    if (arena.isConstant(at) && !inside.contains(arena.constantValue(at)))
      return Map::makeEmpty(arena, s.update.size(), s.input.size());
    if (roles.mapped[dim] >= 0 && !arena.isConstant(at))
      map.domain.addConstraint(at, inside);
    map.results.push_back(at);
  }
  return finish(std::move(map));
}

} // namespace

Map indexing::scatterUpdate(Arena &arena, Direction direction,
                            const Scatter &s) {
  return direction == Direction::OutToIn ? updatesOf(arena, s)
                                         : landing(arena, s);
}

Map indexing::scatterIndices(Arena &arena, Direction direction,
                             const Scatter &s) {
  if (llvm::is_contained(s.update, 0))
    return direction == Direction::OutToIn
               ? Map::makeEmpty(arena, s.input.size(), s.indices.size())
               : Map::makeEmpty(arena, s.indices.size(), s.input.size());
  SmallVector<int64_t> ofIndices(s.indices.size(), -1),
      ofInput(s.input.size(), -1);
  for (auto [dim, at] :
       llvm::zip_equal(s.inputBatchingDims, s.scatterIndicesBatchingDims)) {
    ofIndices[at] = dim;
    ofInput[dim] = at;
  }
  return direction == Direction::OutToIn
             ? selectDims(arena, s.input, s.indices, ofIndices)
             : selectDims(arena, s.indices, s.input, ofInput);
}

Map indexing::scatterReached(Arena &arena, const Scatter &s) {
  if (llvm::is_contained(s.input, 0) || llvm::is_contained(s.update, 0))
    return Map::makeEmpty(arena, s.input.size(), s.input.size());
  Map map = updatesOf(arena, s);
  map.results.clear();
  for (size_t dim = 0; dim < s.input.size(); ++dim)
    map.results.push_back(arena.dim(dim));
  return map;
}

Map indexing::scatterKept(Arena &arena, const Scatter &s,
                          ArrayRef<SmallVector<int64_t>> windows) {
  Roles roles(s);
  Map map = Map::identity(arena, s.input);
  if (map.isKnownEmpty() || llvm::is_contained(s.update, 0))
    return map;
  Expr outside; // the distance of d from the nearest window
  int64_t farthest = 0;
  for (ArrayRef<int64_t> window : windows) {
    SmallVector<Expr, 4> batch;
    for (int64_t at : window)
      batch.push_back(at < 0 ? Expr() : arena.constant(at));
    for (auto [dim, number] : llvm::enumerate(roles.batchOf))
      if (number >= 0 && window[number] < 0)
        batch[number] = arena.dim(dim);
    Expr outsideThis;
    for (int64_t dim = 0, rank = s.input.size(); dim < rank; ++dim) {
      if (roles.batchOf[dim] >= 0 && window[roles.batchOf[dim]] < 0)
        continue; // the batch coordinate of d
      Expr d = arena.dim(dim), at = startOf(map, s, roles, batch, dim);
      int64_t size = roles.windowSize[dim];
      auto alsoOutside = [&](Expr by) {
        outsideThis = outsideThis ? arena.max(outsideThis, by) : by;
      };
      // The distance of d before the window, or behind it, if there is room.
      bool isKnown = arena.isConstant(at);
      int64_t start = isKnown ? arena.constantValue(at) : 0;
      if (!isKnown || start > 0)
        alsoOutside(arena.add(arena.sub(at, d), -1));
      if (!isKnown || start + size < s.input[dim])
        alsoOutside(arena.add(arena.sub(d, at), -size));
      farthest = std::max(farthest, s.input[dim] + size);
    }
    if (!outsideThis)
      return Map::makeEmpty(arena, s.input.size(), s.input.size());
    outside = outside ? arena.min(outside, outsideThis) : outsideThis;
  }
  if (outside)
    map.domain.addConstraint(outside, {0, farthest});
  return finish(std::move(map));
}
