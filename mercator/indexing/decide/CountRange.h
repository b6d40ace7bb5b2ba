// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts for every value of the runtime variables.
//
//   (d0){rt0} -> (d0 + rt0), d0 in [0, 9]        10 elements for every rt0
//   the same, with d0 + rt0 in [0, 9]            1 to 10 elements
//   (d0){rt0} -> (rt0), rt0 is element (d0)      1 to 10 elements
//
// A runtime variable that is read at one index is *uniform*: it has one value
// for all points. All others *vary*: rt0 of a gather has a value for each row.
//
// Count.h takes a runtime variable as one more variable, and so counts the
// elements that any of its values reaches. A count here is an interval: its
// ends are equal only if every value gives the same number.
//
// Method. Few values of uniform variables are tried one by one. If each result
// is a part with runtime variables plus a part without, and no constraint has
// any, then a value moves the elements and does not change their number. Else
// the upper end is the number of points without the runtime variables, or of
// the elements that any value reaches, whichever is smaller.

#ifndef MERCATOR_INDEXING_DECIDE_COUNTRANGE_H
#define MERCATOR_INDEXING_DECIDE_COUNTRANGE_H

#include "mercator/indexing/decide/Count.h"
#include "mercator/indexing/decide/MapSet.h"

namespace mercator::indexing {

struct CountRange {
  int64_t least = 0; ///< a lower bound
  Count most;        ///< an upper bound, or unknown
  /// Why the ends differ; empty if they do not.
  std::string reason = {};

  [[nodiscard]] bool isExact() const { return most.exact() == least; }
};

/// True if the runtime variable has one value for all points of the domain.
[[nodiscard]] bool isUniform(const Arena &arena, const Domain &domain,
                             uint32_t runtime);

/// The assignments of values to the uniform runtime variables of several maps
/// of one arena. Variables that read one element are one variable.
class RuntimeValues {
public:
  explicit RuntimeValues(llvm::ArrayRef<Map> maps);

  /// The number of assignments; none if a variable varies, if a bound is not
  /// known, or if there are more than `most`.
  [[nodiscard]] std::optional<int64_t> count(int64_t most) const;
  /// The maps with the values of one assignment, simplified. Requires: number <
  /// count().
  [[nodiscard]] std::vector<Map> at(int64_t number) const;

private:
  struct Variable {
    RuntimeVariable read; ///< its bounds are the hull of those of its uses
    llvm::SmallVector<std::pair<size_t, uint32_t>, 2> uses; ///< map, number
  };
  std::vector<Map> maps;
  std::vector<Variable> variables;
  bool varies = false;
};

/// The distinct elements that the maps give, over all d. The lower end of maps
/// that are not exact is 0.
[[nodiscard]] CountRange countElements(const MapSet &maps, Budget budget = {});
/// The distinct pairs (d, element) of the maps.
[[nodiscard]] CountRange countReads(const MapSet &maps, Budget budget = {});

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_DECIDE_COUNTRANGE_H
