// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counterexamples. Each is evaluated on the maps as given. So an error in the
// simplifier or in a solver can make a verdict undecided, but never gives a
// wrong "different".

#include "mercator/indexing/decide/Prover.h"
#include "mercator/indexing/evaluate/Evaluate.h"

namespace mercator::indexing {

/// Requires: side `reader` reads `element` at `outer`. If the other side
/// certainly does not read it, records the difference and returns true.
bool Prover::refute(int reader, llvm::ArrayRef<int64_t> outer,
                    llvm::ArrayRef<int64_t> element, const char *how) {
  if (!sides[1 - reader].whoReads(outer, element).isYes())
    return false;
  difference = Difference{.reader = reader,
                          .outer = Values(outer.begin(), outer.end()),
                          .element = Values(element.begin(), element.end()),
                          .how = how};
  kind = Decision::Kind::No;
  reason = how;
  return true;
}

/// The same for a point of side `reader`: dims, ranges, runtimes.
bool Prover::refuteAt(int reader, llvm::ArrayRef<int64_t> point,
                      const char *how) {
  SampledMap &side = sides[reader];
  size_t numDims = side.getMap().numDims();
  Values outer(point.begin(), point.begin() + numDims), ranges;
  for (size_t i = 0; i < side.numRanges(); ++i)
    ranges.push_back(point[numDims + i]);
  outer.append(point.begin() + numDims + ranges.size(), point.end());
  auto element = side.elementAt(outer, ranges);
  return element && refute(reader, outer, *element, how);
}

bool showDifference(Verdict &verdict, const RuntimePairs &pairs,
                    const Difference &found) {
  size_t numDims = verdict.first.numDims();
  Counterexample c;
  c.dims.assign(found.outer.begin(), found.outer.begin() + numDims);
  c.element = found.element;
  c.firstReads = found.reader == 0;
  for (auto [i, x] : llvm::enumerate(pairs.list()))
    c.runtimes.push_back({.value = found.outer[numDims + i],
                          .place = {x.place[0], x.place[1]},
                          .used = {x.used[0], x.used[1]}});
  const Map &reader = c.firstReads ? verdict.first : verdict.second,
            &other = c.firstReads ? verdict.second : verdict.first;
  Difference::Values at = c.dims, elsewhere = c.dims,
                     runtimes = c.runtimesOf(reader, true);
  llvm::append_range(at, runtimes);
  llvm::append_range(elsewhere, c.runtimesOf(other, false));
  Emptiness how = SampledMap(reader).whoReads(at, c.element);
  if (!how.isNo() || !SampledMap(other).whoReads(elsewhere, c.element).isYes())
    return false;
  c.ranges.assign(how.witness.begin(), how.witness.end());
  // The witness came from a search. Check it by evaluation.
  Difference::Values point = c.dims;
  llvm::append_range(point, c.ranges);
  llvm::append_range(point, runtimes);
  if (reader.isKnownEmpty() || !contains(*reader.arena, reader.domain, point))
    return false;
  for (auto [e, wanted] : llvm::zip(reader.results, c.element))
    if (evaluate(*reader.arena, e, reader.domain, point) != wanted)
      return false;
  verdict.counterexample = std::move(c);
  return true;
}

llvm::SmallVector<int64_t, 2> Counterexample::runtimesOf(const Map &map,
                                                         bool ofReader) const {
  int side = ofReader == firstReads ? 0 : 1;
  llvm::SmallVector<int64_t, 2> values;
  // A variable that does not take part gets some value of its interval.
  for (const RuntimeVariable &v : map.domain.runtimes)
    values.push_back(v.bounds.isEmpty() ? 0
                                        : std::clamp<int64_t>(0, v.bounds.lower,
                                                              v.bounds.upper));
  for (const RuntimeValue &x : runtimes)
    if (x.used[side])
      values[*x.place[side]] = x.value;
  return values;
}

} // namespace mercator::indexing
