// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random maps with constants, bounds and divisors near the limits of int64. An
// expression denotes an integer, even if the integer does not fit int64, so the
// oracle computes with 128 bits. No value may wrap or be folded wrongly, and no
// point may be lost.

#include "tests/indexing/RandomMap.h"

#include "mercator/indexing/map/Domain.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "tests/Scale.h"
#include "gtest/gtest.h"

#include <functional>

namespace mercator::indexing {
namespace {

using Int = __int128;

std::optional<Int> product(Int a, Int b) {
  Int r;
  if (__builtin_mul_overflow(a, b, &r) || r > (Int(1) << 120) ||
      r < -(Int(1) << 120))
    return std::nullopt;
  return r;
}

Int floorQuotient(Int a, Int b) {
  Int q = a / b;
  return q - (a % b != 0 && (a < 0) != (b < 0));
}

/// The value of e in 128 bits; nothing if a divisor is zero or 128 bits are not
/// enough.
std::optional<Int> valueOf(const Arena &arena, Expr e,
                           llvm::ArrayRef<int64_t> dims) {
  switch (arena.kind(e)) {
  case ExprKind::Constant:
    return arena.constantValue(e);
  case ExprKind::Variable:
    return dims[arena.var(e).index];
  case ExprKind::Sum: {
    LinearCopy l = arena.linearCopy(e);
    Int r = l.constant;
    for (const Term &t : l.terms) {
      auto x = valueOf(arena, t.expr, dims);
      auto scaled = x ? product(*x, t.coefficient) : std::nullopt;
      if (!scaled)
        return std::nullopt;
      r += *scaled;
    }
    return r;
  }
  case ExprKind::Product: {
    std::optional<Int> r = 1;
    for (const Term &t : arena.factors(e)) {
      auto x = valueOf(arena, t.expr, dims);
      for (int64_t i = 0; i < t.coefficient && r; ++i)
        r = x ? product(*r, *x) : std::nullopt;
    }
    return r;
  }
  default:
    break;
  }
  auto x = valueOf(arena, arena.lhs(e), dims),
       y = valueOf(arena, arena.rhs(e), dims);
  if (!x || !y)
    return std::nullopt;
  switch (arena.kind(e)) {
  case ExprKind::Min:
    return std::min(*x, *y);
  case ExprKind::Max:
    return std::max(*x, *y);
  case ExprKind::Wide:
    return arena.wideIsSum(e) ? *x + *y : product(*x, *y);
  default:
    break;
  }
  if (*y == 0)
    return std::nullopt;
  switch (arena.kind(e)) {
  case ExprKind::Quotient:
    return floorQuotient(*x, *y);
  case ExprKind::CeilDiv:
    return -floorQuotient(-*x, *y);
  default: {
    Int r = *x % *y;
    return r != 0 && (r < 0) != (*y < 0) ? r + *y : r;
  }
  }
}

bool inside(Interval i, Int x) {
  return (!i.hasLower() || x >= i.lower) && (!i.hasUpper() || x <= i.upper);
}

/// Whether the point is in the domain; nothing if that cannot be computed.
std::optional<bool> holds(const Map &map, llvm::ArrayRef<int64_t> point) {
  if (map.domain.knownEmpty)
    return false;
  bool all = true;
  for (size_t i = 0; i < point.size(); ++i)
    all &= inside(map.domain.dims[i].bounds, point[i]);
  for (const Constraint &c : map.domain.constraints) {
    auto x = valueOf(*map.arena, c.expr, point);
    if (!x)
      return std::nullopt;
    all &= inside(c.bounds, *x);
  }
  return all;
}

class EdgeMaps {
public:
  explicit EdgeMaps(uint64_t seed) : engine(seed) {}

