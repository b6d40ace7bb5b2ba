// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods 2 and 3 of Prove.h: two maps at some points, and at all points.
//
// The idea: random testing finds most differences at once, at the corners of the
// domain above all. If all points are few, comparing the sets of elements at
// each of them is a proof. Maps without range variables are functions; they are
// evaluated side by side in one walk (PointWalk.h), which is many times faster.

#include "mercator/indexing/decide/Prover.h"

namespace mercator::indexing {

//===----------------------------------------------------------------------===//
// Some points
//===----------------------------------------------------------------------===//

uint64_t Prover::random() {
  uint64_t z = (state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

/// A value of the interval; an end of it about half of the time.
int64_t Prover::pick(Interval i, unsigned round) {
  if (!i.hasLower())
    i.lower =
        i.hasUpper() ? std::max(i.upper, Interval::kMin + 1001) - 1000 : -1000;
  if (!i.hasUpper())
    i.upper = std::min(i.lower, Interval::kMax - 1001) + 1000;
  if (round == 0 || i.isPoint())
    return i.lower;
  if (round == 1)
    return i.upper;
  uint64_t size = static_cast<uint64_t>(i.upper) - i.lower + 1;
  switch (random() % 6) {
  case 0:
    return i.lower;
  case 1:
    return i.upper;
  case 2:
    return i.lower + 1;
  default:
    return static_cast<int64_t>(i.lower + (size ? random() % size : random()));
  }
}

bool Prover::sample() {
  constexpr const char *kHow = "at one of the points tried";
  // If the other side has ranges, looking up an element is a search: fewer
  // tries.
  for (int reader : {0, 1}) {
    SampledMap &side = sides[reader];
    if (llvm::any_of(side.bounds(), [](Interval i) { return i.isEmpty(); }))
      continue;
    unsigned tries = sides[1 - reader].numRanges() ? 24 : 200;
    for (unsigned round = 0; round < tries; ++round) {
      Values point;
      for (Interval i : side.bounds())
        point.push_back(pick(i, round));
      auto all = llvm::ArrayRef<int64_t>(point);
      auto outer = all.take_front(side.numOuter()),
           ranges = all.drop_front(side.numOuter());
      auto element = side.elementAt(outer, ranges);
      if (element && refute(reader, outer, *element, kHow))
        return true;
    }
  }
  return false;
}

//===----------------------------------------------------------------------===//
// All points
//===----------------------------------------------------------------------===//

/// The outer variables of both sides.
System Prover::outerBox() const {
  System outer;
  for (size_t i = 0; i < sides[0].numOuter(); ++i) {
    uint32_t n = sides[0].getMap().numDims();
    outer.vars.push_back(
        i < n ? Var{VarKind::Dim, static_cast<uint32_t>(i)}
              : Var{VarKind::Runtime, static_cast<uint32_t>(i - n)});
    outer.bounds.push_back(sides[0].bounds()[i].hull(sides[1].bounds()[i]));
  }
  return outer;
}

bool Prover::isSmall() const {
  std::optional<int64_t> outer = outerBox().boxSize(), a = sides[0].rangeBox(),
                         b = sides[1].rangeBox();
  int64_t inner, all;
  return outer && a && b && !__builtin_add_overflow(*a, *b, &inner) &&
         !__builtin_mul_overflow(*outer, inner + 1, &all) &&
         all <= options.budget.steps;
}

/// Each point of the box takes one step per variable.
int64_t Prover::stepLimit() const {
  return (options.budget.steps + 64) * 2 *
         static_cast<int64_t>(sides[0].bounds().size() +
                              sides[1].bounds().size() + 1);
}

/// Whether both maps certainly read the same at every point of `outer`; counts
/// the points. Requires: no ranges, so that a map reads at most one element at
/// a point. One walk evaluates both maps, which is many times faster than to
/// compare sets of elements.
bool Prover::agreeAsFunctions(const System &outer, int64_t &points) {
  llvm::SmallVector<Expr, 16> exprs;
  for (const SampledMap &side : sides) {
    for (const Constraint &c : side.getMap().domain.constraints)
      exprs.push_back(c.expr);
    llvm::append_range(exprs, side.getMap().results);
  }
  auto isInside = [](const SampledMap &side, llvm::ArrayRef<int64_t> at,
                     llvm::ArrayRef<int64_t> values) {
    bool inside = !side.getMap().isKnownEmpty();
    for (auto [x, bounds] : llvm::zip_equal(at, side.bounds()))
      inside &= bounds.contains(x);
    for (auto [x, c] : llvm::zip(values, side.getMap().domain.constraints))
      inside &= c.bounds.contains(x);
    return inside;
  };
  size_t numResults = sides[0].getMap().numResults(),
         first = sides[0].getMap().domain.constraints.size(),
         second = sides[1].getMap().domain.constraints.size();
  Budget budget{.steps = stepLimit()};
  auto end = PointWalk(arena, outer, exprs)
                 .run(budget, [&](auto at, llvm::ArrayRef<int64_t> values) {
                   ++points;
                   auto others = values.drop_front(first + numResults);
                   bool inside = isInside(sides[0], at, values);
                   if (inside != isInside(sides[1], at, others))
                     return false;
                   return !inside || values.slice(first, numResults) ==
                                         others.slice(second, numResults);
                 });
  return end == PointWalk::End::Complete;
}

/// Compares all points. False if it gave up.
bool Prover::exhaust() {
  System outer = outerBox();
  if (sides[0].numRanges() == 0 && sides[1].numRanges() == 0) {
    int64_t points = 0;
    if (agreeAsFunctions(outer, points)) {
      decideEqual(points);
      return true;
    }
  }
  PointWalk walk(arena, outer);
  Budget outerSteps{.steps = stepLimit()}, innerSteps{.steps = stepLimit()};
  int64_t points = 0;
  bool lost = false;
  auto end = walk.run(outerSteps, [&](llvm::ArrayRef<int64_t> at, auto) {
    ++points;
    return !(lost = !compareAt(at, innerSteps)) && !difference;
  });
  if (difference)
    return true;
  if (lost || end != PointWalk::End::Complete)
    return false;
  decideEqual(points);
  return true;
}

void Prover::decideEqual(int64_t points) {
  kind = Decision::Kind::Yes;
  reason = "all " + std::to_string(points) + " points agree";
}

/// Compares the sets of elements read at one point. False if it gave up.
bool Prover::compareAt(llvm::ArrayRef<int64_t> at, Budget &budget) {
  for (int i : {0, 1}) {
    rows[i].clear();
    auto end = sides[i].forEachRead(
        at, budget, [&](auto, llvm::ArrayRef<int64_t> element) {
          rows[i].emplace_back(element.begin(), element.end());
          return true;
        });
    if (end != PointWalk::End::Complete)
      return false;
    llvm::sort(rows[i]);
    rows[i].erase(llvm::unique(rows[i]), rows[i].end());
  }
  if (rows[0] == rows[1])
    return true;
  for (int reader : {0, 1})
    for (const Values &element : rows[reader])
      if (!std::binary_search(rows[1 - reader].begin(), rows[1 - reader].end(),
                              element)) {
        return refute(reader, at, element, "found by comparing all points");
      }
  return false;
}

} // namespace mercator::indexing
