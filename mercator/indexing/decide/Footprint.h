// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much a set of maps reads, and how much more than is read it gives.
//
//   p0[0:60] + p0[40:100]     two maps of 60 elements each
//     footprint                100: those of both count once
//     pairs                    120: 60 results, each with 2 elements
//
//   sum of (d0) -> (d0) and (d0)[s0] -> (s0), over 10 elements
//     the first is left out: the second gives what it gives
//
// A map that is not exact gives pairs (d, element) that are not read. How many
// cannot be known of every operation, but those that build maps often know how
// many are read at least (OperandMap::leastRead):
//
//   scatter of 3 updates into 10 elements, "an element that is scattered to is
//   not read": gives 10 pairs, of which 7 are read at least.
//
// Exact or no number at all, with the reason, as in Count.h.

#ifndef MERCATOR_INDEXING_DECIDE_FOOTPRINT_H
#define MERCATOR_INDEXING_DECIDE_FOOTPRINT_H

#include "mercator/indexing/decide/Count.h"
#include "mercator/indexing/decide/MapSet.h"

namespace mercator::indexing {

/// The set without maps that another map of it contains (see contains in
/// Prove.h). An exact map is left out only for an exact one, so that what is
/// known to be read stays known. Ensures: the same union.
/// Complexity: quadratic in the size of the set.
[[nodiscard]] MapSet withoutContained(const MapSet &maps);

/// The number of distinct elements that any map of the set gives for any d: the
/// union, not the sum. Runtime variables take all their values.
[[nodiscard]] Count countUnion(const MapSet &maps, Budget budget = {});

/// The number of pairs (d, element) of a map.
[[nodiscard]] Count countPairs(const Map &map, Budget budget = {});

/// What a map that is not exact gives, and what of it is read.
struct OverRead {
  Count given;           ///< pairs (d, element)
  int64_t leastRead = 0; ///< as many of them are read at least; 0: not known
  int64_t elements = 0;  ///< for each d, so many at most; 0: not known
};
/// `10 pairs, of which at least 7 are read`.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const OverRead &overRead);

/// Nothing for a map that is exact. With runtime variables pairs are not
/// counted, since for other values of them they are others.
[[nodiscard]] std::optional<OverRead> overRead(const OperandMap &map,
                                               Budget budget = {});

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_DECIDE_FOOTPRINT_H
