// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is derived from maps, against the pairs that a program reads for some
// values of its indices: distinct elements and reads, sectors of warps, boxes of
// tiles, and recomputation. A count that is called exact is the number for every
// value; a bound holds for every value.

#ifndef MERCATOR_TESTS_PROVENANCE_USES_H
#define MERCATOR_TESTS_PROVENANCE_USES_H

#include "Relation.h"

#include <memory>

namespace mercator::testing {

/// How many answers were exact, and checked for equality. `runtimeCounts` of
/// them were of maps with runtime variables; `bounds` were not exact.
struct UsesSeen {
  int64_t counts = 0, sectors = 0, boxes = 0, tiles = 0, recomputations = 0,
          runtimeCounts = 0, bounds = 0;
};

/// The answers about the maps between two tensors, which do not depend on the
/// values of a run. The lanes, the tile and its place are drawn with a seed.
class Uses {
public:
  Uses(indexing::MapSet maps, Numbers from, Numbers to, uint64_t seed);
  ~Uses();
  Uses(Uses &&) noexcept;

  /// The first answer that does not hold for what one run reads, else the empty
  /// string.
  std::string differenceFrom(const Relation &read, UsesSeen &seen);

private:
  struct Answers;
  std::unique_ptr<Answers> answers;
};

} // namespace mercator::testing

#endif // MERCATOR_TESTS_PROVENANCE_USES_H
