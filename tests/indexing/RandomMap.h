// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random expressions, domains and maps. The seed of a run is printed when a
// test fails; MERCATOR_SEED=N repeats that run.

#ifndef MERCATOR_TESTS_INDEXING_RANDOMMAP_H
#define MERCATOR_TESTS_INDEXING_RANDOMMAP_H

#include "mercator/indexing/map/Map.h"
#include "tests/Seed.h"

#include <random>

namespace mercator::indexing {

using mercator::testSeed;

class RandomMap {
public:
  explicit RandomMap(uint64_t seed) : engine(seed) {}

  int64_t pick(int64_t lower, int64_t upper) {
    return std::uniform_int_distribution<int64_t>(lower, upper)(engine);
  }
  bool oneIn(int64_t n) { return pick(1, n) == 1; }

  /// A constant, mostly small; if `wild`, sometimes near the limits of int64.
  int64_t constant() {
    if (wild && oneIn(4)) {
      constexpr int64_t k[] = {Interval::kMin,     Interval::kMax,
                               Interval::kMax / 2, Interval::kMin / 3,
                               1ll << 32,          -(1ll << 31),
                               (1ll << 31) + 7,    1'000'000'007};
      return k[pick(0, 7)];
    }
    return oneIn(3) ? pick(-40, 40) : pick(-6, 12);
  }
  int64_t divisor() {
    if (wild && oneIn(4))
      return pick(1, Interval::kMax);
    constexpr int64_t k[] = {2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 21, 64, 100};
    return k[pick(0, 12)];
  }
  Interval interval() {
    if (wild && oneIn(5)) {
      int64_t a = constant(), b = constant();
      return {std::min(a, b), std::max(a, b)};
    }
    int64_t lower = oneIn(3) ? pick(-12, 12) : 0;
    int64_t size = oneIn(6) ? 1 : pick(1, maxSize);
    return {lower, lower + size - 1};
  }

  Domain domain(Arena &arena) {
    Domain d;
    int64_t dims = pick(oneIn(8) ? 0 : 1, 3), ranges = pick(0, 2);
    for (int64_t i = 0; i < dims; ++i)
      (void)d.addDim(arena, interval());
    for (int64_t i = 0; i < ranges; ++i)
      (void)d.addRange(arena, interval());
    for (int64_t n = oneIn(4) ? pick(1, 3) : 0; n > 0; --n)
      (void)d.addRuntime(arena, {.bounds = interval()});
    for (int64_t i = 0, n = oneIn(4) ? pick(1, 2) : 0; i < n; ++i)
      (void)d.addParameter(arena, "p" + std::to_string(i), interval());
    return d;
  }
  void addConstraints(Arena &arena, Domain &d) {
    if (oneIn(6) && d.numVars() > 0) // residues of one subject
      for (Expr e = leaf(arena, d); int64_t m : {pick(2, 4), pick(2, 6)}) {
        int64_t r = pick(0, m - 1);
        d.addConstraint(arena.mod(e, m), {r, r});
      }
    if (products && oneIn(6) && d.numVars() > 1) { // a known difference
      int64_t k = pick(-2, 2);
      Expr e = arena.sub(leaf(arena, d), leaf(arena, d));
      if (!arena.isConstant(e))
        d.addConstraint(e, {k, k});
    }
    if (products && oneIn(8) && d.numVars() > 1) { // squares of a known pair
      Expr x = variable(arena, d), y = variable(arena, d);
      Expr e = oneIn(2) ? arena.sub(x, y) : arena.add(x, y);
      int64_t k = pick(-2, 8), lower = pick(-12, 12);
      if (!arena.isConstant(e)) {
        d.addConstraint(e, {k, k});
        d.addConstraint(squares(arena, x, y), {lower, lower + pick(0, 20)});
      }
    }
    for (int64_t n = pick(0, 2); n > 0; --n) {
      Expr e = expr(arena, d, 2);
      int64_t lower = constant();
      if (lower == Interval::kMin)
        lower = 0;
      int64_t width = oneIn(3) ? 0 : pick(0, 30);
      if (lower > Interval::kMax - width)
        width = 0;
      d.addConstraint(e, {lower, lower + width});
    }
  }

  /// Requires: the domain has one.
  Expr variable(Arena &arena, const Domain &d) {
    llvm::SmallVector<Var, 8> vars;
    d.forEachVar([&](Var v) { vars.push_back(v); });
    return arena.variable(vars[pick(0, vars.size() - 1)]);
  }

  Expr leaf(Arena &arena, const Domain &d) {
    if (d.numVars() == 0 || oneIn(8))
      return arena.constant(constant());
    Expr v = variable(arena, d);
    return oneIn(2) ? v : arena.scale(v, constant());
  }

  /// a*x*x - a*y*y, perhaps with another term.
  Expr squares(Arena &arena, Expr x, Expr y) {
    int64_t a = pick(1, 3);
    Expr e = arena.sub(arena.scale(arena.mul(x, x), a),
                       arena.scale(arena.mul(y, y), a));
    return oneIn(3) ? arena.add(e, oneIn(2) ? x : y) : e;
  }

  Expr expr(Arena &arena, const Domain &d, int depth) {
    if (depth == 0 || oneIn(6))
      return leaf(arena, d);
    Expr a = expr(arena, d, depth - 1);
    switch (pick(0, 15)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return arena.add(a, expr(arena, d, depth - 1));
    case 4:
      return arena.sub(a, expr(arena, d, depth - 1));
    case 5:
      return arena.scale(a, constant());
    case 6:
    case 7:
    case 8:
      return arena.floorDiv(a, divisor());
    case 9:
    case 10:
    case 11:
      return arena.mod(a, divisor());
    case 12:
      return arena.ceilDiv(a, divisor());
    case 13:
      return arena.min(a, expr(arena, d, depth - 1));
    case 14:
      return arena.max(a, expr(arena, d, depth - 1));
    default:
      if (!products)
        return arena.add(a, 1);
      Expr b = expr(arena, d, depth - 1);
      // Division by the constant zero is not in the notation.
      switch (arena.isConstant(b, 0) ? 3 : pick(0, 3)) {
      case 0:
        return arena.floorDiv(a, b);
      case 1:
        return arena.mod(a, b);
      default:
        return arena.mul(a, b);
      }
    }
  }

  /// A linear expression that reads mixed-radix digits, as reshapes make them.
  Expr reshapeLike(Arena &arena, const Domain &d) {
    Expr sum = arena.constant(oneIn(4) ? pick(-9, 9) : 0);
    int64_t stride = 1;
    for (size_t i = d.dims.size(); i-- > 0;) {
      sum = arena.add(sum, arena.scale(arena.dim(i), stride));
      int64_t size = oneIn(8) ? 7 : d.dims[i].bounds.size().value_or(1);
      if (__builtin_mul_overflow(stride, size, &stride))
        stride = 1;
    }
    int64_t inner = pick(1, 12), outer = pick(2, 9);
    Expr q = arena.floorDiv(sum, inner);
    switch (pick(0, products ? 8 : 7)) {
    case 8: { // a multiple of the expression of a constraint
      Expr y = leaf(arena, d);
      for (const Constraint &c : d.constraints)
        if (arena.kind(c.expr) == ExprKind::Sum)
          y = c.expr;
      return arena.mul(y, leaf(arena, d));
    }
    case 6: { // the quotients or remainders of all residue classes
      int64_t c = pick(2, 4);
      bool isQuotient = oneIn(2);
      Expr x = leaf(arena, d), all = leaf(arena, d);
      for (int64_t i = 0; i < c; ++i) {
        Expr n = arena.add(x, i + c * pick(-2, 2));
        all =
            arena.add(all, isQuotient ? arena.floorDiv(n, c) : arena.mod(n, c));
      }
      return all;
    }
    case 7: { // the minimum and the maximum of two
      Expr x = leaf(arena, d), y = leaf(arena, d);
      Expr both = arena.add(arena.min(x, y), arena.max(y, x));
      return arena.scale(both, pick(-3, 3));
    }
    case 4: // two of three digits
      return arena.add(arena.scale(arena.mod(q, outer), inner),
                       arena.mod(sum, inner));
    case 5: { // a remainder as a difference
      Expr y = leaf(arena, d);
      Expr whole =
          arena.floorDiv(arena.add(arena.scale(y, inner), sum), inner * outer);
      return arena.sub(arena.add(y, q), arena.scale(whole, outer));
    }
    case 0:
      return q;
    case 1:
      return arena.mod(sum, inner);
    case 2:
      return arena.mod(q, outer);
    default:
      return arena.add(arena.scale(q, inner), arena.mod(sum, inner));
    }
  }

  Map map(Arena &arena) {
    Map m(arena);
    m.domain = domain(arena);
    addConstraints(arena, m.domain);
    for (int64_t n = pick(0, 3); n > 0; --n)
      m.results.push_back(oneIn(3) ? reshapeLike(arena, m.domain)
                                   : expr(arena, m.domain, pick(0, 4)));
    return m;
  }

  bool wild = false;    ///< values near the limits of int64
  bool products = true; ///< of variables, and division by them
  int64_t maxSize = 12; ///< of an interval

private:
  std::mt19937_64 engine;
};

} // namespace mercator::indexing

#endif // MERCATOR_TESTS_INDEXING_RANDOMMAP_H
