// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime variables of two maps, matched with each other.
//
//   first:  {rt0, rt1} -> (d0 + rt1)      does not use rt0
//   second: {rt0, rt1} -> (d0 + rt0)      does not use rt1
//     two variables take part: rt1 of the first map, rt0 of the second
//
// Two variables with sources are one variable if they read the same element of
// the same source. Parameters are one variable if they have the same name. Other
// variables are one variable if they have the same position. A map uses a variable if a result or a constraint does. A variable
// that neither map uses does not take part.
//
// The interval of a variable limits the maps that use it, and no others:
//   used by both maps   each map reads nothing outside its own interval
//   used by one map     the values in the interval of that map are compared
// An empty interval makes the domain empty, even of a map that does not use the
// variable: there is no value to clamp to.
//
// Internal: prove() uses it.

#ifndef MERCATOR_INDEXING_DECIDE_RUNTIMEPAIRS_H
#define MERCATOR_INDEXING_DECIDE_RUNTIMEPAIRS_H

#include "mercator/indexing/map/Map.h"

namespace mercator::indexing {

class RuntimePairs {
public:
  /// A variable that takes part, and its position in each map.
  struct Joint {
    std::optional<uint32_t> place[2];
    bool used[2] = {false, false};
    Interval bounds; ///< the values that are compared; not empty
  };

  RuntimePairs(const Map &first, const Map &second);

  [[nodiscard]] llvm::ArrayRef<Joint> list() const { return joint; }

  /// The map with list() as its runtime variables.
  /// Requires: `map` is the first map (side 0) or the second (side 1).
  [[nodiscard]] Map aligned(const Map &map, int side) const;

private:
  llvm::SmallVector<Joint, 4> joint;
};

/// The map with each runtime variable once: the indices of the variables are
/// simplified, then variables that read the same element of the same source are
/// merged.
[[nodiscard]] Map withDistinctRuntimes(Map map);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_DECIDE_RUNTIMEPAIRS_H
