// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What interval analysis makes of a domain: `expression | domain => interval`.

#include "mercator/indexing/map/IntervalAnalysis.h"

#include "tests/indexing/MapText.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::indexing {
namespace {

struct Row {
  const char *map; ///< the test is about its first result
  Interval expected;
};

TEST(IntervalAnalysis, Intervals) {
  const Row rows[] = {
      {"(d0) -> (d0 * 3 - 1), domain: d0 in [0, 9]", {-1, 26}},
      {"(d0) -> (d0 mod 8), domain: d0 in [9, 13]", {1, 5}},
      {"(d0) -> (d0 mod 8), domain: d0 in [9, 17]", {0, 7}},
      {"(d0) -> (d0 / -3), domain: d0 in [15, 35]", {-12, -5}},
      {"(d0) -> (min(d0, 4) - max(d0, 2)), domain: d0 in [0, 9]", {-9, 2}},
      // Residues move the ends.
      {"(d0) -> (d0), domain: d0 in [0, 9], d0 mod 4 in [3, 3]", {3, 7}},
      {"(d0) -> (d0), domain: d0 in [-12, -12], d0 mod 5 in [3, 3]",
       {-12, -12}},
      {"(d0) -> ((d0 * 6 + 3) mod 4), domain: d0 in [0, 9]", {1, 3}},
      // x and its quotients are not independent.
      {"(d0, d1) -> (d0 + d1 * 32 - (d0 / 32) * 32), domain: d0 in [0, 1023], "
       "d1 in [0, 255]",
       {0, 8191}},
      {"(d0) -> (d0 - (d0 / 4) * 3), domain: d0 in [0, 15]", {0, 6}},
      // A constraint on the expression, on a multiple of it, on a part of it.
      {"(d0, d1) -> (d0 + d1), domain: d0 in [0, 9], d1 in [0, 9], d0 + d1 in [4, 5]",
       {4, 5}},
      {"(d0, d1) -> (d0 * -2 - d1 * 2 + 1), domain: d0 in [0, 9], d1 in [0, 9], d0 + d1 in [4, 5]",
       {-9, -7}},
      {"(d0, d1, d2) -> (d0 + d1 + d2), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9], d0 + d1 in [4, 5]",
       {4, 14}},
      // Constraints bound single variables.
      {"(d0)[s0, s1] -> (d0), domain: d0 in [0, 1999], s0 in [0, 1], s1 in [0, 2], d0 * 6 + s0 * 3 + s1 in [0, 598]",
       {0, 99}},
      {"(d0) -> (d0), domain: d0 in [0, 99], (d0 - 5) / 10 in [2, 3]",
       {25, 44}},
      {"(d0, d1) -> (d1), domain: d0 in [0, 9], d1 in [0, 99], min(d0, d1) in [7, 20]",
       {7, 99}},
      {"(d0, d1) -> (d1), domain: d0 in [0, 5], d1 in [0, 99], max(d0, d1) in [7, 20]",
       {7, 20}},
  };
  for (const Row &row : rows) {
    Arena arena;
    Map map = mapOf(arena, row.map);
    IntervalAnalysis bounds(arena, map.domain);
    EXPECT_EQ(bounds.interval(map.results[0]), row.expected)
        << row.map << " gave " << [&] {
             std::string s;
             llvm::raw_string_ostream(s) << bounds.interval(map.results[0]);
             return s;
           }();
  }
}

TEST(IntervalAnalysis, Emptiness) {
  const char *empty[] = {
      "(d0) -> (d0), domain: d0 in [0, 9], d0 mod 8 in [45, 49]",
      "(d0) -> (d0), domain: d0 in [0, 9], d0 mod 6 in [3, 3], d0 mod 4 in [2, 2]",
      "(d0) -> (d0), domain: d0 in [0, 9], d0 * 4 mod 8 in [2, 2]",
      "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], d0 + d1 in [19, 99]",
      "(d0) -> (d0), domain: d0 in [0, 10], d0 mod 12 in [11, 11]",
  };
  for (const char *text : empty) {
    Arena arena;
    EXPECT_TRUE(
        IntervalAnalysis(arena, mapOf(arena, text).domain).isKnownEmpty())
        << text;
  }
}

// Two constraints that shrink each other one step a round must not loop.
TEST(IntervalAnalysis, SlowTighteningIsGivenUp) {
  Arena arena;
  Map map = mapOf(
      arena,
      "(d0, d1) -> (d0), domain: d0 in [0, 1000000000000], d1 in [0, 1000000000000], d0 - d1 in [1, 5], d1 - d0 in [1, 5]");
  IntervalAnalysis bounds(arena, map.domain);
  EXPECT_TRUE(bounds.interval(map.results[0]).contains(0));
}

TEST(IntervalAnalysis, AnEmptyDomainSaysNothingOfOneWithEqualBounds) {
  Arena arena;
  Domain empty = mapOf(arena, "(d0) -> (d0), domain: d0 in [0, 9]").domain;
  Domain other = empty;
  empty.knownEmpty = true;
  EXPECT_TRUE(IntervalAnalysis(arena, empty).isKnownEmpty());
  EXPECT_FALSE(IntervalAnalysis(arena, other).isKnownEmpty());
}

TEST(IntervalAnalysis, EqualDomainsShareTheirEpoch) {
  Arena arena;
  Map a = Map::identity(arena, {4, 5}), b = Map::identity(arena, {4, 5}),
      c = Map::identity(arena, {4, 6});
  b.domain.dims[0].name = arena.intern("row"); // names do not matter
  uint32_t epoch = IntervalAnalysis(arena, a.domain).epoch();
  EXPECT_NE(IntervalAnalysis(arena, c.domain).epoch(), epoch);
  EXPECT_EQ(IntervalAnalysis(arena, b.domain).epoch(), epoch);
  for (int64_t n = 1; n < 100; ++n) // past the point where a table is used
    (void)IntervalAnalysis(arena, Map::identity(arena, {n}).domain);
  EXPECT_EQ(IntervalAnalysis(arena, a.domain).epoch(), epoch);
}

} // namespace
} // namespace mercator::indexing
