// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of results that are the digits of one number.
//
//   ((d0 * 3 + d1) floordiv 2, (d0 * 3 + d1) mod 2), the second of size 2
//     are the digits of   d0 * 3 + d1
//
// Neighboring results r, s with s in [0, size - 1] determine r * size + s, and
// this number determines them. After a reshape, the number often needs no
// division although its digits do. Then inverse() solves for the number, and
// Count.h counts the number, instead of the digits.
//
// Internal to this library.

#ifndef MERCATOR_INDEXING_SIMPLIFY_DIGITS_H
#define MERCATOR_INDEXING_SIMPLIFY_DIGITS_H

#include "mercator/indexing/map/Map.h"

namespace mercator::indexing {

/// Results `first` to `first + count - 1` and the number that has them as
/// digits. The number of a single result is the result.
struct DigitGroup {
  size_t first, count;
  Expr number;
};

/// The results of a map, in order, in groups. sizes[i] is the size of result i;
/// a group is made only if interval analysis confirms results[i] in
/// [0, sizes[i] - 1].
/// Complexity: at most quadratic in the results, counting simplifications.
[[nodiscard]] llvm::SmallVector<DigitGroup, 8>
gatherDigits(const Map &map, llvm::ArrayRef<int64_t> sizes);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_SIMPLIFY_DIGITS_H
