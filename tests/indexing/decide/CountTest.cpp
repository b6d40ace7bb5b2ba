// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/decide/Count.h"
#include "tests/Scale.h"

#include "tests/indexing/MapText.h"
#include "tests/indexing/RandomMaps.h"

namespace mercator::indexing {
namespace {

using namespace mercator::indexing::testing;

/// No enumeration: closed forms only.
constexpr Budget kClosed{.steps = 0};
constexpr Budget kFew{.steps = 64};

Count pointsOf(llvm::StringRef text, Budget options = {}) {
  Arena arena;
  return countPoints(arena, mapOf(arena, text).domain, options);
}
Count imageOf(llvm::StringRef text, Budget options = {}) {
  Arena arena;
  return countImage(mapOf(arena, text), options);
}

TEST(CountPoints, Boxes) {
  EXPECT_EQ(pointsOf("() -> ()").exact(), 1);
  EXPECT_EQ(pointsOf("(d0) -> (d0), KNOWN EMPTY").exact(), 0);
  EXPECT_EQ(pointsOf("(d0, d1)[s0]{rt0} -> (d0), domain: d0 in [0, 9], "
                     "d1 in [-5, 4], s0 in [0, 99], rt0 in [1, 2]")
                .exact(),
            20000);
}

TEST(CountPoints, NeverOverflows) {
  EXPECT_EQ(pointsOf("(d0, d1) -> (d0), domain: d0 in [0, 999999999999999999], "
                     "d1 in [0, 8]")
                .exact(),
            9000000000000000000);
  EXPECT_EQ(pointsOf("(d0, d1) -> (d0), domain: d0 in [0, 999999999999999999], "
                     "d1 in [0, 9]")
                .kind,
            Count::Kind::TooLarge);
  EXPECT_EQ(pointsOf("(d0) -> (d0), domain: d0 in [0, inf]").kind,
            Count::Kind::Infinite);
  EXPECT_EQ(pointsOf("(d0, d1) -> (d0), domain: d0 in [0, inf], "
                     "d1 in [0, 9], d1 mod 3 in [5, 6]")
                .exact(),
            0);
}

TEST(CountPoints, Residues) {
  // 3, 15, 27, ..., below 10^15: x = 3 (mod 4) and (mod 3) 0.
  EXPECT_EQ(pointsOf("(d0) -> (d0), domain: d0 in [0, 999999999999999], "
                     "d0 mod 4 in [3, 3], d0 mod 3 in [0, 0]",
                     kClosed)
                .exact(),
            1000000000000000 / 12 + 1);
}

TEST(CountPoints, AMixedRadixIsCountedByDigits) {
  // 8*d0 + d1 <= 500 with d1 < 8: 0..500 are all sums, each once.
  EXPECT_EQ(pointsOf("(d0, d1) -> (d0), domain: d0 in [0, 999], d1 in [0, 7], "
                     "d0 * 8 + d1 in [0, 500]",
                     kClosed)
                .exact(),
            501);
  // 10*d0 + d1, d1 in [0, 2]: 0 1 2 10 11 12 ..., those in [11, 31]:
  // 11 12 20 21 22 30 31.
  EXPECT_EQ(pointsOf("(d0, d1) -> (d0), domain: d0 in [0, 1000000000], "
                     "d1 in [0, 2], d0 * 10 + d1 in [11, 31]",
                     kClosed)
                .exact(),
            7);
}

TEST(CountPoints, OneVariableIsSolvedFor) {
  // Sum over d1 of min(500 - d1, 8 * 999) / 8 + 1 with d1 in [0, 999].
  int64_t expected = 0;
  for (int64_t d1 = 0; d1 <= 500; ++d1)
    expected += (500 - d1) / 8 + 1;
  EXPECT_EQ(expected, 15939);
  EXPECT_EQ(
      pointsOf("(d0, d1) -> (d0), domain: d0 in [0, 999], d1 in [0, 999], "
               "d0 * 8 + d1 in [0, 500]",
               {.steps = 1000})
          .exact(),
      expected);
  // The triangle x + y <= 10^5 in a box of 10^10 points.
  EXPECT_EQ(pointsOf("(d0, d1) -> (d0), domain: d0 in [0, 100000], "
                     "d1 in [0, 100000], d0 + d1 in [0, 100000]")
                .exact(),
            100001l * 100002 / 2);
  // Infinitely many points if the solved variable is unbounded.
  EXPECT_EQ(pointsOf("(d0, d1) -> (d0), domain: d0 in [0, inf], d1 in [0, 9], "
                     "d0 - d1 in [0, inf]")
                .kind,
            Count::Kind::Infinite);
}

TEST(CountPoints, UnknownSaysWhy) {
  Count n = pointsOf("(d0, d1) -> (d0), domain: d0 in [0, 1000000000], "
                     "d1 in [0, 1000000000], d0 * d1 in [0, 7777777]");
  EXPECT_EQ(n.kind, Count::Kind::Unknown);
  EXPECT_EQ(n.reason, "its size");
}

TEST(CountImage, ClosedForms) {
  struct Row {
    const char *map;
    int64_t elements;
  } rows[] = {
      {"(d0) -> (), domain: d0 in [0, 9]", 1},
      {"(d0, d1) -> (d1, d0), domain: d0 in [0, 99999999], d1 in [0, 99999999]",
       10000000000000000},
      // A broadcast reads its operand once.
      {"(d0, d1) -> (d1), domain: d0 in [0, 99999999], d1 in [0, 6]", 7},
      {"(d0, d1) -> (d1, d1 * 2 + 1), domain: d0 in [0, 9], d1 in [0, 69999]",
       70000},
      // A window of 3 on 10^9 positions.
      {"(d0)[s0] -> (d0 + s0), domain: d0 in [0, 999999999], s0 in [0, 2]",
       1000000002},
      // The same with stride 2 and 5: overlapping, then with gaps.
      {"(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 999999999], s0 in [0, 2]",
       2000000001},
      {"(d0)[s0] -> (d0 * 5 + s0), domain: d0 in [0, 999999999], s0 in [0, 2]",
       3000000000},
      // Slices of 3 rows of 100 out of rows of 1000, twice.
      {"(d0, d1, d2) -> (d0 * 100000 + d1 * 1000 + d2), domain: "
       "d0 in [0, 999999], d1 in [0, 2], d2 in [0, 99]",
       300000000},
      // Reshapes: every element.
      {"(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 999999999999999]",
       1000000000000000},
      {"(d0) -> (d0 floordiv 600, (d0 floordiv 30) mod 20, d0 mod 30), domain: "
       "d0 in [0, 5999999999]",
       6000000000},
      // A quarter of them.
      {"(d0) -> (d0 floordiv 4), domain: d0 in [2, 999999999]", 250000000},
      {"(d0) -> ((d0 * 6 + 1) mod 15), domain: d0 in [0, 999999999]", 5},
      {"(d0) -> ((d0 * 6 + 1) floordiv 15), domain: d0 in [0, 999999999]",
       400000000},
      {"(d0) -> ((d0 * 6 + 1) floordiv 5), domain: d0 in [0, 999999999]",
       1000000000},
      // A diagonal, and one next to the identity.
      {"(d0) -> (d0, d0), domain: d0 in [0, 999999999]", 1000000000},
      {"(d0, d1) -> (d0, d0 + d1), domain: d0 in [0, 999999], d1 in [0, 999999]",
       1000000000000},
      // Padding: a constraint on the element itself.
      {"(d0)[s0] -> (d0 * 2 + s0 - 1), domain: d0 in [0, 999999999], "
       "s0 in [0, 2], d0 * 2 + s0 - 1 in [0, 1999999998]",
       1999999999},
      // Every other element.
      {"(d0) -> ((d0 - 1) floordiv 2), domain: d0 in [1, 1999999999], "
       "(d0 - 1) mod 2 in [0, 0]",
       1000000000},
  };
  for (const Row &row : rows)
    EXPECT_EQ(imageOf(row.map, kClosed).exact(), row.elements) << row.map;
}

// 1, 3 and 4 add up to 4 in two ways.
TEST(CountImage, EqualSumsAreCountedOnce) {
  EXPECT_EQ(imageOf("(d0, d1, d2) -> (d0 + d1 * 3 + d2 * 4), domain: "
                    "d0 in [0, 1], d1 in [0, 1], d2 in [0, 1]")
                .exact(),
            7);
}

TEST(CountImage, UnusedVariablesMustHaveAValue) {
  EXPECT_EQ(imageOf("(d0)[s0] -> (d0), domain: d0 in [0, 99999999], "
                    "s0 in [0, 9], s0 mod 4 in [5, 6]",
                    kClosed)
                .exact(),
            0);
}

TEST(CountImage, UnknownSaysWhy) {
  Count n = imageOf("(d0, d1) -> (d0 * 7 + d1 * 11), domain: "
                    "d0 in [0, 1000000000], d1 in [0, 1000000000]");
  EXPECT_EQ(n.kind, Count::Kind::Unknown);
  EXPECT_EQ(n.reason, "its size");
}

TEST(CountPoints, AgreesWithEnumeration) {
  int decided = 0;
  for (uint64_t seed = 0; seed < cases(20'000); ++seed) {
    RandomMaps random(seed);
    Arena arena;
    Domain d = random.domain(arena, random.between(1, 2), random.between(0, 2),
                             random.between(0, 1), 7, random.between(0, 2));
    int64_t expected = 0;
    forEachPointOf(arena, d, [&](const Values &) { ++expected; });
    // A small budget, so that the closed forms are tested.
    Count n = countPoints(arena, d, kFew);
    decided += n.exact().has_value();
    Map shown(arena);
    shown.domain = d;
    if (n.exact())
      ASSERT_EQ(*n.exact(), expected)
          << "seed " << seed << ": " << toString(shown);
    ASSERT_EQ(countPoints(arena, d).exact(), expected)
        << "seed " << seed << ": " << toString(shown);
  }
  EXPECT_GT(decided, cases(12'000));
}

TEST(CountImage, AgreesWithEnumeration) {
  int decided = 0;
  for (uint64_t seed = 0; seed < cases(20'000); ++seed) {
    RandomMaps random(seed);
    Arena arena;
    Map m = random.map(arena, 8, random.between(1, 2));
    std::vector<Index> elements;
    for (const auto &[from, to] : readsOf(m).pairs)
      elements.push_back(to);
    std::sort(elements.begin(), elements.end());
    int64_t expected =
        std::unique(elements.begin(), elements.end()) - elements.begin();
    Count n = countImage(m, kClosed);
    decided += n.exact().has_value();
    if (n.exact())
      ASSERT_EQ(*n.exact(), expected) << "seed " << seed << ": " << toString(m);
    ASSERT_EQ(countImage(m).exact(), expected)
        << "seed " << seed << ": " << toString(m);
  }
  EXPECT_GT(decided, cases(6'000));
}

} // namespace
} // namespace mercator::indexing
