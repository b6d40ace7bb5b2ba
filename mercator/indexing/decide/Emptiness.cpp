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
#include "mercator/indexing/evaluate/PointWalk.h"
#include "mercator/indexing/map/IntervalAnalysis.h"

#include "mlir/Analysis/Presburger/Simplex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

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

  unsigned columns = 0; ///< see Emptiness

  Emptiness decide(Budget budget) {
    if (system.constraints.empty()) {
      Point p;
      for (Interval i : system.bounds)
        p.push_back(nearestZero(i));
      return Emptiness::no(p);
    }
    if (tryLikelyPoints())
      return Emptiness::no(witness);
    switch (auto end =
                walk.run(budget, [&](llvm::ArrayRef<int64_t> values, auto) {
                  witness.assign(values.begin(), values.end());
                  return false;
                })) {
    case PointWalk::End::Complete:
      return Emptiness::yes();
    case PointWalk::End::Stopped:
      return Emptiness::no(witness);
    case PointWalk::End::Undefined:
      return Emptiness::unknown(reasonOf(end));
    case PointWalk::End::OverBudget:
    case PointWalk::End::Unbounded:
      break;
    }
    return reason(budget.columns);
  }

private:
  bool holdsAt(llvm::ArrayRef<int64_t> p) {
    llvm::SmallVector<Interval, 8> point;
    for (size_t i = 0; i < p.size(); ++i) {
      if (!system.bounds[i].contains(p[i]))
        return false;
      point.push_back(Interval::point(p[i]));
    }
    Budget budget{.steps = static_cast<int64_t>(p.size()) + 1};
    return walk.run(point, budget, [](auto, auto) { return false; }) ==
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

  Emptiness reason(unsigned maxColumns) {
    if (maxColumns == 0)
      return Emptiness::unknown("its size");
    Encoding encoding = encode(arena, system, {.maxColumns = kMaxRational});
    if (encoding.refusal)
      return Emptiness::unknown(encoding.refusal);
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
          return Emptiness::unknown("a value outside int64");
        witness.push_back(*x);
      }
      // Evaluate the sample: the solver is trusted for "empty" only.
      if (holdsAt(witness))
        return Emptiness::no(witness);
      return Emptiness::unknown("a value outside int64");
    }
    if (tooWide)
      return Emptiness::unknown("its many variables and divisions");
    return Emptiness::yes();
  }

  const Arena &arena;
  const System &system;
  PointWalk walk;
  Point witness;
};
} // namespace

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Emptiness &answer) {
  os << static_cast<const Decision &>(answer);
  if (!answer.isNo())
    return os;
  os << ", it holds (";
  llvm::interleaveComma(answer.witness, os);
  return os << ')';
}

Emptiness isEmpty(Arena &arena, const Domain &domain, Budget budget) {
  if (domain.knownEmpty)
    return Emptiness::yes();
  IntervalAnalysis bounds(arena, domain);
  if (bounds.isKnownEmpty())
    return Emptiness::yes();
  System whole = System::of(domain);
  for (size_t i = 0; i < whole.vars.size(); ++i) {
    whole.bounds[i] = bounds.interval(arena.variable(whole.vars[i]));
    if (whole.bounds[i].isEmpty())
      return Emptiness::yes();
  }
  for (const Constraint &c : domain.constraints) {
    if (c.bounds.isEmpty())
      return Emptiness::yes();
    if (arena.isConstant(c.expr) &&
        !c.bounds.contains(arena.constantValue(c.expr)))
      return Emptiness::yes();
  }

  // The domain is empty if one part is, even if other parts are undecided.
  Emptiness answer = Emptiness::no({});
  answer.witness.resize(whole.vars.size());
  for (const System &system : independentParts(arena, whole)) {
    Part decider(arena, system);
    Emptiness part = decider.decide(budget);
    answer.columns = std::max(answer.columns, decider.columns);
    if (part.isYes()) {
      part.columns = answer.columns;
      return part;
    }
    if (part.isUnknown()) {
      answer.kind = part.kind;
      answer.reason = std::move(part.reason);
      continue;
    }
    for (size_t i = 0; i < system.vars.size(); ++i)
      answer.witness[slotOf(domain, system.vars[i])] = part.witness[i];
  }
  if (answer.isUnknown())
    answer.witness.clear();
  return answer;
}

} // namespace mercator::indexing
