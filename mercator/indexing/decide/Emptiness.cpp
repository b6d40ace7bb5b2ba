// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emptiness of a domain, part by part.
//
// A part without constraints contains every point of its box. Otherwise: likely
// points, then backtracking search (System.h), then integer programming: the
// rational relaxation by the simplex algorithm, the gcd test, and a search for
// an integer sample (W. Cook, T. Rutherford, H. E. Scarf and D. Shallcross, "An
// implementation of the generalized basis reduction algorithm for integer
// programming", 1993; the implementation is MLIR's). A sample counts only if
// evaluating the constraints confirms it.

#include "mercator/indexing/decide/Emptiness.h"
#include "mercator/indexing/decide/Presburger.h"

#include "mlir/Analysis/Presburger/Simplex.h"

namespace mercator::indexing {

namespace {
using Point = llvm::SmallVector<int64_t, 8>;

/// The element of an interval that is nearest to zero.
int64_t nearestZero(Interval i) {
  return std::clamp<int64_t>(0, i.lower, i.upper);
}

/// The limit on columns for rational emptiness.
constexpr unsigned kMaxRational = 24;

/// One independent part of a domain.
class Part {
public:
  Part(const Arena &arena, const System &system)
      : arena(arena), system(system), walk(arena, system) {}

  unsigned columns = 0; ///< see EmptinessAnswer

  EmptinessAnswer decide(int64_t steps, unsigned maxColumns) {
    if (system.constraints.empty()) {
      Point p;
      for (Interval i : system.bounds)
        p.push_back(nearestZero(i));
      return {Tri::No, p};
    }
    if (tryLikelyPoints())
      return {Tri::No, witness};
    switch (walk.run(steps, [&](llvm::ArrayRef<int64_t> values, auto) {
      witness.assign(values.begin(), values.end());
      return false;
    })) {
    case PointWalk::End::Complete:
      return {Tri::Yes};
    case PointWalk::End::Stopped:
      return {Tri::No, witness};
    case PointWalk::End::Undefined:
      return {Tri::Unknown, {}, "a division by zero or a value outside int64"};
    case PointWalk::End::OutOfFuel:
    case PointWalk::End::Unbounded:
      break;
    }
    return reason(maxColumns);
  }

private:
  bool holdsAt(llvm::ArrayRef<int64_t> p) {
    llvm::SmallVector<Interval, 8> point;
    for (size_t i = 0; i < p.size(); ++i) {
      if (!system.bounds[i].contains(p[i]))
        return false;
      point.push_back(Interval::point(p[i]));
    }
    int64_t fuel = p.size() + 1;
    return walk.run(point, fuel, [](auto, auto) { return false; }) ==
           PointWalk::End::Stopped;
  }

  bool tryLikelyPoints() {
    for (int kind = 0; kind < 3; ++kind) {
      witness.clear();
      for (Interval i : system.bounds) {
        int64_t zero = nearestZero(i);
        witness.push_back(kind == 0 && i.hasLower()   ? i.lower
                          : kind == 1 && i.hasUpper() ? i.upper
                          : kind == 2 && i.size()     ? i.lower + *i.size() / 2
                                                      : zero);
      }
      if (holdsAt(witness))
        return true;
    }
    return false;
  }

  EmptinessAnswer reason(unsigned maxColumns) {
    if (maxColumns == 0)
      return {Tri::Unknown, {}, "its size"};
    Encoding encoding = encode(arena, system, {.maxColumns = kMaxRational});
    if (encoding.refusal)
      return {Tri::Unknown, {}, encoding.refusal};
    bool tooWide = false;
    for (const auto &polyhedron : encoding.cases) {
      // Without rational points there are no integer points. This test is fast.
      if (mlir::presburger::Simplex(polyhedron).isEmpty() ||
          polyhedron.isEmptyByGCDTest())
        continue;
      if (polyhedron.getNumVars() > maxColumns) {
        tooWide = true;
        continue;
      }
      columns = std::max(columns, polyhedron.getNumVars());
      auto sample = polyhedron.findIntegerSample();
      if (!sample)
        continue;
      witness.clear();
      for (size_t i = 0; i < system.vars.size(); ++i) {
        std::optional<int64_t> x = toInt64((*sample)[i]);
        if (!x)
          return {Tri::Unknown, {}, "a value outside int64"};
        witness.push_back(*x);
      }
      // Evaluate the sample: the solver is trusted for "empty" only.
      if (holdsAt(witness))
        return {Tri::No, witness};
      return {Tri::Unknown, {}, "a value outside int64"};
    }
    if (tooWide)
      return {Tri::Unknown, {}, "its many variables and divisions"};
    return {Tri::Yes};
  }

  const Arena &arena;
  const System &system;
  PointWalk walk;
  Point witness;
};
} // namespace

EmptinessAnswer isEmpty(Arena &arena, const Domain &domain,
                        const EmptinessOptions &options) {
  if (domain.knownEmpty)
    return {Tri::Yes};
  Bounds bounds(arena, domain);
  if (bounds.isKnownEmpty())
    return {Tri::Yes};
  System whole = System::of(domain);
  for (size_t i = 0; i < whole.vars.size(); ++i) {
    whole.bounds[i] = bounds.interval(arena.variable(whole.vars[i]));
    if (whole.bounds[i].isEmpty())
      return {Tri::Yes};
  }
  for (const Constraint &c : domain.constraints) {
    if (c.bounds.isEmpty())
      return {Tri::Yes};
    if (arena.isConstant(c.expr) &&
        !c.bounds.contains(arena.constantValue(c.expr)))
      return {Tri::Yes};
  }

  // The domain is empty if one part is, even if other parts are undecided.
  EmptinessAnswer answer{Tri::No};
  answer.witness.resize(whole.vars.size());
  for (const System &system : independentParts(arena, whole)) {
    Part decider(arena, system);
    EmptinessAnswer part = decider.decide(options.maxSteps, options.maxColumns);
    answer.columns = std::max(answer.columns, decider.columns);
    if (part.empty == Tri::Yes)
      return {Tri::Yes, {}, nullptr, answer.columns};
    if (part.empty == Tri::Unknown) {
      answer.empty = Tri::Unknown;
      answer.reason = part.reason;
      continue;
    }
    for (size_t i = 0; i < system.vars.size(); ++i)
      answer.witness[slotOf(domain, system.vars[i])] = part.witness[i];
  }
  if (answer.empty == Tri::Unknown)
    answer.witness.clear();
  return answer;
}

} // namespace mercator::indexing
