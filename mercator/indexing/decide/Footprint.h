// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The footprint of a set of maps, and the size of its over-approximation.
//
//   p0[0:60] + p0[40:100]     two maps of 60 elements each
//     footprint                100: elements that both read count once
//     pairs                    120: 60 results, each with 2 elements
//
//   sum of (d0) -> (d0) and (d0)[s0] -> (s0), over 10 elements
//     the first map is redundant: the second contains it
//
// A map that is not exact gives pairs (d, element) that are not read. The exact
// number of pairs read is unknown, but the model of an operation often knows a
// lower bound (OperandMap::leastRead):
//
//   scatter of 3 updates into 10 elements, "an element that is scattered to is
//   not read": the map gives 10 pairs, of which at least 7 are read.
//
// As in Count.h, each number is exact, or unknown with a reason.

#ifndef MERCATOR_INDEXING_DECIDE_FOOTPRINT_H
#define MERCATOR_INDEXING_DECIDE_FOOTPRINT_H

#include "mercator/indexing/decide/Count.h"
#include "mercator/indexing/decide/MapSet.h"

namespace mercator::indexing {

/// Why a set is not counted in which some maps lead to elements of other devices.
inline constexpr const char *kOtherDevices = "elements of other devices";

/// The set without the maps that another map of the set contains (see contains
/// in Prove.h). An exact map is removed only if an exact map contains it.
/// Ensures: the same union. Complexity: quadratic in the size of the set.
[[nodiscard]] MapSet withoutContained(const MapSet &maps);

/// The number of distinct elements that the maps of the set give, over all d:
/// the size of the union. Runtime variables take all their values. Unknown if only
/// some of the maps have devices.
[[nodiscard]] Count countUnion(const MapSet &maps, Budget budget = {});

/// The number of pairs (d, element) of a map.
[[nodiscard]] Count countPairs(const Map &map, Budget budget = {});

/// The over-approximation of a map that is not exact.
struct OverRead {
  Count given;           ///< pairs (d, element)
  int64_t leastRead = 0; ///< lower bound on the pairs read; 0: not known
  int64_t elements = 0;  ///< upper bound on the elements of one d; 0: unknown
};
/// `10 pairs, of which at least 7 are read`.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const OverRead &overRead);

/// Nothing for an exact map. Pairs of maps with runtime variables are not
/// counted, since they differ from value to value.
[[nodiscard]] std::optional<OverRead> overRead(const OperandMap &map,
                                               Budget budget = {});

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_DECIDE_FOOTPRINT_H
