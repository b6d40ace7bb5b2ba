// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The canonical form of a map: maps with one canonical form mean the same.
//
//   (d0)[s0, s1, s2] -> (s2 + s0 * 8), domain: d0 in [0, 9], s0 in [0, 3],
//   s1 in [0, 5], s2 in [0, 7]
//     => (d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 31]
//
// The form is simplified, has no unused ranges, has its ranges in the order of
// their use, and its constraints sorted by handle. Maps with different canonical
// forms may mean the same; Prove.h has an example.
//
// Internal: prove() uses it.

#ifndef MERCATOR_INDEXING_DECIDE_CANONICAL_H
#define MERCATOR_INDEXING_DECIDE_CANONICAL_H

#include "mercator/indexing/map/Map.h"

namespace mercator::indexing {

/// Runtime variables keep their positions. Ensures: the same relation.
[[nodiscard]] Map canonical(const Map &map);

/// Equal except for names and sources.
[[nodiscard]] bool sameText(const Map &a, const Map &b);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_DECIDE_CANONICAL_H
