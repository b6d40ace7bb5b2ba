// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes variables that no result needs.
//
// The idea: a result needs the variables that it uses, and all variables that
// constraints relate to them, directly or through others. So constraints divide
// the variables into groups, by union-find, and a group stays or goes as one.
//
//   (d0)[s0, s1, s2] -> (s1), domain: d0 in [0, 9], s0 in [0, 3],
//   s1 in [0, 7], s2 in [0, 5], d0 + s0 in [0, 9], s2 mod 2 in [1, 1]
//
//   relate           the groups are {d0, s0}, {s1} and {s2}
//   keepNeeded       d0 is a dimension, s1 is a result: {d0, s0}, {s1} stay
//   keepUnsolvable   an s2 is odd: its constraint has a solution, {s2} may go
//   keepIndices      no runtime variable is read at an index
//   rebuild          (d0)[s0, s1] -> (s1), domain: d0 in [0, 9], s0 in [0, 3],
//                    s1 in [0, 7], d0 + s0 in [0, 9]
//
// A group without a solution makes the domain empty, so it must stay. Here this
// is decided only for one range variable with a congruence; a group with any
// other constraint stays.

#include "mercator/indexing/map/RemoveUnused.h"
#include "mercator/indexing/map/Analyses.h"
#include "mercator/indexing/map/System.h"

#include "llvm/ADT/IntEqClasses.h"

namespace mercator::indexing {

namespace {
class UnusedVariables {
public:
  UnusedVariables(const Map &map, UnusedVars which)
      : map(map), domain(map.domain), arena(*map.arena), which(which) {}

  std::optional<Map> remove() {
    if (domain.ranges.empty() &&
        (which == UnusedVars::Ranges || domain.runtimes.empty()))
      return std::nullopt;
    if (resultsUseAll())
      return std::nullopt;
    relate();
    keepNeeded();
    keepUnsolvable();
    keepIndices();
    if (!llvm::is_contained(kept, false))
      return std::nullopt;
    return rebuild();
  }

private:
  /// A quick test: the results use all range and runtime variables. It also
  /// finds the variables that they may use.
  bool resultsUseAll() {
    for (Expr e : map.results)
      inResults = inResults | arena.vars(e);
    VarSet all;
    domain.forEachVar([&](Var v) {
      if (v.kind != VarKind::Dim)
        all = all | VarSet::of(v);
    });
    return all.isExact() && (inResults | all) == inResults;
  }

  /// Joins the variables of each constraint.
  void relate() {
    groups.grow(domain.numVars());
    for (const Constraint &c : domain.constraints) {
      std::optional<uint32_t> first;
      domain.forEachVar([&](Var v) {
        if (!arena.uses(c.expr, v))
          return;
        if (first)
          groups.join(*first, slotOf(domain, v));
        else
          first = slotOf(domain, v);
      });
    }
  }

  /// Keeps the groups of variables that a result uses or that must stay.
  void keepNeeded() {
    kept.assign(domain.numVars(), false);
    keptGroups.assign(domain.numVars(), false);
    domain.forEachVar([&](Var v) {
      if (isRemovable(v) &&
          !(inResults.mayContain(v) && usedBy(v, map.results)))
        return;
      kept[slotOf(domain, v)] = true;
      keepGroup(slotOf(domain, v));
    });
  }

  /// Keeps the groups whose constraints are not known to have a solution.
  void keepUnsolvable() {
    // Propagation makes the bounds of a variable empty if it finds no solution.
    IntervalAnalysis bounds(arena, domain);
    for (const Constraint &c : domain.constraints)
      if (std::optional<uint32_t> slot = anyVariableOf(c);
          slot && !isKeptGroup(*slot) && !isCongruenceOfRange(c))
        keepGroup(*slot);
    domain.forEachVar([&](Var v) {
      uint32_t slot = slotOf(domain, v);
      if (isKeptGroup(slot) || bounds.data().tightened[slot].isEmpty())
        kept[slot] = true;
    });
  }

