// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is derived from maps, against the pairs that a program reads: distinct
// elements and reads, sectors of warps, boxes of tiles, and recomputation.

#ifndef MERCATOR_TESTS_PROVENANCE_USES_H
#define MERCATOR_TESTS_PROVENANCE_USES_H

#include "Relation.h"

namespace mercator::testing {

/// How many answers were exact, and checked for equality.
struct UsesSeen {
  int64_t counts = 0, sectors = 0, boxes = 0, recomputations = 0;
};

/// Checks the uses of maps from the results to the operands of `read`. The lanes,
/// the tile and its place are drawn with `seed`. Returns the first difference,
/// else the empty string.
std::string differenceOfUses(const indexing::MapSet &maps, const Relation &read,
                             uint64_t seed, UsesSeen &seen);

} // namespace mercator::testing

#endif // MERCATOR_TESTS_PROVENANCE_USES_H
