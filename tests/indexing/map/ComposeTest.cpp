// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/indexing/MapText.h"

#include "mercator/indexing/simplify/Simplify.h"

namespace mercator::indexing {
namespace {

/// compose(first, second), simplified, as text.
std::string composed(const char *first, const char *second) {
  Arena arena;
  return toString(simplify(compose(mapOf(arena, first), mapOf(arena, second))));
}

TEST(Compose, TransposesCancel) {
  EXPECT_EQ(
      composed("(d0, d1) -> (d1, d0), domain: d0 in [0, 9], d1 in [0, 4]",
               "(d0, d1) -> (d1, d0), domain: d0 in [0, 4], d1 in [0, 9]"),
      "(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 4]");
}

TEST(Compose, RangesAreFirstsThenSeconds) {
  EXPECT_EQ(
      composed(
          "(d0)[s0] -> (d0, s0), domain: d0 in [0, 3], s0 in [0, 7]",
          "(d0, d1)[s0] -> (d1, s0, d0), domain: d0 in [0, 3], d1 in [0, 7], s0 in [0, 1]"),
      "(d0)[s0, s1] -> (s0, s1, d0), domain: d0 in [0, 3], s0 in [0, 7], s1 in [0, 1]");
}

// An index outside the box of the second map reads nothing.
TEST(Compose, SecondsBoxRestrictsFirst) {
  EXPECT_EQ(composed("(d0) -> (d0 - 4), domain: d0 in [0, 19]",
                     "(d0) -> (d0), domain: d0 in [0, 7]"),
            "(d0) -> (d0 - 4), domain: d0 in [4, 11]");
  EXPECT_EQ(
      composed("(d0, d1) -> (d0 + d1), domain: d0 in [0, 9], d1 in [0, 9]",
               "(d0) -> (d0), domain: d0 in [0, 4]"),
      "(d0, d1) -> (d0 + d1), domain: d0 in [0, 4], d1 in [0, 4], d0 + d1 in [0, 4]");
}

// The value of a runtime variable is clamped to its interval, so the box of a
// consumer must not change the interval.
TEST(Compose, RuntimeBoundsStay) {
  Arena arena;
  Map first =
      mapOf(arena, "(d0){rt0} -> (rt0), domain: d0 in [0, 3], rt0 in [0, 20]");
  Map second = mapOf(arena, "(d0) -> (d0), domain: d0 in [0, 9]");
  Map r = simplify(compose(first, second));
  ASSERT_EQ(r.domain.runtimes.size(), 1u);
  EXPECT_EQ(r.domain.runtimes[0].bounds, (Interval{0, 20}));
  ASSERT_EQ(r.domain.constraints.size(), 1u);
  EXPECT_EQ(r.domain.constraints[0].bounds, (Interval{0, 9}));
}

// A parameter is one variable for both maps, within both bounds.
TEST(Compose, ParametersAreShared) {
  EXPECT_EQ(
      composed("(d0)<p0> -> (d0 * p0), domain: d0 in [0, 3], p0 in [1, 8]",
               "(d0){rt0}<p1, p0> -> (d0 + p0 + p1 + rt0), domain: "
               "d0 in [0, 99], rt0 in [0, 1], p1 in [0, 9], p0 in [2, 16]"),
      "(d0){rt0}<p0, p1> -> (d0 * p0 + rt0 + p0 + p1), domain: d0 in [0, 3], "
      "rt0 in [0, 1], p0 in [2, 8], p1 in [0, 9]");
}

// The index of a runtime variable is substituted in a composition.
TEST(Compose, RuntimeSourcesAreSubstituted) {
  Arena arena;
  Map first = mapOf(
      arena, "(d0, d1) -> (d1, d0 * 2), domain: d0 in [0, 3], d1 in [0, 4]");
  Map second(arena);
  Expr a = second.domain.addDim(arena, {0, 4}),
       b = second.domain.addDim(arena, {0, 6});
  Expr rt = second.domain.addRuntime(
      arena,
      {.bounds = {0, 3}, .source = arena.intern("e/of"), .index = {b, a}});
  second.results = {arena.add(a, rt)};
  Map r = compose(first, second);
  ASSERT_EQ(r.domain.runtimes.size(), 1u);
  EXPECT_EQ(arena.name(r.domain.runtimes[0].source), "e/of");
  EXPECT_EQ(r.domain.runtimes[0].index[0], arena.scale(arena.dim(0), 2));
  EXPECT_EQ(r.domain.runtimes[0].index[1], arena.dim(1));
}

TEST(Compose, ChainedReshapesAreTheIdentity) {
  // The published example: 10x10x10 -> 50x20 -> 10x10x10.
  EXPECT_EQ(
      composed(
          "(d0, d1, d2) -> ((d0 * 100 + d1 * 10 + d2) / 20, (d0 * 100 + d1 * 10 + d2) mod 20), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]",
          "(d0, d1) -> ((d0 * 20 + d1) / 100, ((d0 * 20 + d1) / 10) mod 10, (d0 * 20 + d1) mod 10), domain: d0 in [0, 49], d1 in [0, 19]"),
      "(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]");
}

/// reshape: the element of `to` that holds element d of `from`, written
/// plainly.
Map plainReshape(Arena &arena, llvm::ArrayRef<int64_t> from,
                 llvm::ArrayRef<int64_t> to) {
  Map m(arena);
  Expr linear = arena.constant(0);
  for (int64_t size : from)
    linear = arena.add(arena.scale(linear, size),
                       m.domain.addDim(arena, Interval::ofSize(size)));
  for (size_t i = to.size(); i-- > 0;) {
    m.results.insert(m.results.begin(), arena.mod(linear, to[i]));
    linear = arena.floorDiv(linear, to[i]);
  }
  return m;
}

TEST(Compose, AlternatingGenericReshapesAreTheIdentity) {
  Arena arena;
  const int64_t a[] = {6, 10, 14, 15, 22}, b[] = {10, 14, 15, 22, 6};
  Map there = plainReshape(arena, a, b), back = plainReshape(arena, b, a);
  Map step = Map::identity(arena, a), raw = step;
  for (int i = 0; i < 20; ++i) {
    step = simplify(compose(step, i % 2 ? back : there));
    raw = compose(raw, i % 2 ? back : there);
    if (i % 2) {
      EXPECT_TRUE(step.isIdentity()) << "after " << i + 1 << " reshapes";
      EXPECT_TRUE(simplify(raw).isIdentity()) << "after " << i + 1 << " raw";
    }
  }
}

// Sharing: each level uses the one below twice, so the text doubles 64 times.
TEST(Compose, SharingStaysLinear) {
  Arena arena;
  Map m = Map::identity(arena, {1 << 20});
  for (int i = 0; i < 64; ++i) {
    Expr x = m.results[0];
    m.results[0] = arena.add(arena.floorDiv(arena.scale(x, 3), 7),
                             arena.mod(arena.scale(x, 5), 1000003));
  }
  Map s = simplify(m);
  EXPECT_LT(arena.size(), 5000u);
  EXPECT_EQ(simplify(s), s);
}

TEST(RemoveUnused, DropsUnusedVariables) {
  Arena arena;
  Map m = removeUnused(mapOf(
      arena,
      "(d0)[s0, s1]{rt0, rt1} -> (s1, rt1), domain: d0 in [0, 3], s0 in [0, 4], s1 in [0, 5], rt0 in [0, 6], rt1 in [0, 7]"));
  EXPECT_EQ(
      toString(m),
      "(d0)[s0]{rt0} -> (s0, rt0), domain: d0 in [0, 3], s0 in [0, 5], rt0 in [0, 7]");
}

// A constraint that ties an unused variable to a used one restricts the used
// one.
TEST(RemoveUnused, KeepsConstraintsOnUsedVariables) {
  Arena arena;
  Map m = mapOf(
      arena,
      "(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [0, 1], d0 - s0 * 4 in [0, 0]");
  EXPECT_EQ(removeUnused(m), m);
}

// The example of RemoveUnused.cpp.
TEST(RemoveUnused, KeepsGroupsOfRelatedVariables) {
  Arena arena;
  Map m = mapOf(arena,
                "(d0)[s0, s1, s2] -> (s1), domain: d0 in [0, 9], s0 in [0, 3], "
                "s1 in [0, 7], s2 in [0, 5], d0 + s0 in [0, 9], "
                "s2 mod 2 in [1, 1]");
  EXPECT_EQ(toString(removeUnused(m)),
            "(d0)[s0, s1] -> (s1), domain: d0 in [0, 9], s0 in [0, 3], "
            "s1 in [0, 7], d0 + s0 in [0, 9]");
}

TEST(RemoveUnused, KeepsConstraintsThatMayHaveNoSolution) {
  Arena arena;
  Map m =
      mapOf(arena, "(d0)[s0, s1] -> (d0), domain: d0 in [0, 9], s0 in [0, 9], "
                   "s1 in [0, 9], s0 * 2 - s1 * 2 in [1, 1]");
  EXPECT_EQ(removeUnused(m), m);
}

} // namespace
} // namespace mercator::indexing
