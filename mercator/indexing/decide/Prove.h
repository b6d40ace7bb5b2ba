// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equivalence: do two maps mean the same?
//
//   (d0) -> ((d0 floordiv 8) * 8 + d0 mod 8), domain: d0 in [0, 99]
//   (d0) -> (d0), domain: d0 in [0, 99]                              equal
//
//   (d0)[s0, s1] -> (s0 * 8 + s1), domain: ..., s0 in [0, 3], s1 in [0, 7]
//   (d0)[s0] -> (s0), domain: ..., s0 in [0, 31]                     equal
//
// ```cpp
// Arena arena;
// Map digits(arena), number(arena);
// for (Map *m : {&digits, &number})
//   m->domain.addDim(arena, {0, 99});
// Expr s0 = digits.domain.addRange(arena, {0, 3});
// Expr s1 = digits.domain.addRange(arena, {0, 7});
// digits.results = {arena.add(arena.scale(s0, 8), s1)};
// number.results = {number.domain.addRange(arena, {0, 31})};
// assert(prove(digits, number).isYes());
// ```
//
// Meaning. A map is the relation
//
//   reads(d, rt) = { results(d, s, rt) : s with (d, s, rt) in the domain }
//
// Two maps are equal if these sets are equal for all d and rt. So the number,
// the names and the order of range variables do not matter. Outside its domain
// a map reads nothing. Dimensions correspond by position.
//
// Runtime variables correspond by position too, with one exception: two
// variables with sources are the same variable exactly if they read the same
// element of the same source. A runtime variable takes part in a map that uses
// it, in a result or in a constraint:
//   used by both maps   each map reads nothing outside its own interval, so
//                       maps with different intervals usually differ
//   used by one map     the values of its interval are compared; the other map
//                       reads the same at each of them
//   used by neither     the intervals do not matter
// The value of a variable always lies in its interval, because it is clamped.
// So a variable that a map does not use does not restrict the map. The
// exception is an empty interval: there is no value to clamp to, and the map
// reads nothing, even if it does not use the variable.
//
// The text `KNOWN EMPTY` alone, with no dimensions and no results, is an empty
// map of any rank. Otherwise maps of different ranks are different.
//
// Methods. Four of them are tried in turn, the cheap and certain ones first. One
// example shows them all, a window of 32 elements:
//
//   A  (d0)[s0] -> (d0 + s0), domain: d0 in [0, 999999], s0 in [0, 31]
//   B  (d0)[s0] -> (s0),      domain: d0 in [0, 999999], s0 in [0, 1000030],
//                             s0 - d0 in [0, 31]
//
//   1. The canonical form (Canonical.h). Both maps are simplified, and their
//      ranges are numbered by use. If they had the same handles then, they would
//      be equal. Here they have not: no rule of the simplifier turns the
//      constraint of B into a range.
//   2. Some points (ProvePoints.cpp), corners first. A point is a value for each
//      variable of one map, which gives an element; the other map is asked for
//      ranges that give this element too. At d0 = 0, s0 = 31, map A reads element
//      31, and B reads it with s0 = 31. If the constraint of B ended at 30, no s0
//      would do: element 31 at d0 = 0 would be a counterexample. Most different
//      maps differ at one of the first points. Here none differs.
//   3. All points (ProvePoints.cpp), if there are few. For each d0, the sets of
//      elements are compared: {0, ..., 31} and {0, ..., 31} at d0 = 0. With d0 in
//      [0, 9], ten such comparisons would be the proof. Here they are too many.
//   4. Reasoning about sets of integers (ProveSets.cpp). Two relations are equal
//      if each includes the other. For "B reads all that A reads":
//      a. "B reads element e at d0" is written without ranges. The equation
//         s0 - e = 0 gives s0 (Solve.h), and leaves the constraints
//           e in [0, 1000030], e - d0 in [0, 31]
//      b. The result of A is substituted for the element: e = d0 + s0.
//           d0 + s0 in [0, 1000030], s0 in [0, 31]
//      c. Each constraint must follow from the domain of A: that domain with the
//         negated constraint must be empty (Emptiness.h). Here it is. A point in
//         it would be a candidate for a counterexample.
//      "A reads all that B reads" follows in the same way. So A and B are equal.
//      If an equation gives no value for a range in (a), the ranges of the other
//      side are tried as its value. That is sufficient, but not necessary.
//
// If no method decides, the answer is undecided, with a reason. Undecided is
// never taken for equal.
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
  Budget budget = {}; ///< steps of method 3, columns of a polyhedron in 4
  /// False: skip method 1 and compare the maps as given. Needed to check the
  /// simplifier.
  bool trustSimplifier = true;
};

/// An element that one map reads at (dims, runtimes) and the other does not.
struct Counterexample {
  /// The value of a runtime variable that takes part.
  struct RuntimeValue {
    int64_t value;
    /// The positions in Verdict::first and ::second, if the map has it.
    std::optional<uint32_t> place[2];
    bool used[2]; ///< by Verdict::first and ::second
  };
  llvm::SmallVector<int64_t, 6> dims;
  llvm::SmallVector<RuntimeValue, 2> runtimes;
  llvm::SmallVector<int64_t, 6> element;
  bool firstReads = true;
  llvm::SmallVector<int64_t, 4> ranges; ///< those with which the map reads it

  /// A value for each runtime variable of `map`, which is the map that reads or
  /// the other one. Unused variables get some value of their interval.
  [[nodiscard]] llvm::SmallVector<int64_t, 2> runtimesOf(const Map &map,
                                                         bool ofReader) const;
};

/// Whether two maps are equal.
struct Verdict : Decision {
  std::optional<Counterexample> counterexample;
  /// The maps as given, except that runtime variables that read the same
  /// element of the same source are merged.
  Map first, second;
};

/// Decides whether the maps mean the same. Requires: one arena.
[[nodiscard]] Verdict prove(const Map &a, const Map &b,
                            const ProveOptions &options = {});

/// The map with a new source for each runtime variable that has none. Maps
/// derived from it then agree on the identity of each variable, even if one of
/// them drops others. Needed for prove(m, simplify(m)).
[[nodiscard]] Map withOwnSources(Map map);

/// Prints a verdict: `equal`, `different` or `undecided` on the first line,
/// then the reason. A counterexample is a trace: the point, every intermediate
/// value and the results on both sides, and the bound or constraint that keeps
/// one side from reading there.
void explain(llvm::raw_ostream &os, const Verdict &verdict);
/// The same.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Verdict &verdict);

/// True only if reads_inner(d, rt) is a subset of reads_outer(d, rt) for all d
/// and rt:
///   (d0)[s0] -> (s0, d0), s0 in [0, 9]   contains   (d0) -> (d0, d0)
/// Made for removing redundant maps from a set: it compares bounds and handles
/// only (Contains.cpp), and may be false for maps that contain each other.
/// Requires: one arena. Complexity: linear in the sizes of the maps.
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
