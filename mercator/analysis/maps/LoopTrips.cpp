// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose number of iterations is an expression of runtime values: the
// second case of Loop.h.
//
// The idea: if the states repeat with a period, the map from the result to an
// initial value depends only on the number of iterations, up to the first
// repeated state, and from there on modulo the period. Each map gets this as a
// constraint on the expression (Trips).

#include "mercator/analysis/maps/Loop.h"
#include "mercator/analysis/values/KnownValues.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/simplify/Simplify.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;

/// Nothing if the states do not repeat after a few iterations.
std::optional<Loop::Sequence> Loop::sequenceOf(Reads &reads,
                                               const States &atEnd) {
  Sequence sequence{{atEnd}};
  for (unsigned t = 0; t < FusionMaps::kMaxIterations; ++t) {
    reads.allow();
    States next = step(reads, sequence.states.back(), anyIteration(),
                       /*drop=*/true);
    for (size_t j = sequence.states.size(); j-- > 0;)
      if (same(next, sequence.states[j], /*alsoExactness=*/true)) {
        sequence.repeats = j;
        // Without clamping, the distance must not overflow.
        if (!trips->isNarrow &&
            (sequence.period() > 1 || (trips->plus && trips->minus)))
          return std::nullopt;
        return sequence;
      }
    sequence.states.push_back(std::move(next));
  }
  return std::nullopt;
}

/// Restricts the map to runs whose number of iterations lies in `trips`; with
/// `onlyThisResidue`, also to numbers congruent to trips.lower modulo the
/// period.
OperandMap Loop::whereTrips(OperandMap m, const Sequence &sequence,
                            Interval trips, bool onlyThisResidue) {
  const Trips &by = *this->trips;
  Interval bounds;
  if (trips.lower > 0)
    bounds.lower = (trips.lower - 1) * by.step + 1;
  if (trips.hasUpper())
    bounds.upper = trips.upper * by.step;
  if ((bounds == Interval::everything() && !onlyThisResidue) ||
      m.map.isKnownEmpty())
    return m;
  Map &map = m.map;
  Expr distance = arena.constant(by.offset);
  // If the last state repeats itself, all larger distances mean the same.
  bool isClamped = sequence.period() == 1 && !(by.plus && by.minus);
  Interval matters = {0, int64_t(sequence.states.size()) * by.step + 1};
  auto add = [&](const std::optional<Leaf> &leaf, int64_t sign) {
    if (!leaf)
      return;
    SmallVector<Expr> at(sizesOf(leaf->value.getType()).size(),
                         arena.constant(0));
    IndexValue value = indexValue(arena, map.domain, leaf->value, at);
    if (m.devices) // the value on the device of the result
      value.index.push_back(arena.dim(map.numDims() - 1));
    Interval range =
        isClamped ? (matters - Interval::point(by.offset)) * sign : value.range;
    distance =
        arena.add(distance, arena.scale(clampedIndex(map, value, range), sign));
  };
  add(by.plus, 1);
  add(by.minus, -1);
  map.domain.addConstraint(
      distance,
      bounds.intersect(IntervalAnalysis(arena, map.domain).interval(distance)));
  if (onlyThisResidue) {
    Expr count = arena.max(arena.ceilDiv(distance, by.step), arena.constant(0));
    int64_t period = int64_t(sequence.period());
    map.domain.addConstraint(arena.mod(count, period),
                             Interval::point(trips.lower % period));
  }
  mergeRuntimes(map);
  map = simplify(map);
  m.leastRead = 0;
  return m;
}

/// The maps to the initial values. Each map holds for the numbers of iterations
/// whose state contains it.
Loop::States Loop::entryBySequence(Reads &reads, const Sequence &sequence) {
  const std::vector<States> &states = sequence.states;
  States entry(carried.size());
  // A map that is not exact does not count if an exact one means the same.
  auto isIn = [&](unsigned k, size_t t, OperandMap m) {
    if (!contains(states[t][k].maps, m))
      return false;
    return m.exact || !contains(states[t][k].maps, {m.map});
  };
  for (auto [k, c] : llvm::enumerate(carried))
    for (size_t first = 0; first < states.size(); ++first)
      for (const OperandMap &m : states[first][k].maps) {
        bool isKnown = false;
        for (size_t t = 0; t < first; ++t)
          isKnown |= isIn(k, t, m);
        if (isKnown)
          continue;
        auto add = [&, k = k, &c = c](Interval trips, bool onlyThisResidue) {
          reads.insert(entry[k], c.sizes,
                       whereTrips(m, sequence, trips, onlyThisResidue));
        };
        bool always = true; // in all states that repeat
        for (size_t t = sequence.repeats; t < states.size(); ++t)
          always &= isIn(k, t, m);
        for (size_t t = first; t < states.size(); ++t) {
          if (!isIn(k, t, m))
            continue;
          if (t >= sequence.repeats && !always) {
            add({int64_t(t), Interval::kMax}, true);
            continue;
          }
          size_t end = t;
          while (end < sequence.repeats && isIn(k, end, m))
            ++end;
          bool isOpen = end >= sequence.repeats && always;
          add({int64_t(t), isOpen ? Interval::kMax : int64_t(end) - 1}, false);
          if (isOpen)
            break;
          t = end - 1;
        }
      }
  return entry;
}

Loop::States Loop::followTrips(Reads &reads, const Sequence &sequence) {
  for (auto [t, states] : llvm::enumerate(sequence.states)) {
    reads.allow();
    When when = anyIteration();
    when.beforeLast = int64_t(t);
    when.orBefore = t + 1 == sequence.states.size();
    // With a period above 1, a repeating state belongs to some iterations
    // only.
    if (t >= sequence.repeats && sequence.period() > 1)
      when.beforeLast = std::nullopt;
    collect(reads, states, when, {Certainty::IfRun, &sequence, int64_t(t)});
  }
  return entryBySequence(reads, sequence);
}
