// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Substitution, composition and clean-up of maps.
//
// Substitution rebuilds an expression bottom-up, each distinct node once.
// Composition substitutes the results of the first map for the dimensions of
// the second. Runtime variables with one source are found by handles of
// expressions. RemoveUnused.cpp removes unused variables.

#include "mercator/indexing/map/Map.h"
#include "mercator/indexing/map/IntervalAnalysis.h"

#include "llvm/ADT/DenseMap.h"
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
  std::optional<IntervalAnalysis> bounds;
  for (unsigned i = 0; i < first.results.size(); ++i) {
    Expr e = first.results[i];
    Interval box = second.domain.dims[i].bounds;
    if (arena.kind(e) == ExprKind::Variable &&
        box.contains(first.domain.bounds(arena.var(e))))
      continue;
    if (!bounds)
      bounds.emplace(arena, first.domain);
    if (box.contains(bounds->interval(e)))
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
  mergeRuntimes(r);
  return r;
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

void mergeRuntimes(Map &map) {
  while (map.domain.runtimes.size() > 1 && mergeRuntimesOnce(map)) {
  }
  moveParametersLast(map);
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

} // namespace mercator::indexing
