// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact counting of points and of images.
//
// The general answer is Barvinok's algorithm (A. Barvinok, 1994; implemented
// for parametric sets by S. Verdoolaege and others, "Counting integer points in
// parametric polytopes using Barvinok's rational functions", 2007), whose time
// grows steeply with the number of variables. The domains of tensor operations
// have many variables and few constraints, so we use closed forms of our own:
//
//   1. Normalize: propagate bounds, replace x = r (mod m) by m*k + r.
//   2. Split the domain into independent parts and multiply their counts.
//   3. Points of a part (CountPoints.cpp). No constraint: the product of the
//      sides. One constraint on a mixed radix sum: count digit by digit.
//      Otherwise enumerate all variables but one; for each choice, the last one
//      has an interval and a congruence, whose size is a closed form.
//   4. Values of a part (CountImage.cpp). Replace the tuple of results by a
//      simpler one with as many values. One result: its values are copies of an
//      arithmetic progression. Several: if the results determine the variables
//      (Solve.h eliminates all of them), count points.
//   5. Where no closed form applies, enumerate and sort.

#include "mercator/indexing/decide/Counting.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::indexing {

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

Count exactly(Int128 n) {
  if (n > Interval::kMax)
    return {Count::Kind::TooLarge};
  return {Count::Kind::Exact, static_cast<int64_t>(n)};
}

void operator*=(Count &a, const Count &b) {
  using Kind = Count::Kind;
  if (a.kind == Kind::Exact && b.kind == Kind::Exact) {
    Int128 product = static_cast<Int128>(a.value) * b.value;
    if (product > Interval::kMax)
      a = {Kind::TooLarge};
    else
      a.value = static_cast<int64_t>(product);
  } else if (b.exact() == 0) {
    a = b;
  } else if (a.exact() != 0 && a.kind != Kind::Unknown) {
    if (b.kind == Kind::Unknown)
      a = b;
    else
      a = {a.kind == Kind::Infinite || b.kind == Kind::Infinite
               ? Kind::Infinite
               : Kind::TooLarge};
  }
}

Count sizeOf(Interval i) {
  if (i.isEmpty())
    return exactly(0);
  if (!i.isBounded())
    return {Count::Kind::Infinite};
  return exactly(static_cast<Int128>(i.upper) - i.lower + 1);
}

Count sizeOf(Interval i, Residue r) {
  if (i.isEmpty())
    return exactly(0);
  if (r.isConstant())
    return exactly(i.contains(r.remainder));
  if (!i.isBounded())
    return {Count::Kind::Infinite};
  i = r.clip(i);
  return i.isEmpty()
             ? exactly(0)
             : exactly((static_cast<Int128>(i.upper) - i.lower) / r.modulus +
                       1);
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Count &count) {
  switch (count.kind) {
  case Count::Kind::Exact:
    return os << count.value;
  case Count::Kind::TooLarge:
    return os << "more than int64";
  case Count::Kind::Infinite:
    return os << "infinite";
  case Count::Kind::Unknown:
    break;
  }
  return os << "unknown because of " << count.reason;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

namespace {
/// Normalizes a domain: propagates bounds, and replaces each variable that is r
/// modulo m by m*k + r, in the domain and in the expressions. Ensures: the same
/// number of points.
Domain normalize(Arena &arena, const Domain &given,
                 llvm::SmallVectorImpl<Expr> &exprs) {
  Map m(arena);
  m.domain = given;
  m.results.assign(exprs.begin(), exprs.end());
  auto tidy = [&] {
    m = simplify(m,
                 {.foldPoints = true, .dropUnused = false, .normalForm = true});
  };
  tidy();
  if (m.isKnownEmpty())
    return m.domain;
  IntervalAnalysis bounds(arena, m.domain);
  llvm::SmallVector<Expr, 8> by[3];
  bool rescales = false;
  Domain next = m.domain;
  next.forEachVar([&](Var v) {
    Expr x = arena.variable(v);
    Interval i = bounds.interval(x);
    Residue r = bounds.residue(x);
    Expr replacement = x;
    if (r.modulus > 1 && !i.isPoint() && !i.isEmpty()) {
      auto shift = [&](int64_t bound) {
        return floorDivPositive(bound - r.remainder, r.modulus);
      };
      Interval clipped = r.clip(i);
      // Bounds near the limits of int64 do not change.
      if (clipped.lower > Interval::kMin / 2 &&
          clipped.upper < Interval::kMax / 2 && !clipped.isEmpty()) {
        i = {shift(clipped.lower), shift(clipped.upper)};
        replacement = arena.add(arena.scale(x, r.modulus), r.remainder);
        rescales = true;
      }
    }
    next.bounds(v) = i;
    by[static_cast<int>(v.kind)].push_back(replacement);
  });
  m.domain = next;
  if (rescales) {
    substitute(m, {by[0], by[1], by[2]});
    tidy();
  }
  exprs.assign(m.results.begin(), m.results.end());
  return m.domain;
}

/// False if a constraint without variables fails.
bool constantsHold(const Arena &arena, const Domain &domain) {
  return llvm::all_of(domain.constraints, [&](const Constraint &c) {
    return !arena.isConstant(c.expr) ||
           c.bounds.contains(arena.constantValue(c.expr));
  });
}
} // namespace

Count countPoints(Arena &arena, const Domain &given, Budget budget) {
  if (given.knownEmpty)
    return exactly(0);
  llvm::SmallVector<Expr, 8> none;
  Domain domain = normalize(arena, given, none);
  if (domain.knownEmpty || !constantsHold(arena, domain))
    return exactly(0);
  Count n = exactly(1);
  for (const System &part : independentParts(arena, System::of(domain)))
    n *= countPart(arena, part, budget);
  return n;
}

Count countImage(const Map &map, Budget budget) {
  if (map.isKnownEmpty())
    return exactly(0);
  Arena &arena = *map.arena;
  llvm::SmallVector<Expr, 8> results = digitNumbers(map);
  Domain domain = normalize(arena, map.domain, results);
  if (domain.knownEmpty || !constantsHold(arena, domain))
    return exactly(0);
  reduceResults(arena, results);
  Count n = exactly(1);
  for (const System &part :
       independentParts(arena, System::of(domain), results)) {
    llvm::SmallVector<Expr, 8> own;
    for (Expr e : results)
      if (llvm::any_of(part.vars, [&](Var v) { return arena.uses(e, v); }))
        own.push_back(e);
    n *= countValues(arena, part, own, budget);
  }
  return n;
}

} // namespace mercator::indexing
