// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps through a loop. Internal.
//
// One loop is the example throughout. It adds the first N of 100 rows of a matrix
// %q to a vector %p of 4 elements:
//
//   %r:3 = while (%i = 0, %h = %p, %xs = %q) { %i < N } do
//       { %i + 1, %h + %xs[%i], %xs }
//
// Which elements of %p and %q does the result %r#1 read, the last %h?
//
// Vocabulary. The loop _carries_ %i, %h and %xs. A carried value is _unchanged_ if
// the body returns it as it is, as %xs here. It is not followed: the body reads it
// at its initial value, here %q, like a value from _outside_ the loop. A _state_
// has a set of maps for each carried value: how the result reads it. The iterations
// have the numbers 0 to N - 1.
//
// 1. States. X(t) is the state t iterations before the end. At the end, the result
//    is %h. One iteration before, %h was another value, and %h + %xs[%i] reads it:
//
//      X(0)   %h: (d0) -> (d0)
//      X(1)   %h: (d0) -> (d0)
//
//    X(t + 1) = F(X(t)), where F composes a state with the maps of the body
//    (`step`). X(N) has the maps to the initial values: %p is read by (d0) -> (d0).
//
// 2. Reads outside. The body also reads %xs, which is %q, by
//
//      (d0){rt0} -> (rt0, d0), rt0 is %i
//
//    %i is n in iteration n (LoopCounter.h). So in one iteration rt0 becomes a
//    number, and in several iterations a range variable (`during`). What X(t) reads
//    by such a map, in the iterations whose end has the state X(t), is collected
//    (`collect`).
//
// 3. Three ways to follow X(0), X(1), ...
//
//    N = 3. Few iterations are unrolled, each with its number (`unroll`).
//      %q: (d0) -> (2, d0)
//          (d0) -> (1, d0)
//          (d0) -> (0, d0)
//
//    N = %n, an integer that is known when the program runs. If the states repeat,
//    maps get a constraint that compares %n with t (`followTrips`).
//      %q: (d0)[s0]{rt0} -> (s0, d0), s0 in [0, 99], rt0 - s0 in [1, 100],
//          rt0 is %n
//
//    N = 100. The states are followed until they repeat (`followAll`), which X(1)
//    does. So all iterations have one state, and one map is enough.
//      %q: (d0)[s0] -> (s0, d0), s0 in [0, 99]
//
// 4. States that change. If the body exchanged %h with another carried value %g,
//    the states would alternate:
//
//      X(0)   %h: (d0) -> (d0)
//      X(1)   %g: (d0) -> (d0)
//      X(2) = X(0)
//
//    With N = %n, the maps to the initial values hold for even and for odd %n, as
//    constraints of the maps say. With N = 100 they are the union of all states, an
//    over-approximation. A set that still grows after kMaxIterations steps is
//    widened to the whole tensor.
//
// The iteration is Kleene's on sets of maps, and the last step a widening
// (P. Cousot and R. Cousot, "Abstract interpretation", 1977). It ends early because
// almost all loops carry a value unchanged, replace it, or exchange it with
// another.
//
// LoopSlices.cpp has one more idea, for loops that replace a tensor slice by slice.

#ifndef MERCATOR_ANALYSIS_MAPS_LOOP_H
#define MERCATOR_ANALYSIS_MAPS_LOOP_H

#include "mercator/analysis/maps/Walk.h"
#include "mercator/analysis/values/LoopCounter.h"

namespace mercator::maps {

class Loop {
public:
  Loop(FusionMaps::Cache &cache, stablehlo::WhileOp op);

  /// The values outside the loop that a leaf of a result reads: the algorithm
  /// above.
  std::vector<Outside> readsOf(Leaf result);

  /// One state for each leaf of each carried value, in order.
  using States = std::vector<State>;
  [[nodiscard]] size_t size() const { return carried.size(); }
  /// The arguments of the body or of the condition.
  [[nodiscard]] std::vector<Leaf> argumentsOf(mlir::Block *block) const;
  [[nodiscard]] bool isUnchanged(unsigned k) const {
    return carried[k].isUnchanged;
  }
  [[nodiscard]] std::optional<int64_t> iterations() const {
    return counter.iterations();
  }
  [[nodiscard]] std::optional<unsigned> indexOf(unsigned number,
                                                unsigned leaf) const;

