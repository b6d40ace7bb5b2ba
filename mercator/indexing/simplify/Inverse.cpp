// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inverse of a map.
//
// The idea: the old dimensions become range variables, and the new dimensions d
// satisfy the equations result(i) - d(i) = 0. Solving the equations for the
// range variables (Solve.h) removes as many of them as possible; simplification
// does the rest. Results that are the digits of one number (Digits.h) give one
// equation, which has fewer divisions.

#include "mercator/indexing/simplify/Inverse.h"
#include "mercator/indexing/simplify/Digits.h"
#include "mercator/indexing/simplify/Simplify.h"
#include "mercator/indexing/simplify/Solve.h"

namespace mercator::indexing {

Map inverse(const Map &map, llvm::ArrayRef<int64_t> sizes,
            const SimplifyOptions &options) {
  assert(sizes.size() == map.numResults());
  Arena &arena = *map.arena;
  if (map.isKnownEmpty() || llvm::is_contained(sizes, 0))
    return Map::makeEmpty(arena, sizes.size(), map.numDims());

  // The old dimensions become the first range variables.
  llvm::SmallVector<Expr, 8> dims, ranges;
  for (uint32_t i = 0; i < map.numDims(); ++i)
    dims.push_back(arena.range(i));
  for (uint32_t i = 0; i < map.domain.ranges.size(); ++i)
    ranges.push_back(arena.range(map.numDims() + i));
  Substitution renamed{.dims = dims, .ranges = ranges, .runtimes = {}};

  Map back(arena);
  back.domain.ranges.assign(map.domain.dims.begin(), map.domain.dims.end());
  llvm::append_range(back.domain.ranges, map.domain.ranges);
  back.domain.runtimes = map.domain.runtimes;
  back.domain.constraints = map.domain.constraints;
  substitute(back, renamed);
  back.results.assign(dims.begin(), dims.end());
  // One equation for each group of digits.
  for (const DigitGroup &group : gatherDigits(map, sizes)) {
    Expr number = arena.constant(0);
    for (int64_t size : sizes.slice(group.first, group.count)) {
      Expr y = back.domain.addDim(arena, Interval::ofSize(size));
      number = arena.add(arena.scale(number, size), y);
    }
    back.domain.addConstraint(
        arena.sub(substitute(arena, group.number, renamed), number),
        Interval::point(0));
  }
  return simplify(solveRanges(back), options);
}

} // namespace mercator::indexing
