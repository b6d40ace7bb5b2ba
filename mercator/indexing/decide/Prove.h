// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Do two maps mean the same?
//
//   (d0) -> ((d0 floordiv 8) * 8 + d0 mod 8), domain: d0 in [0, 99]
//   (d0) -> (d0), domain: d0 in [0, 99]                              equal
//
//   (d0)[s0, s1] -> (s0 * 8 + s1), domain: ..., s0 in [0, 3], s1 in [0, 7]
//   (d0)[s0] -> (s0), domain: ..., s0 in [0, 31]                     equal
//
// Meaning. A map is the relation
//
//   reads(d, rt) = { results(d, s, rt) : s with (d, s, rt) in the domain }
//
// and two maps are equal when these sets are equal for all d and rt. So how
// many range variables there are, and how they are called or ordered, does not
// matter; outside its domain a map reads nothing. Dimensions correspond by
// place.
//
// Runtime variables correspond by place too, except that two which name sources
// are one variable exactly if they read the same element of the same source. A
// runtime variable takes part in a map that uses it, in a result or in a
// constraint:
//   used by both maps   each map reads nothing outside its own interval, so
//                       maps with different intervals usually differ
//   used by one map     the values of its interval are compared; the other map
//                       reads the same at each of them
//   used by neither     the intervals do not matter
// For the program, the value lies in the interval: it is clamped. So a variable
// that a map does not use says nothing about what the map reads. An empty
// interval is the exception, used or not: there is no value to clamp to, and
// the map reads nothing.
//
// A text `KNOWN EMPTY` with no dimensions and no results is an empty map of any
// rank; otherwise maps of different ranks are different.
//
// How. Cheap and certain first:
//   1. the same handles, or the same after simplifying and renumbering ranges;
//   2. some points, corners mostly: most different maps differ at once;
//   3. all points, where there are few;
//   4. reasoning: ranges of one side are solved for (Solve.h), so that "is
//      read by" becomes constraints on (d, rt, element); each must follow from
//      the other side's domain, that is, the domain with the constraint negated
//      is empty (Emptiness.h). Ranges that cannot be solved for are
//      tried as those of the other side.
// What none of them decides is undecided, with the reason. Unknown is never
// equal.
//
// A counterexample has been evaluated on both maps as given: one map reads the
// element at a point of its domain, the other map was shown not to. A
// difference for which this fails is not reported; the verdict is then
// unknown.

#ifndef MERCATOR_INDEXING_DECIDE_PROVE_H
#define MERCATOR_INDEXING_DECIDE_PROVE_H

#include "mercator/indexing/decide/Decision.h"
#include "mercator/indexing/evaluate/Budget.h"
#include "mercator/indexing/map/Map.h"

namespace mercator::indexing {

struct ProveOptions {
  Budget budget = {}; ///< steps of 3, columns of a polyhedron in 4
  /// False: without 1, on the maps as given, as a check on the simplifier asks.
  bool trustSimplifier = true;
};

/// An element that one map reads at (dims, runtimes) and the other does not.
struct Counterexample {
  /// The value of a runtime variable that takes part.
  struct RuntimeValue {
    int64_t value;
    /// In the lists of Verdict::first and ::second; none where a map lacks it.
    std::optional<uint32_t> place[2];
    bool used[2]; ///< by Verdict::first and ::second
  };
  llvm::SmallVector<int64_t, 6> dims;
  llvm::SmallVector<RuntimeValue, 2> runtimes;
  llvm::SmallVector<int64_t, 6> element;
  bool firstReads = true;
  llvm::SmallVector<int64_t, 4> ranges; ///< of the reading map: how it reads it

  /// A value for each runtime variable of `map`, which is the map that reads or
  /// the other one. Variables that it does not use have a value of their
  /// interval.
  [[nodiscard]] llvm::SmallVector<int64_t, 2> runtimesOf(const Map &map,
                                                         bool ofReader) const;
};

/// Whether two maps are equal.
struct Verdict : Decision {
  std::optional<Counterexample> counterexample;
  /// The maps as given, but with runtime variables that read the same element
  /// of the same source merged.
  Map first, second;
};

/// Requires: one arena.
[[nodiscard]] Verdict prove(const Map &a, const Map &b,
                            const ProveOptions &options = {});

/// Each runtime variable without a source gets one of its own. Then two maps
/// made from this one agree on which variable is which, even if one of them has
/// dropped others: prove(m, simplify(m)) needs it.
[[nodiscard]] Map withOwnSources(Map map);

/// Prints a verdict for a reader: `equal`, `different` or `undecided` on the
/// first line, then how it was decided. A counterexample is a trace: the point,
/// every intermediate value and the results on both sides, and the bound or
/// constraint that keeps a side from reading there.
void explain(llvm::raw_ostream &os, const Verdict &verdict);
/// The same.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Verdict &verdict);

/// True only if the one map gives, for all d and rt, what the other gives:
///   (d0)[s0] -> (s0, d0), s0 in [0, 9]   contains   (d0) -> (d0, d0)
/// Made for leaving out what a set of maps has anyway, so it looks at bounds
/// and handles and proves nothing: see Contains.cpp for what it finds. Cost:
/// linear in the sizes of the maps. Requires: one arena.
[[nodiscard]] bool contains(const Map &outer, const Map &inner);

/// True only if the maps mean the same; made for removing duplicates from sets
/// of maps, so it decides quickly or not at all. Runtime variables must agree
/// in place, bounds and source. Cost: one comparison for equal handles, a few
/// microseconds for simplified maps, at most the steps of the budget.
/// Requires: one arena.
[[nodiscard]] bool sameMeaning(const Map &a, const Map &b,
                               Budget budget = {.steps = 2048});

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_DECIDE_PROVE_H
