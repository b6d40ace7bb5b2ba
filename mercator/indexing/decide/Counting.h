// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The procedures of Count.h: points and values of one independent part. Those of
// points are in CountPoints.cpp, those of values in CountImage.cpp.
//
// Internal: Count.cpp uses them.

#ifndef MERCATOR_INDEXING_DECIDE_COUNTING_H
#define MERCATOR_INDEXING_DECIDE_COUNTING_H

#include "mercator/indexing/decide/Count.h"
#include "mercator/indexing/decide/SumValues.h"

namespace mercator::indexing {

/// The number, or TooLarge.
[[nodiscard]] Count exactly(Int128 n);
/// The count of a product of independent sets. Zero times unknown is zero.
void operator*=(Count &a, const Count &b);
/// |{ x in i }|.
[[nodiscard]] Count sizeOf(Interval i);
/// |{ x in i : x in r }|.
[[nodiscard]] Count sizeOf(Interval i, Residue r);

/// The number of points of an independent part of a normalized domain.
[[nodiscard]] Count countPart(Arena &arena, const System &part, Budget budget);

/// The results, with each group of digits replaced by its number. Ensures: as
/// many values.
[[nodiscard]] llvm::SmallVector<Expr, 8> digitNumbers(const Map &map);
/// Replaces the tuple of results by a simpler one with as many values.
void reduceResults(Arena &arena, llvm::SmallVectorImpl<Expr> &results);
/// The number of values of the results, which use variables of the part only.
[[nodiscard]] Count countValues(Arena &arena, const System &part,
                                llvm::ArrayRef<Expr> results, Budget budget);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_DECIDE_COUNTING_H
