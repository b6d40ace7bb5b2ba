// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps through a loop. Internal.
//
// Let X(t) be the maps from the result to the values that the loop carries, t
// iterations before its end. X(t + 1) is X(t) composed with the maps of the
// body. The sequence is followed until it repeats itself, or for the number of
// iterations.
//
//   while (%i = 0, %h = %p, %xs = %q) { %i < 100 } do
//       { %i + 1, %h + %xs[%i], %xs }
//   from the result %h, of 4 elements
//     X(0) = X(1) = ...: %h (d0) -> (d0)
//     %q: (d0)[s0] -> (s0, d0), s0 in [0, 99]: one for each iteration
//
// If a bound of the counter is known only when the program runs, it is a
// runtime variable of the maps that depend on the number of iterations:
//
//   while (%i = %start, %x = %p, %y = %q) { %i < 10 } do { %i + 1, %y, %y }
//   from the result %x
//     %p: (){rt0} -> (), 10 - rt0 in [-inf, 0]   the loop never runs
//     %q: (){rt0} -> (), 10 - rt0 in [1, inf]    rt0 is %start
//
// A carried value that the body does not change is not followed: it is read at
// its initial value, as values from outside the loop are.

#ifndef MERCATOR_ANALYSIS_MAPS_LOOP_H
#define MERCATOR_ANALYSIS_MAPS_LOOP_H

#include "mercator/analysis/maps/Walk.h"
#include "mercator/analysis/values/LoopCounter.h"

namespace mercator::maps {

class Loop {
public:
  Loop(FusionMaps::Cache &cache, stablehlo::WhileOp op);

  /// The values outside the loop that a leaf of a result reads.
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
  /// A carried value whose slices the loop replaces in order. Iteration n
  /// replaces the |at.scale| indices of dimension `dim` that begin at at(n);
  /// see LoopSlices.cpp.
  struct Slices {
    unsigned carried, dim;
    Affine at;
  };
  std::optional<Slices> slicesOf(unsigned k);
  /// True if no other carried value that is read leads to this one.
  bool isReadByItself(unsigned k, const std::vector<States> &all);
  /// The elements that no iteration after `iteration` replaces.
  indexing::Map notReplaced(const Slices &slices, indexing::Expr iteration);
  /// A runtime variable for the number of an iteration.
  indexing::RuntimeVariable sharedIteration(const When &when);
  /// Replaces the variable of sharedIteration by a range variable.
  OperandMap inSome(OperandMap m, const When &when);

  Leaf initial(unsigned k) const {
    return {op->getOperand(carried[k].number), carried[k].leaf};
  }
  /// X(0) to X(size - 1). The states from X(repeats) on repeat periodically.
  struct Sequence {
    std::vector<States> states;
    size_t repeats = 0;
    [[nodiscard]] size_t period() const { return states.size() - repeats; }
  };
  std::optional<Sequence> sequenceOf(Reads &reads, const States &atEnd);
  OperandMap whereTrips(OperandMap m, const Sequence &sequence,
                        indexing::Interval trips, bool onlyThisResidue);
  States entryBySequence(Reads &reads, const Sequence &sequence);

  MapSet during(const MapSet &maps, const When &when, bool drop = false);
  OperandMap during(OperandMap m, const When &when, bool drop);
  indexing::Expr boundValue(Map &map, const Trips::Bound &bound, int64_t more,
                            indexing::Interval matters);
  void restrictCounter(Map &map, indexing::Expr x, const When &when,
                       indexing::Interval matters);
  States step(Reads &reads, const States &from, const When &when, bool drop);
  /// Whether something is read always, perhaps, or exactly if the loop has run
  /// more than `iteration` times.
  struct Certainty {
    enum Kind { Always, Perhaps, IfRun } kind = Always;
    const Sequence *sequence = nullptr;
    int64_t iteration = 0;
  };
  void collect(Reads &reads, const States &from, const When &when,
               Certainty certainty);
  State &collected(Leaf leaf, std::optional<unsigned> operand);
  void collectCondition(Reads &reads);
  static bool same(const States &a, const States &b, bool alsoExactness);
  void collectMany(Reads &reads, const std::vector<States> &all,
                   const States &together, bool isStable);
  bool addAll(Reads &reads, const States &from, States &to);
  When anyIteration() const;

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
