// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Propagation: the bounds of single variables that the constraints of a domain
// imply.
//
//   d0 in [0, 1999], s0 in [0, 1], s1 in [0, 2], 6*d0 + 3*s0 + s1 in [0, 598]
//     gives d0 in [0, 99]
//   d0 in [1, 7], d0 mod 2 in [1, 1], d0 in [2, 6]   gives d0 in [3, 5]
//
// Each constraint is pushed down its expression: a bound on a sum bounds each
// term, given the others; a bound on x / c bounds x; and so on. Rounds repeat
// until nothing changes.
//
// Constraints that depend on each other can shrink a box by one in each round
// (x - y <= -1 and y - x <= -1 on a box of 10^18), so the number of rounds is
// limited. Where the limit is reached, the result of all rounds is dropped.
// This is sound, and makes the result independent of the number of calls.
//
// Internal to this library.

#ifndef MERCATOR_INDEXING_MAP_PROPAGATION_H
#define MERCATOR_INDEXING_MAP_PROPAGATION_H

#include "mercator/indexing/map/Domain.h"
#include "mercator/indexing/map/IntervalAnalysis.h"

namespace mercator::indexing {

/// Computes data.tightened, data.residues and data.knownEmpty from data.given
/// and data.constraints.
/// Ensures: `tightened` and `residues` contain every point of the domain;
/// knownEmpty only if there is no such point.
void propagate(Arena &arena, IntervalAnalysis::Data &data);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_MAP_PROPAGATION_H
