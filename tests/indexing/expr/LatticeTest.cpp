// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Intervals and residues: every operation on every small operand, against the
// sets that they denote.

#include "mercator/indexing/expr/Residue.h"

#include "gtest/gtest.h"

namespace mercator::indexing {
namespace {

constexpr int64_t kLow = -5, kHigh = 5;

template <typename F> void forEachInterval(F f) {
  for (int64_t a = kLow; a <= kHigh; ++a)
    for (int64_t b = a; b <= kHigh; ++b)
      f(Interval{a, b});
}

/// The smallest interval that contains op(x, y) for all x, y, by enumeration.
template <typename Op> Interval image(Interval a, Interval b, Op op) {
  Interval r = Interval::empty();
  for (int64_t x = a.lower; x <= a.upper; ++x)
    for (int64_t y = b.lower; y <= b.upper; ++y)
      r = r.hull(Interval::point(op(x, y)));
  return r;
}

int64_t floorDivide(int64_t x, int64_t y) {
  int64_t q = x / y;
  return q - (x % y != 0 && (x < 0) != (y < 0));
}

TEST(Interval, BinaryOperationsAreExactOnSmallOperands) {
  forEachInterval([](Interval a) {
    forEachInterval([&](Interval b) {
      EXPECT_EQ(a + b, image(a, b, [](int64_t x, int64_t y) { return x + y; }));
      EXPECT_EQ(a - b, image(a, b, [](int64_t x, int64_t y) { return x - y; }));
      EXPECT_EQ(a * b, image(a, b, [](int64_t x, int64_t y) { return x * y; }));
      EXPECT_EQ(a.min(b), image(a, b, [](int64_t x, int64_t y) {
                  return std::min(x, y);
                }));
      EXPECT_EQ(a.max(b), image(a, b, [](int64_t x, int64_t y) {
                  return std::max(x, y);
                }));
      if (!b.contains(0))
        EXPECT_EQ(a.floorDiv(b), image(a, b, floorDivide));
      else
        EXPECT_EQ(a.floorDiv(b), Interval::everything());
      for (int64_t x = kLow - 1; x <= kHigh + 1; ++x)
        EXPECT_EQ(a.intersect(b).contains(x), a.contains(x) && b.contains(x));
    });
  });
}

TEST(Interval, UnaryOperationsAreExactOnSmallOperands) {
  forEachInterval([](Interval a) {
    EXPECT_EQ(-a, image(a, a, [](int64_t x, int64_t) { return -x; }));
    for (int64_t k = -4; k <= 4; ++k)
      EXPECT_EQ(a * k, image(a, a, [&](int64_t x, int64_t) { return x * k; }));
    for (int64_t k = 1; k <= 4; ++k)
      EXPECT_EQ(a.floorDiv(k), image(a, a, [&](int64_t x, int64_t) {
                  return floorDivide(x, k);
                }));
    EXPECT_EQ(a.size(), a.upper - a.lower + 1);
  });
}

TEST(Interval, EmptyStaysEmpty) {
  Interval e = Interval::empty(), a{1, 3};
  for (Interval r : {e + a, a - e, a * e, e * 7, -e, e.floorDiv(2), e.min(a),
                     a.max(e), a.intersect({4, 9})})
    EXPECT_TRUE(r.isEmpty());
  EXPECT_EQ(e.hull(a), a);
  EXPECT_EQ(e.size(), 0);
}

// A bound that would leave int64 becomes a missing bound; it never wraps.
TEST(Interval, OverflowLosesTheBound) {
  constexpr int64_t kMin = Interval::kMin, kMax = Interval::kMax;
  EXPECT_EQ((Interval{kMax - 1, kMax - 1} + Interval{0, 5}),
            (Interval{kMax - 1, kMax}));
  EXPECT_EQ((Interval{-3, 1} * (kMax / 2)), (Interval{kMin, kMax / 2}));
  EXPECT_EQ((Interval{kMin + 1, 4} * -2), (Interval{-8, kMax}));
  EXPECT_FALSE((-Interval{kMin, kMin}).isPoint());
  EXPECT_FALSE(Interval::point(kMax).isPoint());
  EXPECT_EQ((Interval{kMin + 1, 0}.size()), std::nullopt);
  EXPECT_EQ((Interval{0, kMax - 1}.size()), kMax);
}

template <typename F> void forEachResidue(F f) {
  for (int64_t x = -4; x <= 4; ++x)
    f(Residue::constant(x));
  for (int64_t m = 1; m <= 6; ++m)
    for (int64_t r = 0; r < m; ++r)
      f(Residue::of(m, r));
}

TEST(Residue, OperationsContainEveryValue) {
  forEachResidue([](Residue a) {
    forEachResidue([&](Residue b) {
      Residue sum = a + b, either = a.unite(b);
      auto both = a.intersect(b);
      for (int64_t x = -12; x <= 12; ++x) {
        if (a.contains(x) || b.contains(x))
          EXPECT_TRUE(either.contains(x));
        EXPECT_EQ(both && both->contains(x), a.contains(x) && b.contains(x))
            << x << " of " << a.modulus << "," << a.remainder << " and "
            << b.modulus << "," << b.remainder;
        for (int64_t y = -12; y <= 12; ++y)
          if (a.contains(x) && b.contains(y))
            EXPECT_TRUE(sum.contains(x + y));
      }
    });
    for (int64_t k = -3; k <= 3; ++k)
      for (int64_t x = -12; x <= 12; ++x)
        if (a.contains(x))
          EXPECT_TRUE((a * k).contains(x * k));
  });
}

TEST(Residue, ClipMovesBothEndsToTheNearestElement) {
  forEachResidue([](Residue a) {
    forEachInterval([&](Interval i) {
      Interval expected = Interval::empty();
      for (int64_t x = i.lower; x <= i.upper; ++x)
        if (a.contains(x))
          expected = expected.hull(Interval::point(x));
      EXPECT_EQ(a.clip(i), expected);
    });
  });
  // Negative bounds count from below too: -12 = 3 (mod 5).
  EXPECT_EQ(Residue::of(5, 3).clip({-12, -12}), Interval::point(-12));
  EXPECT_EQ(Residue::of(5, 3).clip({-14, -8}), (Interval{-12, -12}));
}

TEST(Residue, ChineseRemainders) {
  // x = 3 (mod 6) and x = 5 (mod 7) give x = 33 (mod 42), in either order.
  EXPECT_EQ(Residue::of(6, 3).intersect(Residue::of(7, 5)),
            Residue::of(42, 33));
  EXPECT_EQ(Residue::of(7, 5).intersect(Residue::of(6, 3)),
            Residue::of(42, 33));
  EXPECT_EQ(Residue::of(6, 3).intersect(Residue::of(4, 2)), std::nullopt);
  // A combined modulus beyond int64: one of the two is a superset.
  int64_t p = (int64_t(1) << 61) - 1, q = (int64_t(1) << 31) - 1;
  auto r = Residue::of(p, 7).intersect(Residue::of(q, 7));
  ASSERT_TRUE(r);
  EXPECT_TRUE(r->contains(7));
}

TEST(Residue, LinearCongruences) {
  for (int64_t m = 1; m <= 12; ++m)
    for (int64_t a = -12; a <= 12; ++a)
      for (int64_t r = -3; r < m; ++r) {
        auto solved = solveCongruence(a, r, m);
        for (int64_t x = -30; x <= 30; ++x)
          EXPECT_EQ(solved && solved->contains(x), (a * x - r) % m == 0)
              << a << " * " << x << " = " << r << " mod " << m;
      }
}

} // namespace
} // namespace mercator::indexing
