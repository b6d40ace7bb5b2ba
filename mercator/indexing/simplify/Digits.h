// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results that are the digits of one number.
//
//   ((d0 * 3 + d1) floordiv 2, (d0 * 3 + d1) mod 2), the second of size 2
//     are the digits of   d0 * 3 + d1
//
// Neighbouring results r, s with s in [0, size - 1] determine r * size + s and
// are determined by it. Where that number needs no division although the digits
// do, as after a reshape, it is what to solve for, and to count.
//
// Internal to the room.

#ifndef MERCATOR_INDEXING_SIMPLIFY_DIGITS_H
#define MERCATOR_INDEXING_SIMPLIFY_DIGITS_H

#include "mercator/indexing/map/Map.h"

namespace mercator::indexing {

/// Results `first` to `first + count - 1` and the number they are the digits
/// of; for one result that is itself.
struct DigitGroup {
  size_t first, count;
  Expr number;
};

/// All results of a map, in order, gathered into groups. sizes[i] is so large
/// that results[i] < sizes[i]; it is looked at, not relied on.
/// Complexity: at most quadratic in the results, in simplifications of sums.
[[nodiscard]] llvm::SmallVector<DigitGroup, 8>
gatherDigits(const Map &map, llvm::ArrayRef<int64_t> sizes);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_SIMPLIFY_DIGITS_H
