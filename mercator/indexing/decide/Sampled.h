// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One of two maps that are compared, with the queries that Prover.h needs: the
// elements read at a point, and the ranges that read an element.
//
// Internal to this library.

#ifndef MERCATOR_INDEXING_DECIDE_SAMPLED_H
#define MERCATOR_INDEXING_DECIDE_SAMPLED_H

#include "mercator/indexing/decide/Emptiness.h"
#include "mercator/indexing/evaluate/PointWalk.h"
#include "mercator/indexing/map/Map.h"

namespace mercator::indexing {

class SampledMap {
public:
  explicit SampledMap(const Map &map);

  [[nodiscard]] const Map &getMap() const { return map; }
  /// Dimensions and runtime variables: both maps have them.
  [[nodiscard]] size_t numOuter() const {
    return map.numDims() + map.domain.runtimes.size();
  }
  [[nodiscard]] size_t numRanges() const { return map.domain.ranges.size(); }
  /// The bounds of the outer variables, then of the ranges.
  [[nodiscard]] llvm::ArrayRef<Interval> bounds() const {
    return system.bounds;
  }
  /// The number of choices of ranges, if it fits int64.
  [[nodiscard]] std::optional<int64_t> rangeBox() const;

  /// Visits (outer and ranges, element read) for fixed outer variables.
  PointWalk::End forEachRead(llvm::ArrayRef<int64_t> outer, Budget &budget,
                             PointWalk::Visitor visit);

  /// Whether no values of the ranges read `element` at `outer`; the witness of a
  /// no is such values.
  Emptiness whoReads(llvm::ArrayRef<int64_t> outer,
                     llvm::ArrayRef<int64_t> element);

  /// The element read at a point of the box. Nothing if the point is outside
  /// the domain or a value is undefined.
  std::optional<llvm::SmallVector<int64_t, 6>>
  elementAt(llvm::ArrayRef<int64_t> outer, llvm::ArrayRef<int64_t> ranges);

private:
  bool inBox(llvm::ArrayRef<int64_t> outer) const;

  Map map;
  System system; ///< dims, runtimes, ranges
  PointWalk walk;
};

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_DECIDE_SAMPLED_H
