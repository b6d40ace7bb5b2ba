// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equality of maps (Prove.h) by enumeration, for maps whose runtime variables
// have no sources, and a check of counterexamples. It shares no code with the
// prover.

#ifndef MERCATOR_TESTS_INDEXING_COUNTEREXAMPLES_H
#define MERCATOR_TESTS_INDEXING_COUNTEREXAMPLES_H

#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/notation/Notation.h"

#include "RandomMaps.h"

namespace mercator::indexing::testing {

inline bool usesRuntime(const Map &m, uint32_t i) {
  Var v{VarKind::Runtime, i};
  auto uses = [&](Expr e) { return m.arena->uses(e, v); };
  return i < m.domain.runtimes.size() &&
         (llvm::any_of(m.results, uses) ||
          llvm::any_of(
              m.domain.constraints,
              [&](const Constraint &c) { return uses(c.expr); }));
}

/// reads(d, rt) of `map`, where rt are the runtime variables that `map` or
/// `other` uses, by position. Those that only `other` uses take each value of
/// its interval.
inline Relation readsBeside(const Map &map, const Map &other) {
  Relation r;
  size_t places =
      std::max(map.domain.runtimes.size(), other.domain.runtimes.size());
  forEachPointOf(*map.arena, map.domain, [&](const Values &at) {
    Index to;
    for (Expr e : map.results)
      to.push_back(evaluate(*map.arena, e, at));
    std::vector<Index> from = {at.dims};
    for (uint32_t i = 0; i < places; ++i) {
      Interval values = usesRuntime(map, i) ? Interval::point(at.runtimes[i])
                        : usesRuntime(other, i)
                            ? other.domain.runtimes[i].bounds
                            : Interval::point(0);
      std::vector<Index> longer;
      for (const Index &prefix : from)
        for (int64_t x = values.lower; x <= values.upper; ++x) {
          longer.push_back(prefix);
          longer.back().push_back(x);
        }
      from = std::move(longer);
    }
    for (const Index &f : from)
      r.add(f, to);
  });
  r.normalize();
  return r;
}

inline bool meanTheSame(const Map &a, const Map &b) {
  return readsBeside(a, b) == readsBeside(b, a);
}

/// The reason if the counterexample of a verdict on `a` and `b` is wrong.
inline std::optional<std::string>
wrongCounterexample(const Map &a, const Map &b, const Verdict &verdict) {
  if (verdict.first != a || verdict.second != b)
    return "it speaks of other maps: " + indexing::toString(verdict.first) +
           " and " + indexing::toString(verdict.second);
  const Counterexample &c = *verdict.counterexample;
  const Map &reader = c.firstReads ? a : b, &other = c.firstReads ? b : a;
  auto list = [](const auto &values) {
    return Index(values.begin(), values.end());
  };
  Values at{.dims = list(c.dims),
            .ranges = list(c.ranges),
            .runtimes = list(c.runtimesOf(reader, true))};
  Index elsewhere = list(c.runtimesOf(other, false));
  for (uint32_t i = 0; i < std::min(at.runtimes.size(), elsewhere.size()); ++i)
    if (usesRuntime(reader, i) && usesRuntime(other, i) &&
        at.runtimes[i] != elsewhere[i])
      return "a runtime variable has two values";
  // The point lies in the domain of the map that reads there.
  bool inside = !reader.isKnownEmpty();
  auto isIn = [&](const auto &variables, const Index &values) {
    if (variables.size() != values.size())
      return false;
    for (size_t i = 0; i < values.size(); ++i)
      if (!variables[i].bounds.contains(values[i]))
        return false;
    return true;
  };
  inside &= isIn(reader.domain.dims, at.dims) &&
            isIn(reader.domain.ranges, at.ranges) &&
            isIn(reader.domain.runtimes, at.runtimes);
  if (!inside)
    return "the point is out of the bounds of the map that reads";
  for (const Constraint &k : reader.domain.constraints)
    if (!k.bounds.contains(evaluate(*reader.arena, k.expr, at)))
      return "a constraint of the map that reads does not hold";
  Index element;
  for (Expr e : reader.results)
    element.push_back(evaluate(*reader.arena, e, at));
  if (element != list(c.element))
    return "the map that reads reads " + toString(element);
  // The other map reads the element for no values of its range variables.
  Domain there = other.domain;
  for (size_t i = 0; i < at.dims.size(); ++i)
    there.dims[i].bounds =
        there.dims[i].bounds.intersect(Interval::point(at.dims[i]));
  for (size_t i = 0; i < elsewhere.size(); ++i)
    there.runtimes[i].bounds =
        there.runtimes[i].bounds.intersect(Interval::point(elsewhere[i]));
  bool reads = false;
  forEachPointOf(*other.arena, there, [&](const Values &p) {
    Index also;
    for (Expr e : other.results)
      also.push_back(evaluate(*other.arena, e, p));
    reads |= also == element;
  });
  return reads ? std::optional<std::string>("the other map reads it, too")
               : std::nullopt;
}

} // namespace mercator::indexing::testing

#endif // MERCATOR_TESTS_INDEXING_COUNTEREXAMPLES_H
