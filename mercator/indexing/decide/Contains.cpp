// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A quick, sufficient test of inclusion.
//
// The idea: for each point of the inner domain, name a point of the outer
// domain with the same results.
//   - Dimensions, runtime variables and ranges keep their values.
//   - A range that the outer map uses as one of its results and nowhere else
//     takes the value of the inner result.
// The test then checks, by interval analysis, that these values lie within the
// outer bounds and satisfy the outer constraints.

#include "mercator/indexing/decide/Prove.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mercator::indexing {

/// The ranges that are one of the results and are used nowhere else.
static llvm::SmallBitVector freeRanges(const Map &map) {
  const Arena &arena = *map.arena;
  llvm::SmallVector<unsigned, 8> uses(map.domain.ranges.size());
  auto count = [&](Expr e, unsigned weight) {
    for (uint32_t i = 0; i < uses.size(); ++i)
      if (arena.uses(e, {VarKind::Range, i}))
        uses[i] += weight;
  };
  for (Expr e : map.results)
    count(e, arena.kind(e) == ExprKind::Variable ? 1 : 2);
  for (const Constraint &c : map.domain.constraints)
    count(c.expr, 2);
  for (const RuntimeVariable &v : map.domain.runtimes)
    for (Expr e : v.index)
      count(e, 2);
  llvm::SmallBitVector free(uses.size());
  for (uint32_t i = 0; i < uses.size(); ++i)
    free[i] = uses[i] == 1;
  return free;
}

static bool isWithin(Interval inner, Interval outer) {
  return outer.contains(inner);
}

bool contains(const Map &outer, const Map &inner) {
  const Domain &big = outer.domain, &small = inner.domain;
  if (outer.numDims() != inner.numDims() ||
      outer.numResults() != inner.numResults())
    return false;
  if (inner.isKnownEmpty() || outer == inner)
    return true;
  if (outer.isKnownEmpty())
    return false;
  for (auto [x, y] : llvm::zip_equal(small.dims, big.dims))
    if (!isWithin(x.bounds, y.bounds))
      return false;
  if (!big.runtimes.empty() && big.runtimes != small.runtimes)
    return false;

  Arena &arena = *outer.arena;
  Bounds bounds(arena, small);
  llvm::SmallBitVector free = freeRanges(outer);
  for (auto [i, v] : llvm::enumerate(big.ranges)) {
    Var range{VarKind::Range, static_cast<uint32_t>(i)};
    if (!free.test(i) &&
        (!small.has(range) || !isWithin(small.bounds(range), v.bounds)))
      return false;
  }
  for (auto [x, y] : llvm::zip_equal(inner.results, outer.results)) {
    bool isFree = arena.kind(y) == ExprKind::Variable &&
                  arena.var(y).kind == VarKind::Range &&
                  free.test(arena.var(y).index);
    if (isFree ? !isWithin(bounds.interval(x), big.bounds(arena.var(y)))
               : x != y)
      return false;
  }
  return llvm::all_of(big.constraints, [&](const Constraint &c) {
    return isWithin(bounds.interval(c.expr), c.bounds);
  });
}

} // namespace mercator::indexing
