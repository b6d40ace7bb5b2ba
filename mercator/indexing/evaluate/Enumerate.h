// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All points of a bounded domain, one after the other.
//
//   forEachPoint(arena, domain, 1'000'000, [&](llvm::ArrayRef<int64_t> point) {
//     ...                      // dims, ranges, runtimes
//     return true;             // false stops
//   });
//
// Order: lexicographic, the last coordinate running fastest. A constraint is
// looked at as soon as the variables it uses have values, so that a failing one
// cuts off everything below it.
//
// Cost and limit. A step is one value given to one variable; at most `limit` of
// them are taken, whether or not points are found. A step that reaches the last
// variable is made in blocks (Program.h) and takes a few nanoseconds.

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

/// Points side by side: coordinate v of point i is coordinates[v][i].
struct PointBlock {
  static constexpr size_t kCapacity = 256;
  size_t size = 0;
  llvm::ArrayRef<const int64_t *> coordinates;
};

/// Calls f on every point of the domain.
Enumeration forEachPoint(const Arena &arena, const Domain &domain,
                         uint64_t limit,
                         llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> f);

/// The same in blocks of 1 to `PointBlock::kCapacity` points, in the same
/// order.
Enumeration forEachBlock(const Arena &arena, const Domain &domain,
                         uint64_t limit,
                         llvm::function_ref<bool(const PointBlock &)> f);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_EVALUATE_ENUMERATE_H