  int64_t pick(int64_t lower, int64_t upper) {
    return std::uniform_int_distribution<int64_t>(lower, upper)(engine);
  }
  int64_t number() {
    switch (pick(0, 7)) {
    case 0:
      return Interval::kMax - pick(0, 3);
    case 1:
      return Interval::kMin + pick(0, 3);
    case 2:
      return static_cast<int64_t>(engine());
    case 3:
      return pick(-5, 5) * (int64_t(1) << pick(20, 60));
    default:
      return pick(-40, 40);
    }
  }
  Interval interval() {
    if (pick(0, 5) == 0)
      return Interval::everything();
    int64_t a = number(), b = number();
    return {std::min(a, b), pick(0, 5) ? std::max(a, b) : Interval::kMax};
  }
  Expr expr(Arena &a, unsigned dims, int depth) {
    if (depth == 0 || pick(0, 5) == 0)
      return pick(0, 3) ? a.dim(pick(0, dims - 1)) : a.constant(number());
    Expr x = expr(a, dims, depth - 1);
    auto y = [&] {
      return pick(0, 1) ? expr(a, dims, depth - 1) : a.constant(number());
    };
    switch (pick(0, 8)) {
    case 0:
    case 1:
      return a.add(x, y());
    case 2:
      return a.scale(x, number());
    case 3:
    case 4:
      return a.floorDiv(x, y());
    case 5:
    case 6:
      return a.mod(x, y());
    case 7:
      return pick(0, 1) ? a.min(x, y()) : a.max(x, y());
    default:
      return pick(0, 1) ? a.ceilDiv(x, y()) : a.mul(x, y());
    }
  }
  Map map(Arena &a) {
    Map m(a);
    unsigned dims = pick(1, 3);
    for (unsigned i = 0; i < dims; ++i)
      (void)m.domain.addDim(a, interval());
    m.results = {expr(a, dims, 4), expr(a, dims, 3)};
    for (int64_t n = pick(0, 3); n > 0; --n) {
      int64_t modulus = std::max<int64_t>(1, number());
      if (pick(0, 2) == 0)
        m.domain.addConstraint(a.mod(expr(a, dims, 1), modulus),
                               Interval::point(pick(0, 1) * (modulus - 1)));
      else
        m.domain.addConstraint(expr(a, dims, 2), interval());
    }
    return m;
  }
  llvm::SmallVector<int64_t, 3> point(const Domain &domain) {
    llvm::SmallVector<int64_t, 3> p;
    for (const Variable &v : domain.dims) {
      // Unsigned: leaving int64 here only gives a bad guess.
      uint64_t lower = v.bounds.lower, upper = v.bounds.upper;
      const int64_t guesses[] = {int64_t(lower + pick(0, 2)),
                                 int64_t(upper - pick(0, 2)), pick(-50, 50),
                                 number()};
      int64_t x = guesses[pick(0, 3)];
      p.push_back(v.bounds.contains(x) ? x : v.bounds.lower);
    }
    return p;
  }

private:
  std::mt19937_64 engine;
};

TEST(Edge, SimplifyAndBoundsAreSoundAtTheEdgeOfInt64) {
  RecordProperty("seed", std::to_string(testSeed()));
  EdgeMaps random(testSeed());
  unsigned checked = 0;
  for (int n = 0; n < cases(10'000); ++n) {
    Arena arena;
    Map map = random.map(arena);
    Map simple = simplify(map, {.dropUnused = false});
    ASSERT_EQ(simplify(simple, {.dropUnused = false}), simple)
        << "seed " << testSeed() << " map " << n << ": " << toString(map);
    IntervalAnalysis bounds(arena, map.domain);
    for (int k = 0; k < 25; ++k) {
      auto p = random.point(map.domain);
      std::optional<bool> before = holds(map, p), after = holds(simple, p);
      if (!before || !after)
        continue;
      ++checked;
      std::string where = "seed " + std::to_string(testSeed()) + " map " +
                          std::to_string(n) + " point " + std::to_string(p[0]) +
                          "...: " + toString(map) + " => " + toString(simple);
      ASSERT_EQ(*before, *after) << where;
      for (size_t r = 0; *before && r < map.results.size(); ++r) {
        auto x = valueOf(arena, map.results[r], p),
             y = valueOf(arena, simple.results[r], p);
        if (!x)
          continue;
        ASSERT_TRUE(!y || *x == *y) << "result " << r << ", " << where;
        ASSERT_TRUE(inside(bounds.interval(map.results[r]), *x)) << where;
        Residue residue = bounds.residue(map.results[r]);
        ASSERT_TRUE(residue.modulus == 0
                        ? *x == residue.remainder
                        : (*x - residue.remainder) % residue.modulus == 0)
            << where;
      }
    }
  }
  // Most points must be computable.
  EXPECT_GT(checked, unsigned(cases(150'000)));
}

} // namespace
} // namespace mercator::indexing
