// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/Inverse.h"
#include "mercator/indexing/Simplify.h"
#include "mercator/indexing/Solve.h"

namespace mercator::indexing {

Map inverse(const Map &map, llvm::ArrayRef<int64_t> sizes) {
  assert(sizes.size() == map.numResults());
  Arena &arena = *map.arena;
  if (map.isKnownEmpty() || llvm::is_contained(sizes, 0))
    return Map::makeEmpty(arena, sizes.size(), map.numDims());

  // Old dimensions become the first range variables.
  llvm::SmallVector<Expr, 8> dims, ranges;
  for (uint32_t i = 0; i < map.numDims(); ++i)
    dims.push_back(arena.range(i));
  for (uint32_t i = 0; i < map.domain.ranges.size(); ++i)
    ranges.push_back(arena.range(map.numDims() + i));
  Substitution renamed{.dims = dims, .ranges = ranges, .runtimes = {}};

  Map back(arena);
  back.results.assign(dims.begin(), dims.end());
  back.domain.runtimes = map.domain.runtimes;
  for (const Variable &v : map.domain.dims)
    back.domain.ranges.push_back(v);
  for (const Variable &v : map.domain.ranges)
    back.domain.ranges.push_back(v);
  for (RuntimeVariable &v : back.domain.runtimes)
    substitute(arena, v.index, renamed);
  for (const Constraint &c : map.domain.constraints)
    back.domain.addConstraint(substitute(arena, c.expr, renamed), c.bounds);
  for (size_t i = 0; i < sizes.size(); ++i) {
    Expr y = back.domain.addDim(arena, Interval::ofSize(sizes[i]));
    back.domain.addConstraint(
        arena.sub(substitute(arena, map.results[i], renamed), y),
        Interval::point(0));
  }
  return simplify(solveRanges(back));
}

} // namespace mercator::indexing
