// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matching of the runtime variables of two maps. The index of a variable may
// use other runtime variables, so pairs are found by a fixed point: pairing two
// variables may make the indices of two others equal.

#include "mercator/indexing/decide/RuntimePairs.h"
#include "mercator/indexing/decide/Prove.h"

#include "mercator/indexing/simplify/Simplify.h"

namespace mercator::indexing {

namespace {
bool usesRuntime(const Map &m, uint32_t i) {
  Var v{VarKind::Runtime, i};
  return llvm::any_of(m.results, [&](Expr e) { return m.arena->uses(e, v); }) ||
         llvm::any_of(m.domain.constraints, [&](const Constraint &c) {
           return m.arena->uses(c.expr, v);
         });
}

/// For each runtime variable of one map, its position in the other.
using Partners = llvm::SmallVector<std::optional<uint32_t>, 4>;

class Pairing {
public:
  Pairing(const Map &a, const Map &b)
      : ofFirst(a.domain.runtimes.size()), ofSecond(b.domain.runtimes.size()),
        arena(*a.arena), first(a.domain.runtimes), second(b.domain.runtimes) {
    pairSources();
    for (uint32_t i = 0; i < std::min(first.size(), second.size()); ++i)
      if (!ofFirst[i] && !ofSecond[i] && !first[i].isParameter &&
          !second[i].isParameter &&
          (first[i].source == 0 || second[i].source == 0))
        pair(i, i);
    pairSources();
  }

  Partners ofFirst, ofSecond;

private:
  void pair(uint32_t i, uint32_t j) {
    ofFirst[i] = j;
    ofSecond[j] = i;
  }

  /// Pairs variables with equal sources and indices until nothing changes.
  void pairSources() {
    for (bool grew = true; grew;) {
      grew = false;
      for (uint32_t j = 0; j < ofSecond.size(); ++j)
        if (!ofSecond[j] && second[j].source != 0)
          grew |= pairSource(j);
    }
  }

  bool pairSource(uint32_t j) {
    // The indices of the second map in the variables of the first. A variable
    // without a partner becomes one that the first map does not have.
    llvm::SmallVector<Expr, 4> by;
    for (uint32_t k = 0; k < ofSecond.size(); ++k)
      by.push_back(arena.runtime(ofSecond[k].value_or(first.size() + k)));
    llvm::SmallVector<Expr, 2> index = second[j].index;
    substitute(arena, index, {.dims = {}, .ranges = {}, .runtimes = by});
    for (uint32_t i = 0; i < ofFirst.size(); ++i)
      if (!ofFirst[i] && first[i].source == second[j].source &&
          first[i].element == second[j].element && first[i].index == index) {
        pair(i, j);
        return true;
      }
    return false;
  }

  Arena &arena;
  llvm::ArrayRef<RuntimeVariable> first, second;
};
} // namespace

RuntimePairs::RuntimePairs(const Map &first, const Map &second) {
  Pairing pairing(first, second);
  const auto &listA = first.domain.runtimes, &listB = second.domain.runtimes;
  auto add = [&](std::optional<uint32_t> i, std::optional<uint32_t> j) {
    Joint x{.place = {i, j}, .bounds = Interval::empty()};
    x.used[0] = i && usesRuntime(first, *i);
    x.used[1] = j && usesRuntime(second, *j);
    if (x.used[0])
      x.bounds = listA[*i].bounds;
    if (x.used[1])
      x.bounds = x.used[0] ? x.bounds.hull(listB[*j].bounds) : listB[*j].bounds;
    if (x.bounds.isEmpty())
      x.bounds = Interval::point(0);
    if (x.used[0] || x.used[1])
      joint.push_back(x);
  };
  for (uint32_t i = 0; i < listA.size(); ++i)
    add(i, pairing.ofFirst[i]);
  for (uint32_t j = 0; j < listB.size(); ++j)
    if (!pairing.ofSecond[j])
      add(std::nullopt, j);
}

Map RuntimePairs::aligned(const Map &map, int side) const {
  Arena &arena = *map.arena;
  Map r = map;
  llvm::SmallVector<Expr, 4> by(map.domain.runtimes.size());
  r.domain.runtimes.clear();
  for (const Joint &x : joint) {
    // Sources are not needed any more: the position identifies a variable.
    Expr e = r.domain.addRuntime(arena, {.bounds = x.bounds});
    if (x.used[side])
      by[*x.place[side]] = e;
  }
  substitute(r, {.dims = {}, .ranges = {}, .runtimes = by});
  for (const RuntimeVariable &v : map.domain.runtimes)
    r.domain.knownEmpty |= v.bounds.isEmpty();
  for (const Joint &x : joint) {
    if (!x.used[side])
      continue;
    Interval own = map.domain.runtimes[*x.place[side]].bounds;
    if (own != x.bounds && !own.isEmpty())
      r.domain.addConstraint(by[*x.place[side]], own);
  }
  return r;
}

Map withDistinctRuntimes(Map map) {
  auto isNamed = [](const RuntimeVariable &v) { return v.source != 0; };
  while (llvm::any_of(map.domain.runtimes, isNamed)) {
    size_t before = map.domain.runtimes.size();
    for (RuntimeVariable &v : map.domain.runtimes)
      for (Expr &e : v.index)
        e = simplify(*map.arena, e, map.domain);
    mergeRuntimes(map);
    if (map.domain.runtimes.size() == before)
      break;
  }
  return map;
}

Map withOwnSources(Map map) {
  for (auto [i, v] : llvm::enumerate(map.domain.runtimes))
    if (v.source == 0)
      v.source = map.arena->intern("variable " + std::to_string(i));
  return map;
}

} // namespace mercator::indexing
