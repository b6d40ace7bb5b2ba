// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/expr/Expr.h"

#include "gtest/gtest.h"

namespace mercator::indexing {
namespace {

TEST(Expr, EqualTreesHaveEqualHandles) {
  Arena a;
  Expr x = a.dim(0), y = a.range(0);
  EXPECT_EQ(a.add(x, y), a.add(y, x));
  EXPECT_EQ(a.add(a.scale(x, 3), a.scale(x, -2)), x);
  EXPECT_EQ(a.sub(a.add(x, 5), x), a.constant(5));
  EXPECT_EQ(a.scale(a.add(a.scale(x, 2), 1), 3), a.add(a.scale(x, 6), 3));
  EXPECT_EQ(a.min(x, y), a.min(y, x));
  EXPECT_EQ(a.mul(a.add(x, 1), a.add(y, 2)),
            a.sum({{a.mul(x, y), 1}, {x, 2}, {y, 1}}, 2));
  EXPECT_NE(a.dim(0), a.range(0));
  EXPECT_NE(a.range(0), a.runtime(0));
}

TEST(Expr, QuotientAndRemainderAreOneNode) {
  Arena a;
  Expr x = a.add(a.scale(a.dim(0), 3), a.dim(1));
  uint32_t before = a.size();
  Expr q = a.floorDiv(x, 7), r = a.mod(x, 7);
  EXPECT_EQ(a.size(), before + 2); // the division and the constant 7
  EXPECT_EQ(a.pair(q), r);
  EXPECT_EQ(a.pair(r), q);
  EXPECT_EQ(a.kind(q), ExprKind::Quotient);
  EXPECT_EQ(a.kind(r), ExprKind::Remainder);
  EXPECT_EQ(a.divisor(r), 7);
  EXPECT_EQ(a.lhs(r), x);
}

TEST(Expr, LocalRules) {
  Arena a;
  Expr x = a.dim(0);
  EXPECT_EQ(a.floorDiv(x, 1), x);
  EXPECT_EQ(a.mod(x, 1), a.constant(0));
  EXPECT_EQ(a.scale(x, 0), a.constant(0));
  EXPECT_EQ(a.floorDiv(a.constant(-7), 2), a.constant(-4));
  EXPECT_EQ(a.mod(a.constant(-7), 2), a.constant(1));
  EXPECT_EQ(a.ceilDiv(a.constant(-7), 2), a.constant(-3));
  // A negative divisor: floor(x / -3) = floor(-x / 3), x mod -3 = -(-x mod 3).
  EXPECT_EQ(a.floorDiv(x, -3), a.floorDiv(a.neg(x), 3));
  EXPECT_EQ(a.mod(x, -3), a.neg(a.mod(a.neg(x), 3)));
  EXPECT_EQ(a.ceilDiv(x, -3), a.ceilDiv(a.neg(x), 3));
  EXPECT_EQ(a.clamp(a.constant(9), 0, 4), a.constant(4));
}

TEST(Expr, DivisionByZeroStays) {
  Arena a;
  EXPECT_EQ(a.kind(a.floorDiv(a.constant(1), 0)), ExprKind::Quotient);
  EXPECT_EQ(a.kind(a.mod(a.dim(0), 0)), ExprKind::Remainder);
}

// If the normal form would overflow, nothing is folded.
TEST(Expr, OverflowIsWide) {
  Arena a;
  constexpr int64_t kMax = Interval::kMax;
  EXPECT_EQ(a.kind(a.add(a.constant(kMax), 1)), ExprKind::Wide);
  EXPECT_EQ(a.kind(a.scale(a.scale(a.dim(0), kMax), 2)), ExprKind::Wide);
  EXPECT_EQ(a.kind(a.mul(a.constant(kMax), a.constant(kMax))), ExprKind::Wide);
  // A sum that fits is not wide, in any order of the terms.
  EXPECT_EQ(a.sub(a.scale(a.dim(0), kMax), a.scale(a.dim(0), kMax)),
            a.constant(0));
}

TEST(Expr, UsedVariables) {
  Arena a;
  Expr e = a.add(a.floorDiv(a.dim(3), 2), a.min(a.range(1), a.runtime(0)));
  EXPECT_TRUE(a.uses(e, {VarKind::Dim, 3}));
  EXPECT_TRUE(a.uses(e, {VarKind::Range, 1}));
  EXPECT_TRUE(a.uses(e, {VarKind::Runtime, 0}));
  EXPECT_FALSE(a.uses(e, {VarKind::Dim, 1}));
  // Beyond the variables that have a bit of their own in a VarSet.
  Expr far = a.add(a.dim(100), a.dim(2));
  EXPECT_TRUE(a.uses(far, {VarKind::Dim, 100}));
  EXPECT_FALSE(a.uses(far, {VarKind::Dim, 99}));
}

TEST(Expr, KnownResidue) {
  Arena a;
  Expr e = a.add(a.scale(a.dim(0), 6), 3);
  EXPECT_EQ(a.residue(e), Residue::of(6, 3));
  EXPECT_EQ(a.residue(a.add(e, a.scale(a.range(0), 4))), Residue::of(2, 1));
  EXPECT_EQ(a.residue(a.mod(e, 4)), Residue::of(2, 1));
  EXPECT_EQ(a.residue(a.dim(0)), Residue::everything());
}

TEST(Expr, DeepExpressionsAreWalkedWithoutRecursion) {
  Arena a;
  Expr e = a.dim(0);
  for (int i = 0; i < 200'000; ++i)
    e = a.floorDiv(a.add(a.scale(e, 3), 1), 2);
  unsigned visited = 0;
  a.forEachPostOrder(e, [&](Expr) { ++visited; });
  EXPECT_EQ(visited, 400'002u); // a sum and a quotient each, d0 and 2
  EXPECT_EQ(a.height(e), 65535u);
}

TEST(Expr, NamesAreInternedOnce) {
  Arena a;
  EXPECT_EQ(a.intern(""), 0u);
  uint32_t n = a.intern("entry/of1");
  EXPECT_EQ(a.intern("entry/of1"), n);
  EXPECT_EQ(a.name(n), "entry/of1");
  EXPECT_EQ(a.name(0), "");
}

} // namespace
} // namespace mercator::indexing