  /// From the reads at the end of some iteration: `anywhere` gets the reads at
  /// the end of this and of any earlier iteration, `outside` those of values
  /// outside the loop.
  void follow(Reads &reads, const States &atEnd, States &anywhere,
              std::vector<Outside> &outside);
  /// Adds the reads of the condition.
  void addCondition(Reads &reads, States &states);
  /// The states as reads of the operands of the loop.
  std::vector<Outside> asOutside(const States &states) const;

private:
  struct Carried {
    unsigned number, leaf;
    bool isUnchanged;
    llvm::SmallVector<int64_t> sizes;
  };
  /// The iterations from first to last; all of them if not isKnown.
  struct When {
    int64_t first = 0, last = 0;
    bool isKnown = false;
    /// True if the number of the iteration is a runtime variable that all maps
    /// share.
    bool isShared = false;
    /// If `trips` are known: the iteration with this distance from the last,
    /// and with orBefore any iteration before it too.
    std::optional<int64_t> beforeLast = {};
    bool orBefore = false;
  };
  When anyIteration() const;
  Leaf initial(unsigned k) const {
    return {op->getOperand(carried[k].number), carried[k].leaf};
  }

  /// What the carried value k reads at the end of the body, and the predicate at
  /// the end of the condition.
  const WalkResult &readsInBody(unsigned k);
  const WalkResult &readsInCondition();

  // One step, from X(t) to X(t + 1), in the given iterations.
  States step(Reads &reads, const States &from, const When &when, bool drop);
  static bool same(const States &a, const States &b, bool alsoExactness);
  bool addAll(Reads &reads, const States &from, States &to);

  // The maps of the body in given iterations: LoopIterations.cpp.
  MapSet during(const MapSet &maps, const When &when, bool drop = false);
  OperandMap during(OperandMap m, const When &when, bool drop);
  [[nodiscard]] bool mayBeInside(const SourcePlace &place) const;
  std::optional<Source> unchangedSource(const SourcePlace &place);
  indexing::Interval countersThatMatter(const Map &map);
  indexing::Expr boundValue(Map &map, const Trips::Bound &bound, int64_t more,
                            indexing::Interval matters);
  void restrictCounter(Map &map, indexing::Expr x, const When &when,
                       indexing::Interval matters);
  /// A runtime variable for the number of an iteration.
  indexing::RuntimeVariable sharedIteration(const When &when);
  /// Replaces the variable of sharedIteration by a range variable.
  OperandMap inSome(OperandMap m, const When &when);

  // A small constant number of iterations. Each of the three ways returns the
  // maps to the initial values.
  States unroll(Reads &reads, States now, int64_t count);

  // A number of iterations that is an expression of runtime values:
  // LoopTrips.cpp.
  /// X(0) to X(size - 1). The states from X(repeats) on repeat periodically.
  struct Sequence {
    std::vector<States> states;
    size_t repeats = 0;
    [[nodiscard]] size_t period() const { return states.size() - repeats; }
  };
  std::optional<Sequence> sequenceOf(Reads &reads, const States &atEnd);
  States followTrips(Reads &reads, const Sequence &sequence);
  OperandMap whereTrips(OperandMap m, const Sequence &sequence,
                        indexing::Interval trips, bool onlyThisResidue);
  States entryBySequence(Reads &reads, const Sequence &sequence);

  // All other loops.
  /// X(0), X(1), ..., and their union. If isStable, X(t) is the last of them for
  /// all later t.
  struct Union {
    std::vector<States> all;
    States together;
    bool isStable = false;
  };
  States followAll(Reads &reads, const States &atEnd, unsigned root);
  Union unite(Reads &reads, const States &atEnd);
  void widenWhereItGrows(Reads &reads, const States &now, States &next);
  void collectUnion(Reads &reads, const Union &u);
  States entryAfterAny(Reads &reads, const Union &u);

  // Slices that the loop replaces in order: LoopSlices.cpp.
  /// A carried value with such slices. Iteration n replaces the |at.scale|
  /// indices of dimension `dim` that begin at at(n).
  struct Slices {
    unsigned carried, dim;
    Affine at;
  };
  std::optional<Slices> slicesOf(unsigned k);
  /// True if no other carried value that is read leads to this one.
  bool isReadByItself(unsigned k, const std::vector<States> &all);
  /// The elements that no iteration after `iteration` replaces.
  indexing::Map notReplaced(const Slices &slices, indexing::Expr iteration);

  // Reads of values outside the loop.
  /// Whether something is read always, perhaps, or exactly if the loop has run
  /// more than `iteration` times.
  struct Certainty {
    enum Kind { Always, Perhaps, IfRun } kind = Always;
    const Sequence *sequence = nullptr;
    int64_t iteration = 0;
  };
  void collect(Reads &reads, const States &from, const When &when,
               Certainty certainty);
  void collectCondition(Reads &reads);
  State &collected(Leaf leaf, std::optional<unsigned> operand);

  FusionMaps::Cache &cache;
  stablehlo::WhileOp op;
  Arena &arena;
  LoopCounter counter;
  std::optional<Trips> trips; ///< if the number of iterations is not constant
  std::vector<Carried> carried;
  /// The slices of the value whose result is being followed.
  std::optional<Slices> slices;

  /// The reads outside the loop, collected so far.
  struct Found {
    Leaf leaf;
    std::optional<unsigned> operand;
    State state;
  };
  std::vector<Found> found;
};

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_LOOP_H
