// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enumeration of all points of a bounded domain.
//
// ```cpp
// Arena arena;
// Domain domain;
// domain.addDim(arena, {0, 3});
// domain.addRange(arena, {0, 1});
// int64_t points = 0;
// forEachPoint(arena, domain, 1'000'000, [&](ArrayRef<int64_t> point) {
//   ++points;    // point lists dims, ranges, runtimes
//   return true; // false stops
// });
// assert(points == 8);
// ```
//
// Order: lexicographic; the last coordinate changes fastest. A constraint is
// checked as soon as all its variables have values, so a constraint that fails
// cuts off the whole subtree.
//
// Cost and limit. A step is one assignment of a value to a variable. At most
// `limit` steps are taken, even if no point is found. Steps of the last
// variable are evaluated in blocks (Program.h) and take a few nanoseconds each.

#ifndef MERCATOR_INDEXING_EVALUATE_ENUMERATE_H
#define MERCATOR_INDEXING_EVALUATE_ENUMERATE_H

#include "mercator/indexing/map/Map.h"

namespace mercator::indexing {

enum class Enumeration {
  Done,      ///< every point was visited
  Stopped,   ///< the callback returned false
  OverLimit, ///< points may be missing: too many steps
  Unbounded, ///< no point was visited: some variable has no bounds
};

/// Points in columns: coordinate v of point i is coordinates[v][i].
struct PointBlock {
  static constexpr size_t kCapacity = 256;
  size_t size = 0;
  llvm::ArrayRef<const int64_t *> coordinates;
};

/// Calls f on every point of the domain.
Enumeration forEachPoint(const Arena &arena, const Domain &domain,
                         uint64_t limit,
                         llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> f);

/// The same, in blocks of 1 to `PointBlock::kCapacity` points, in the same
/// order.
Enumeration forEachBlock(const Arena &arena, const Domain &domain,
                         uint64_t limit,
                         llvm::function_ref<bool(const PointBlock &)> f);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_EVALUATE_ENUMERATE_H
