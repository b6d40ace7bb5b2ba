// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Substitution, composition and clean-up of maps.
//
// Substitution rebuilds an expression bottom-up, each distinct node once.
// Composition substitutes the results of the first map for the dimensions of
// the second. Runtime variables with one source and unused variables are found
// by handles of expressions and by a union-find over constraints.

#include "mercator/indexing/map/Map.h"
#include "mercator/indexing/map/Analyses.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/map/System.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"

namespace mercator::indexing {

//===----------------------------------------------------------------------===//
// Simple maps
//===----------------------------------------------------------------------===//

Map Map::toScalar(Arena &arena, llvm::ArrayRef<int64_t> sizes) {
  Map m(arena);
  for (int64_t size : sizes) {
    m.domain.dims.push_back({Interval::ofSize(size)});
    m.domain.knownEmpty |= size == 0;
  }
  return m;
}

Map Map::identity(Arena &arena, llvm::ArrayRef<int64_t> sizes) {
  Map m = toScalar(arena, sizes);
  for (size_t i = 0; i < sizes.size(); ++i)
    m.results.push_back(arena.dim(i));
  return m;
}

Map Map::makeEmpty(Arena &arena, unsigned numDims, unsigned numResults) {
  Map m(arena);
  m.domain.dims.assign(numDims, {Interval::empty()});
  m.domain.knownEmpty = true;
  m.results.assign(numResults, arena.constant(0));
  return m;
}

bool Map::isIdentity() const {
  if (results.size() != domain.dims.size())
    return false;
  for (uint32_t i = 0; i < results.size(); ++i)
    if (arena->kind(results[i]) != ExprKind::Variable ||
        arena->var(results[i]) != Var{VarKind::Dim, i})
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Substitution
//===----------------------------------------------------------------------===//

namespace {
class Substituter {
public:
  Substituter(Arena &arena, Substitution by) : arena(arena), by(by) {
    auto collect = [&](VarKind kind, llvm::ArrayRef<Expr> replacements) {
      for (uint32_t i = 0; i < replacements.size(); ++i)
        if (replacements[i] && replacements[i] != arena.variable({kind, i}))
          replaced = replaced | VarSet::of({kind, i});
    };
    collect(VarKind::Dim, by.dims);
    collect(VarKind::Range, by.ranges);
    collect(VarKind::Runtime, by.runtimes);
  }

  Expr visit(Expr e) {
    if (!arena.vars(e).mayIntersect(replaced))
      return e;
    if (arena.kind(e) == ExprKind::Variable)
      return replacement(arena.var(e), e);
    if (auto it = memo.find(e.getId()); it != memo.end())
      return it->second;
    if (arena.height(e) > kDeep)
      arena.forEachPostOrder(e, [&](Expr x) {
        if (arena.vars(x).mayIntersect(replaced) &&
            arena.kind(x) != ExprKind::Variable && !memo.contains(x.getId()))
          memo[x.getId()] = rebuild(x);
      });
    Expr r = rebuild(e);
    memo[e.getId()] = r;
    return r;
  }

private:
  Expr replacement(Var v, Expr e) const {
    llvm::ArrayRef<Expr> list = v.kind == VarKind::Dim     ? by.dims
                                : v.kind == VarKind::Range ? by.ranges
                                                           : by.runtimes;
    return v.index < list.size() && list[v.index] ? list[v.index] : e;
  }

  Expr rebuild(Expr e) {
    return arena.rebuild(e, [this](Expr operand) { return visit(operand); });
  }

  Arena &arena;
  Substitution by;
  VarSet replaced;
  llvm::SmallDenseMap<uint32_t, Expr, 16> memo;
};
} // namespace

Expr substitute(Arena &arena, Expr e, const Substitution &by) {
  return Substituter(arena, by).visit(e);
}

void substitute(Arena &arena, llvm::MutableArrayRef<Expr> exprs,
                const Substitution &by) {
  Substituter s(arena, by);
  for (Expr &e : exprs)
    e = s.visit(e);
}

/// Leaves the first constraints and runtime variables as they are.
static void substituteFrom(size_t firstConstraint, size_t firstRuntime,
                           Map &map, const Substitution &by) {
  Substituter s(*map.arena, by);
  for (Expr &e : map.results)
    e = s.visit(e);
  for (Constraint &c :
       llvm::drop_begin(map.domain.constraints, firstConstraint))
    c.expr = s.visit(c.expr);
  for (RuntimeVariable &v : llvm::drop_begin(map.domain.runtimes, firstRuntime))
    for (Expr &e : v.index)
      e = s.visit(e);
}

void substitute(Map &map, const Substitution &by) {
  substituteFrom(0, 0, map, by);
}

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

Map compose(const Map &first, const Map &second) {
  assert(first.arena == second.arena && "maps of different arenas");
  assert(first.numResults() == second.numDims() && "ranks do not fit");
  Arena &arena = *first.arena;
  // The results of `first` replace the dimensions of `second`. The ranges and
  // runtime variables of `second` follow those of `first`.
  llvm::SmallVector<Expr, 8> ranges, runtimes;
  uint32_t numRanges = first.domain.ranges.size(),
           numRuntimes = first.domain.runtimes.size();
  for (uint32_t i = 0; i < second.domain.ranges.size(); ++i)
    ranges.push_back(arena.range(numRanges + i));
  for (uint32_t i = 0; i < second.domain.runtimes.size(); ++i)
    runtimes.push_back(arena.runtime(numRuntimes + i));
  Map r(arena);
  r.results = second.results;
  r.domain = first.domain;
  llvm::append_range(r.domain.ranges, second.domain.ranges);
  llvm::append_range(r.domain.runtimes, second.domain.runtimes);
  llvm::append_range(r.domain.constraints, second.domain.constraints);
  r.domain.knownEmpty |= second.domain.knownEmpty;
  substituteFrom(first.domain.constraints.size(), numRuntimes, r,
                 {first.results, ranges, runtimes});
  // An index outside the box of `second` reads nothing. Most indices lie inside
  // by their interval and need no constraint.
  IntervalAnalysis bounds(arena, first.domain);
  for (unsigned i = 0; i < first.results.size(); ++i) {
    Expr e = first.results[i];
    Interval box = second.domain.dims[i].bounds;
    if (box.contains(bounds.interval(e)))
      continue;
    // The bounds of a runtime variable are those that its value is clamped to,
    // so they must not be narrowed.
    if (arena.kind(e) == ExprKind::Variable &&
        arena.var(e).kind != VarKind::Runtime) {
      Interval &b = r.domain.bounds(arena.var(e));
      b = b.intersect(box);
      r.domain.knownEmpty |= b.isEmpty();
      continue;
    }
    r.domain.addConstraint(e, box);
  }
  return mergeRuntimes(std::move(r));
}

//===----------------------------------------------------------------------===//
// Runtime variables
//===----------------------------------------------------------------------===//

static bool readSameElement(const RuntimeVariable &a,
                            const RuntimeVariable &b) {
  return a.source != 0 && a.source == b.source && a.element == b.element &&
         a.index == b.index;
}

/// One pass; true if two variables were merged. Merging may make the indices of
/// two other variables equal, so passes repeat.
static bool mergeRuntimesOnce(Map &map) {
  Arena &arena = *map.arena;
  llvm::ArrayRef<RuntimeVariable> old = map.domain.runtimes;
  llvm::SmallVector<RuntimeVariable, 1> kept;
  llvm::SmallVector<uint32_t, 4> place;
  for (const RuntimeVariable &v : old) {
    auto same = llvm::find_if(
        kept, [&](const RuntimeVariable &k) { return readSameElement(k, v); });
    place.push_back(same - kept.begin());
    if (same == kept.end())
      kept.push_back(v);
    else
      same->bounds = v.isParameter ? same->bounds.intersect(v.bounds)
                                   : same->bounds.hull(v.bounds);
  }
  if (kept.size() == old.size())
    return false;
  llvm::SmallVector<Expr, 4> by;
  for (auto [i, v] : llvm::enumerate(old)) {
    Expr e = arena.runtime(place[i]);
    Interval all = kept[place[i]].bounds;
    map.domain.knownEmpty |= all.isEmpty();
    if (!v.isParameter && v.bounds.lower > all.lower)
      e = arena.max(e, arena.constant(v.bounds.lower));
    if (!v.isParameter && v.bounds.upper < all.upper)
      e = arena.min(e, arena.constant(v.bounds.upper));
    by.push_back(e);
  }
  map.domain.runtimes = std::move(kept);
  substitute(map, {{}, {}, by});
  return true;
}

Map mergeRuntimes(Map map) {
  while (map.domain.runtimes.size() > 1 && mergeRuntimesOnce(map)) {
  }
  moveParametersLast(map);
  return map;
}

void moveParametersLast(Map &map) {
  auto isRead = [](const RuntimeVariable &v) { return !v.isParameter; };
  auto &list = map.domain.runtimes;
  if (std::is_partitioned(list.begin(), list.end(), isRead))
    return;
  llvm::SmallVector<RuntimeVariable, 1> ordered;
  llvm::SmallVector<Expr, 4> by(list.size());
  for (bool read : {true, false})
    for (auto [i, v] : llvm::enumerate(list))
      if (isRead(v) == read) {
        by[i] = map.arena->runtime(ordered.size());
        ordered.push_back(v);
      }
  list = std::move(ordered);
  substitute(map, {.dims = {}, .ranges = {}, .runtimes = by});
}

//===----------------------------------------------------------------------===//
// Unused variables
//===----------------------------------------------------------------------===//

Map removeUnused(const Map &map, UnusedVars which) {
  Arena &arena = *map.arena;
  const Domain &domain = map.domain;
  if (domain.ranges.empty() &&
      (which == UnusedVars::Ranges || domain.runtimes.empty()))
    return map;

  VarSet inResults;
  for (Expr e : map.results)
    inResults = inResults | arena.vars(e);
  VarSet all;
  domain.forEachVar([&](Var v) {
    if (v.kind != VarKind::Dim)
      all = all | VarSet::of(v);
  });
  if (all.isExact() && (inResults | all) == inResults)
    return map;
  auto removable = [&](Var v) {
    return v.kind == VarKind::Range || (v.kind == VarKind::Runtime &&
                                        which == UnusedVars::RangesAndRuntimes);
  };
  auto usedBy = [&](Var v, llvm::ArrayRef<Expr> exprs) {
    return llvm::any_of(exprs, [&](Expr e) { return arena.uses(e, v); });
  };

  // A variable stays if a result uses it, if it may not be removed, or if a
  // constraint relates it to a variable that stays.
  llvm::IntEqClasses groups(domain.numVars());
  for (const Constraint &c : domain.constraints) {
    uint32_t first = ~0u;
    domain.forEachVar([&](Var v) {
      if (!arena.uses(c.expr, v))
        return;
      uint32_t slot = slotOf(domain, v);
      if (first == ~0u)
        first = slot;
      else
        groups.join(first, slot);
    });
  }
  llvm::SmallVector<bool, 16> keptGroup(domain.numVars(), false),
      kept(domain.numVars(), false);
  domain.forEachVar([&](Var v) {
    uint32_t slot = slotOf(domain, v);
    kept[slot] =
        !removable(v) || (inResults.mayContain(v) && usedBy(v, map.results));
    if (kept[slot])
      keptGroup[groups.findLeader(slot)] = true;
  });
  // The constraints of a group that is removed must have a solution. They have
  // one in a box if, after propagation, every point satisfies them.
  IntervalAnalysis bounds(arena, domain);
  for (const Constraint &c : domain.constraints) {
    uint32_t slot = ~0u;
    domain.forEachVar([&](Var v) {
      if (slot == ~0u && arena.uses(c.expr, v))
        slot = slotOf(domain, v);
    });
    if (slot == ~0u || keptGroup[groups.findLeader(slot)])
      continue;
    // A congruence of a single range variable has a solution if its clipped
    // interval is not empty. All other constraints are kept. One of a runtime
    // variable too: the map cannot choose its value.
    auto isRange = [&](Expr e) {
      return arena.kind(e) == ExprKind::Variable &&
             arena.var(e).kind == VarKind::Range;
    };
    bool single = arena.kind(c.expr) == ExprKind::Remainder &&
                  arena.divisor(c.expr) > 0 && c.bounds.isPoint() &&
                  arena.linear(arena.lhs(c.expr)).terms.size() == 1 &&
                  isRange(arena.linear(arena.lhs(c.expr)).terms[0].expr);
    if (!single)
      keptGroup[groups.findLeader(slot)] = true;
  }
  domain.forEachVar([&](Var v) {
    uint32_t slot = slotOf(domain, v);
    if (keptGroup[groups.findLeader(slot)])
      kept[slot] = true;
    if (bounds.data().tightened[slot].isEmpty())
      kept[slot] = true;
  });
  // The variables in the index of a kept runtime variable stay too.
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t i = 0; i < domain.runtimes.size(); ++i) {
      if (!kept[slotOf(domain, {VarKind::Runtime, i})])
        continue;
      domain.forEachVar([&](Var v) {
        uint32_t slot = slotOf(domain, v);
        if (!kept[slot] && usedBy(v, domain.runtimes[i].index))
          kept[slot] = grew = true;
      });
    }
  }
  if (llvm::all_of(kept, [](bool k) { return k; }))
    return map;

  Map r(arena);
  r.domain.dims = domain.dims;
  r.domain.knownEmpty = domain.knownEmpty;
  llvm::SmallVector<Expr, 8> newRanges, newRuntimes;
  for (uint32_t i = 0; i < domain.ranges.size(); ++i) {
    newRanges.push_back(arena.range(r.domain.ranges.size()));
    if (kept[slotOf(domain, {VarKind::Range, i})])
      r.domain.ranges.push_back(domain.ranges[i]);
  }
  for (uint32_t i = 0; i < domain.runtimes.size(); ++i) {
    newRuntimes.push_back(arena.runtime(r.domain.runtimes.size()));
    if (kept[slotOf(domain, {VarKind::Runtime, i})])
      r.domain.runtimes.push_back(domain.runtimes[i]);
  }
  for (const Constraint &c : domain.constraints) {
    bool usesDropped = false;
    domain.forEachVar([&](Var v) {
      usesDropped |= !kept[slotOf(domain, v)] && arena.uses(c.expr, v);
    });
    if (!usesDropped)
      r.domain.constraints.push_back(c);
  }
  r.results = map.results;
  substitute(r, {{}, newRanges, newRuntimes});
  return r;
}

} // namespace mercator::indexing
