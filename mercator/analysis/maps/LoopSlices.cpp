// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that replace one slice of a tensor in each iteration, next to each
// other, as a scan stacks its outputs:
//
//   while (%i = 0, %y = %p) { %i < 100 } do { %i + 1, %y[%i] := .. }
//   iteration n replaces row n; later iterations replace rows n + 1 to 99
//
// The result reads %y at the end of iteration n except in the rows that later
// iterations replace. So the reads differ from iteration to iteration: the
// number of the iteration is a variable of the map (Loop::sharedIteration).

#include "mercator/analysis/maps/Loop.h"
#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/simplify/Simplify.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;

/// The constraint that index `d` lies before `first` or behind `last`.
static Constraint outside(Arena &arena, Expr d, Expr first, Expr last) {
  Expr before = arena.add(arena.sub(first, d), -1),
       behind = arena.add(arena.sub(d, last), -1);
  return {arena.max(before, behind), {0, Interval::kMax}};
}

std::optional<Loop::Slices> Loop::slicesOf(unsigned k) {
  std::optional<int64_t> count = counter.iterations();
  const WalkResult &answer = readsInBody(k);
  if (!count || *count == 0 || !answer.refusal.empty())
    return std::nullopt;
  for (const Reached &r : answer.reached) {
    if (indexOf(r.number, r.leaf) != k || r.maps.size() != 1)
      continue;
    const OperandMap &own = r.maps.front();
    if (!own.exact || own.devices || !own.map.isIdentity() ||
        own.map.domain.runtimes.size() != 1)
      return std::nullopt;
    const RuntimeVariable &start = own.map.domain.runtimes.front();
    std::optional<Affine> at = counter.valueOf(
        sourcePlace(arena, start.source, start.element), start.element, arena);
    std::optional<int64_t> first = at ? at->at(0) : std::nullopt,
                           last = at ? at->at(*count - 1) : std::nullopt;
    if (!first || !last || !start.bounds.contains(*first) ||
        !start.bounds.contains(*last))
      return std::nullopt;
    // Find the dimension along which the slices lie: the one for which the maps
    // of the body are those of a replaced slice.
    for (unsigned dim = 0; dim < carried[k].sizes.size(); ++dim) {
      int64_t size = std::abs(at->scale);
      Map candidate = Map::identity(arena, carried[k].sizes);
      candidate.domain.runtimes = own.map.domain.runtimes;
      Expr from = arena.runtime(0);
      Constraint c =
          outside(arena, arena.dim(dim), from, arena.add(from, size - 1));
      candidate.domain.addConstraint(c.expr, c.bounds);
      if (size > 0 && sameMeaning(simplify(candidate), own.map))
        return Slices{k, dim, *at};
    }
    return std::nullopt;
  }
  return std::nullopt;
}

bool Loop::isReadByItself(unsigned k, const std::vector<States> &all) {
  auto leadsThere = [&](const WalkResult &answer) {
    return llvm::any_of(answer.reached, [&](const Reached &r) {
      return indexOf(r.number, r.leaf) == k;
    });
  };
  if (leadsThere(readsInCondition()))
    return false;
  for (auto [i, other] : llvm::enumerate(carried)) {
    bool isRead = llvm::any_of(all, [&, i = i](const States &states) {
      return !states[i].maps.empty();
    });
    if (i != k && isRead && !other.isUnchanged && leadsThere(readsInBody(i)))
      return false;
  }
  return llvm::all_of(all, [&](const States &states) {
    const MapSet &own = states[k].maps;
    return own.size() == 1 && own.front().exact && !own.front().devices &&
           own.front().map.isIdentity();
  });
}

Map Loop::notReplaced(const Slices &slices, Expr iteration) {
  const auto &[k, dim, at] = slices;
  Map map = Map::identity(arena, carried[k].sizes);
  Expr next = arena.add(arena.scale(iteration, at.scale), at.scale + at.offset),
       last = arena.constant(*at.at(*counter.iterations() - 1));
  if (at.scale < 0)
    std::swap(next, last);
  Constraint c = outside(arena, arena.dim(dim), next,
                         arena.add(last, std::abs(at.scale) - 1));
  map.domain.addConstraint(c.expr, c.bounds);
  return map;
}