  /// Keeps the variables in the index of each runtime variable that stays.
  void keepIndices() {
    for (bool grew = true; grew;) {
      grew = false;
      for (uint32_t i = 0; i < domain.runtimes.size(); ++i) {
        if (!isKept({VarKind::Runtime, i}))
          continue;
        domain.forEachVar([&](Var v) {
          if (!isKept(v) && usedBy(v, domain.runtimes[i].index))
            kept[slotOf(domain, v)] = grew = true;
        });
      }
    }
  }

  /// The map with the variables that stay, and the constraints on them.
  Map rebuild() {
    Map r(arena);
    r.domain.dims = domain.dims;
    r.domain.knownEmpty = domain.knownEmpty;
    llvm::SmallVector<Expr, 8> newRanges, newRuntimes;
    for (uint32_t i = 0; i < domain.ranges.size(); ++i) {
      newRanges.push_back(arena.range(r.domain.ranges.size()));
      if (isKept({VarKind::Range, i}))
        r.domain.ranges.push_back(domain.ranges[i]);
    }
    for (uint32_t i = 0; i < domain.runtimes.size(); ++i) {
      newRuntimes.push_back(arena.runtime(r.domain.runtimes.size()));
      if (isKept({VarKind::Runtime, i}))
        r.domain.runtimes.push_back(domain.runtimes[i]);
    }
    for (const Constraint &c : domain.constraints) {
      bool usesDropped = false;
      domain.forEachVar(
          [&](Var v) { usesDropped |= !isKept(v) && arena.uses(c.expr, v); });
      if (!usesDropped)
        r.domain.constraints.push_back(c);
    }
    r.results = map.results;
    substitute(r, {{}, newRanges, newRuntimes});
    return r;
  }

  [[nodiscard]] bool isRemovable(Var v) const {
    return v.kind == VarKind::Range || (v.kind == VarKind::Runtime &&
                                        which == UnusedVars::RangesAndRuntimes);
  }
  [[nodiscard]] bool usedBy(Var v, llvm::ArrayRef<Expr> exprs) const {
    return llvm::any_of(exprs, [&](Expr e) { return arena.uses(e, v); });
  }
  [[nodiscard]] std::optional<uint32_t>
  anyVariableOf(const Constraint &c) const {
    std::optional<uint32_t> slot;
    domain.forEachVar([&](Var v) {
      if (!slot && arena.uses(c.expr, v))
        slot = slotOf(domain, v);
    });
    return slot;
  }

  /// `(a * s + k) mod m in [r, r]`. It has a solution if the clipped interval of
  /// the range variable is not empty. The same constraint on a runtime variable
  /// is kept: the map cannot choose its value.
  [[nodiscard]] bool isCongruenceOfRange(const Constraint &c) const {
    if (arena.kind(c.expr) != ExprKind::Remainder ||
        arena.divisor(c.expr) <= 0 || !c.bounds.isPoint())
      return false;
    Linear operand = arena.linear(arena.lhs(c.expr));
    if (operand.terms.size() != 1)
      return false;
    Expr e = operand.terms[0].expr;
    return arena.kind(e) == ExprKind::Variable &&
           arena.var(e).kind == VarKind::Range;
  }

  void keepGroup(uint32_t slot) { keptGroups[groups.findLeader(slot)] = true; }
  [[nodiscard]] bool isKeptGroup(uint32_t slot) const {
    return keptGroups[groups.findLeader(slot)];
  }
  [[nodiscard]] bool isKept(Var v) const { return kept[slotOf(domain, v)]; }

  const Map &map;
  const Domain &domain;
  Arena &arena;
  UnusedVars which;
  VarSet inResults;
  llvm::IntEqClasses groups; ///< of slots; see System.h
  llvm::SmallVector<bool, 16> kept, keptGroups;
};
} // namespace

std::optional<Map> withoutUnused(const Map &map, UnusedVars which) {
  return UnusedVariables(map, which).remove();
}

Map removeUnused(const Map &map, UnusedVars which) {
  return withoutUnused(map, which).value_or(map);
}

} // namespace mercator::indexing
