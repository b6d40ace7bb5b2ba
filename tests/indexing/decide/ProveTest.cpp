// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/indexing/Counterexamples.h"
#include "tests/indexing/MapText.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::indexing {
namespace {

using namespace mercator::indexing::testing;
using Kind = Decision::Kind;

std::string explained(const Verdict &v) {
  std::string text;
  llvm::raw_string_ostream os(text);
  explain(os, v);
  return text;
}

std::string proofOf(llvm::StringRef a, llvm::StringRef b,
                    ProveOptions options = {}) {
  Arena arena;
  Map first = mapOf(arena, a), second = mapOf(arena, b);
  return explained(prove(first, second, options));
}

/// Without comparing all points: simplification, sampling and reasoning only.
constexpr ProveOptions kReason{.budget = {.steps = 0}};

struct Row {
  const char *a, *b;
};

TEST(Prove, Equal) {
  const Row rows[] = {
      {"(d0) -> (d0), domain: d0 in [0, 9]",
       "(d0) -> (d0), domain: d0 in [0, 9]"},
      // Both simplify to the same map.
      {"(d0) -> ((d0 floordiv 8) * 8 + d0 mod 8), domain: d0 in [0, 99999999]",
       "(d0) -> (d0), domain: d0 in [0, 99999999]"},
      // Ranges are sets: names, order and number do not matter.
      {"(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 9], s0 in [0, 99999], "
       "s1 in [0, 7]",
       "(d0)[s0, s1] -> (s1, d0, s0), domain: d0 in [0, 9], s1 in [0, 99999], "
       "s0 in [0, 7]"},
      {"(d0)[s0, s1] -> (s0 * 8 + s1), domain: d0 in [0, 999999], "
       "s0 in [0, 99999], s1 in [0, 7]",
       "(d0)[s0] -> (s0), domain: d0 in [0, 999999], s0 in [0, 799999]"},
      {"(d0)[s0] -> (d0 + s0), domain: d0 in [0, 999999], s0 in [0, 99999]",
       "(d0)[s0] -> (s0), domain: d0 in [0, 999999], s0 in [0, 1099998], "
       "s0 - d0 in [0, 99999]"},
      // An unused range variable.
      {"(d0)[s0] -> (d0), domain: d0 in [0, 9], s0 in [0, 3]",
       "(d0) -> (d0), domain: d0 in [0, 9]"},
      // Two descriptions of one domain.
      {"(d0) -> (d0), domain: d0 in [0, 999999999], d0 mod 6 in [3, 3], "
       "d0 mod 4 in [1, 1]",
       "(d0) -> (d0), domain: d0 in [0, 999999999], d0 mod 12 in [9, 9]"},
      {"(d0, d1) -> (d0), domain: d0 in [0, 99999], d1 in [0, 99999], "
       "d0 - d1 in [0, 0]",
       "(d0, d1) -> (d1), domain: d0 in [0, 99999], d1 in [0, 99999], "
       "d1 - d0 in [0, 0]"},
      // Empty domains.
      {"(d0) -> (d0), domain: d0 in [0, 9], d0 mod 4 in [5, 6]", "KNOWN EMPTY"},
      {"(d0) -> (d0), domain: d0 in [0, 9999999], d0 * 4 mod 8 in [1, 3]",
       "(d0) -> (d0 + 1), domain: d0 in [3, 9999999], d0 * 6 mod 9 in [1, 2]"},
      // A runtime variable that one side does not use.
      {"(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [0, 5]",
       "(d0) -> (d0), domain: d0 in [0, 9]"},
      {"(d0){rt0, rt1} -> (d0 + rt1), domain: d0 in [0, 9999999], "
       "rt0 in [0, 5], rt1 in [0, 7]",
       "(d0){rt0, rt1} -> (d0 + rt1), domain: d0 in [0, 9999999], "
       "rt0 in [0, 8], rt1 in [0, 7]"},
  };
  for (const Row &row : rows)
    for (ProveOptions options : {ProveOptions(), kReason}) {
      EXPECT_TRUE(llvm::StringRef(proofOf(row.a, row.b, options))
                      .starts_with("equal\n"))
          << row.a << "\n"
          << row.b << "\n"
          << proofOf(row.a, row.b, options);
      EXPECT_TRUE(llvm::StringRef(proofOf(row.b, row.a, options))
                      .starts_with("equal\n"))
          << row.b << "\n"
          << row.a;
    }
}

// The example of Prove.h.
TEST(Prove, TheMethodsInTheirOrder) {
  auto windows = [](const char *dims, const char *last,
                    ProveOptions options = {}) {
    std::string begin = std::string("(d0)[s0] -> (");
    std::string domain = std::string("domain: d0 in ") + dims + ", s0 in ";
    std::string a = begin + "d0 + s0), " + domain + "[0, 31]";
    std::string b =
        begin + "s0), " + domain + "[0, 1000030], s0 - d0 in [0, " + last + "]";
    Arena arena;
    return prove(mapOf(arena, a), mapOf(arena, b), options);
  };
  EXPECT_EQ(windows("[0, 999999]", "31").reason,
            "by reasoning about sets of integers");
  EXPECT_EQ(windows("[0, 9]", "31", {.budget = {.steps = 100'000'000}}).reason,
            "all 10 points agree");
  Verdict shorter = windows("[0, 999999]", "30");
  EXPECT_EQ(shorter.reason, "at one of the points tried");
  ASSERT_TRUE(shorter.counterexample);
  EXPECT_EQ(shorter.counterexample->element[0],
            shorter.counterexample->dims[0] + 31);
}

TEST(Prove, Different) {
  const Row rows[] = {
      {"(d0) -> (d0), domain: d0 in [0, 9]",
       "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 0]"},
      {"(d0) -> (d0), domain: d0 in [0, 9]",
       "(d0) -> (d0, d0), domain: d0 in [0, 9]"},
      {"(d0) -> (d0), domain: d0 in [0, 9]", "KNOWN EMPTY"},
      {"(d0) -> (d0), domain: d0 in [0, 9]", "(d0) -> (d0), KNOWN EMPTY"},
      {"(d0) -> (d0), domain: d0 in [0, 99999999]",
       "(d0) -> (d0), domain: d0 in [0, 99999998]"},
      {"(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 99999999]",
       "(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 99999998]"},
      // One point in 10^16: only reasoning finds it.
      {"(d0, d1) -> (d0), domain: d0 in [0, 99999999], d1 in [0, 99999999]",
       "(d0, d1) -> (d0 + (d0 * 100000000 + d1 + 7654321012345) floordiv 10000000000000000 - (d0 * 100000000 + d1 + 7654321012344) floordiv 10000000000000000), domain: d0 in [0, 99999999], d1 in [0, 99999999]"},
      // The same point missing from a domain, above and below a bound.
      {"(d0, d1) -> (d0), domain: d0 in [0, 99999999], d1 in [0, 99999999]",
       "(d0, d1) -> (d0), domain: d0 in [0, 99999999], d1 in [0, 99999999], (d0 * 100000000 + d1 + 7654321012345) floordiv 10000000000000000 - (d0 * 100000000 + d1 + 7654321012344) floordiv 10000000000000000 in [-1, 0]"},
      {"(d0, d1) -> (d0), domain: d0 in [0, 99999999], d1 in [0, 99999999]",
       "(d0, d1) -> (d0), domain: d0 in [0, 99999999], d1 in [0, 99999999], (d0 * 100000000 + d1 + 7654321012344) floordiv 10000000000000000 - (d0 * 100000000 + d1 + 7654321012345) floordiv 10000000000000000 in [0, 1]"},
      {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9999999], rt0 in [0, 5]",
       "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9999999], rt0 in [0, 6]"},
      {"(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 999999], s0 in [0, 2]",
       "(d0)[s0] -> (d0 * 2 + s0 * 2), domain: d0 in [0, 999999], s0 in [0, 1]"},
  };
  for (const Row &row : rows)
    for (ProveOptions options : {ProveOptions(), kReason}) {
      EXPECT_TRUE(llvm::StringRef(proofOf(row.a, row.b, options))
                      .starts_with("different\n"))
          << row.a << "\n"
          << row.b << "\n"
          << proofOf(row.a, row.b, options);
      EXPECT_TRUE(llvm::StringRef(proofOf(row.b, row.a, options))
                      .starts_with("different\n"))
          << row.b << "\n"
          << row.a;
    }
}

TEST(Prove, ACounterexampleIsATrace) {
  EXPECT_EQ(
      proofOf("(d0, d1) -> ((d0 * 8 + d1) floordiv 16, d1 mod 4), domain: "
              "d0 in [0, 3], d1 in [0, 7]",
              "(d0, d1) -> ((d0 * 8 + d1) floordiv 15, d1 mod 4), domain: "
              "d0 in [0, 3], d1 in [0, 7]"),
      "different\n"
      "  at d0 = 3, d1 = 7 (at one of the points tried)\n"
      "  the first map reads (1, 3):\n"
      "    d0 * 8 + d1 = 31\n"
      "    (d0 * 8 + d1) / 16 = 1\n"
      "    d1 mod 4 = 3\n"
      "  the second map does not:\n"
      "    d0 * 8 + d1 = 31\n"
      "    (d0 * 8 + d1) / 15 = 2\n"
      "    d1 mod 4 = 3\n"
      "    it reads (2, 3)\n");
  // The other map does not read there because of a constraint, a bound, or its
  // ranges.
  EXPECT_EQ(proofOf("(d0)[s0] -> (d0), domain: d0 in [0, 99], s0 in [0, 2]",
                    "(d0) -> (d0), domain: d0 in [0, 99], "
                    "d0 floordiv 10 in [0, 8]"),
            "different\n"
            "  at d0 = 99 (at one of the points tried)\n"
            "  the first map reads (99) with s0 = 0\n"
            "  the second map does not:\n"
            "    d0 / 10 = 9, not in [0, 8]\n");
  EXPECT_EQ(
      proofOf("(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 99], rt0 in [0, 5]",
              "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 99], rt0 in [0, 6]"),
      "different\n"
      "  at d0 = 99, rt0 = 6 (at one of the points tried)\n"
      "  the second map reads (105):\n"
      "    d0 + rt0 = 105\n"
      "  the first map does not:\n"
      "    rt0 = 6 is not in [0, 5]\n");
  EXPECT_EQ(
      proofOf("(d0)[s0] -> (d0 + s0), domain: d0 in [0, 0], s0 in [0, 8]",
              "(d0)[s0] -> (d0 + s0 * 2), domain: d0 in [0, 0], s0 in [0, 8]"),
      "different\n"
      "  at d0 = 0 (at one of the points tried)\n"
      "  the first map reads (7) with s0 = 7:\n"
      "    d0 + s0 = 7\n"
      "  the second map does not: it reads 9 others, "
      "(0), (2), (4), (6), ...\n");
}

TEST(Prove, ACounterexampleIsOfTheMapsAsGiven) {
  // Each map uses another of the two runtime variables.
  EXPECT_EQ(proofOf("(d0){rt0, rt1} -> (rt0 * 0 + rt1), domain: d0 in [0, 3], "
                    "rt0 in [0, 5], rt1 in [0, 5]",
                    "(d0){rt0, rt1} -> (rt0 + rt1 * 0), domain: d0 in [0, 3], "
                    "rt0 in [0, 5], rt1 in [0, 5]"),
            "different\n"
            "  at d0 = 3, rt0 = 0, rt1 = 3 (at one of the points tried)\n"
            "  the first map reads (3)\n"
            "  the second map does not:\n"
            "    it reads (0)\n");
  // At different positions in the two lists.
  EXPECT_EQ(
      proofOf("(d0){rt0, rt1} -> (rt1), domain: d0 in [0, 3], rt0 in [0, 5], "
              "rt1 in [0, 5]",
              "(d0){rt0, rt1} -> (rt1), domain: d0 in [0, 3], rt0 in [0, 5], "
              "rt1 in [2, 5]"),
      "different\n"
      "  at d0 = 0, rt1 = 0 (at one of the points tried)\n"
      "  the first map reads (0)\n"
      "  the second map does not:\n"
      "    rt1 = 0 is not in [2, 5]\n");
  // Simplifying replaces rt0 by 3 in the first map.
  EXPECT_EQ(proofOf("(d0){rt0} -> (d0 mod 12, rt0), domain: d0 in [-5, -5], "
                    "rt0 in [3, 3]",
                    "(d0){rt0} -> (d0 mod 12, rt0), domain: d0 in [-5, -5], "
                    "rt0 in [3, 4]"),
            "different\n"
            "  at d0 = -5, rt0 = 4 (at one of the points tried)\n"
            "  the second map reads (7, 4):\n"
            "    d0 mod 12 = 7\n"
            "  the first map does not:\n"
            "    rt0 = 4 is not in [3, 3]\n");
  // A bound that does not depend on the range variables.
  EXPECT_EQ(proofOf("(d0)[s0]{rt0} -> (s0 + rt0), domain: d0 in [0, 3], "
                    "s0 in [0, 3], rt0 in [0, 5]",
                    "(d0)[s0]{rt0} -> (s0 + rt0), domain: d0 in [0, 3], "
                    "s0 in [0, 3], rt0 in [0, 6]"),
            "different\n"
            "  at d0 = 3, rt0 = 6 (at one of the points tried)\n"
            "  the second map reads (9) with s0 = 3:\n"
            "    s0 + rt0 = 9\n"
            "  the first map does not:\n"
            "    rt0 = 6 is not in [0, 5]\n");
}

TEST(Prove, RuntimeVariablesAreLimitedWhereTheyAreUsed) {
  auto kind = [](llvm::StringRef a, llvm::StringRef b) {
    std::string text = proofOf(a, b), reversed = proofOf(b, a);
    auto word = [](llvm::StringRef t) { return t.split('\n').first.str(); };
    EXPECT_EQ(word(reversed), word(text)) << a.str() << "\n" << b.str();
    return llvm::StringRef(text).split('\n').first.str();
  };
  // Used by neither map: the interval does not matter.
  EXPECT_EQ(kind("(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [0, 5]",
                 "(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [7, 8]"),
            "equal");
  // Except if it is empty.
  EXPECT_EQ(kind("(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [0, 5]",
                 "(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [5, 0]"),
            "different");
  EXPECT_EQ(kind("(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], "
                 "rt0 in [5, 0]",
                 "(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [0, 5]"),
            "different");
  // Used by one map.
  EXPECT_EQ(kind("(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], "
                 "rt0 in [3, 3]",
                 "(d0) -> (d0 + 3), domain: d0 in [0, 9]"),
            "equal");
  EXPECT_EQ(kind("(d0){rt0} -> (d0 + rt0 floordiv 8), domain: d0 in [0, 9], "
                 "rt0 in [0, 7]",
                 "(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [0, 99]"),
            "equal");
  // Used by both, though one map does not depend on it.
  EXPECT_EQ(kind("(d0){rt0} -> (d0 + rt0 floordiv 8), domain: d0 in [0, 9], "
                 "rt0 in [0, 7]",
                 "(d0){rt0} -> (d0 + rt0 floordiv 10), domain: d0 in [0, 9], "
                 "rt0 in [0, 9]"),
            "different");
}

// A parameter has one value for both maps, whatever its position.
TEST(Prove, ParametersAreKnownByTheirNames) {
  const struct {
    const char *a, *b, *answer;
  } rows[] = {
      {"(d0)<p0, p1> -> (d0 * p0 + p1), domain: d0 in [0, 9], p0 in [1, 64], "
       "p1 in [0, 63]",
       "(d0)<p1, p0> -> (p1 + d0 * p0), domain: d0 in [0, 9], p0 in [1, 64], "
       "p1 in [0, 63]",
       "equal"},
      {"(d0)<p0> -> (d0 + p0), domain: d0 in [0, 9], p0 in [0, 3]",
       "(d0)<p1> -> (d0 + p1), domain: d0 in [0, 9], p1 in [0, 3]",
       "different"},
      {"(d0)<p0> -> (d0 + p0), domain: d0 in [0, 9], p0 in [0, 3]",
       "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 3]",
       "different"},
      // Outside its bounds a map reads nothing.
      {"(d0)<p0> -> (d0 + p0), domain: d0 in [0, 9], p0 in [0, 3]",
       "(d0)<p0> -> (d0 + p0), domain: d0 in [0, 9], p0 in [0, 4]",
       "different"},
      // Divisibility.
      {"(d0)<p0> -> (d0, (d0 * p0) mod 4), domain: d0 in [0, 9], p0 in [1, 64],"
       " p0 mod 4 in [0, 0]",
       "(d0)<p0> -> (d0, 0), domain: d0 in [0, 9], p0 in [1, 64], "
       "p0 mod 4 in [0, 0]",
       "equal"},
      {"(d0)<p0> -> (d0 + p0 / 4 * 4), domain: d0 in [0, 99999999], "
       "p0 in [1, 64000000], p0 mod 4 in [0, 0]",
       "(d0)<p0> -> (d0 + p0), domain: d0 in [0, 99999999], "
       "p0 in [1, 64000000], p0 mod 4 in [0, 0]",
       "equal"},
  };
  for (auto [a, b, answer] : rows) {
    std::string text = proofOf(a, b);
    EXPECT_EQ(llvm::StringRef(text).split('\n').first.split(' ').first, answer)
        << a << "\n"
        << b << "\n"
        << text;
  }
}

TEST(Prove, TheElementThatARuntimeVariableReadsMayBeARuntimeVariable) {
  // rt2 of the first map is read at rt1, which is rt0 of the second.
  Arena arena;
  Map a = mapOf(arena, "(d0){rt0, rt1, rt2} -> (rt2), domain: d0 in [0, 9], "
                       "rt0 in [0, 5], rt1 in [0, 5], rt2 in [0, 5]");
  Map b = mapOf(arena, "(d0){rt0, rt1} -> (rt1), domain: d0 in [0, 9], "
                       "rt0 in [0, 5], rt1 in [0, 5]");
  auto &listA = a.domain.runtimes, &listB = b.domain.runtimes;
  listA[0].source = arena.intern("entry/unused");
  listA[1].source = listB[0].source = arena.intern("entry/position");
  listA[2].source = listB[1].source = arena.intern("entry/table");
  listA[1].index = listB[0].index = {arena.dim(0)};
  listA[2].index = {arena.runtime(1)};
  listB[1].index = {arena.runtime(0)};
  EXPECT_EQ(prove(a, b).kind, Kind::Yes) << explained(prove(a, b));
  EXPECT_EQ(prove(b, a).kind, Kind::Yes);
  // Read at another position.
  listB[0].index = {arena.constant(0)};
  Verdict v = prove(a, b);
  EXPECT_EQ(explained(v),
            "different\n"
            "  at d0 = 9, rt2 = 0, rt1 of the second map = 3 (at one of the "
            "points tried)\n"
            "  the first map reads (0)\n"
            "  the second map does not:\n"
            "    it reads (3)\n");
}

TEST(Prove, FollowsRuntimeVariablesThroughSimplification) {
  Arena arena;
  Map given = withOwnSources(
      mapOf(arena, "(d0){rt0, rt1} -> (d0 + rt1), domain: d0 in [0, 3], "
                   "rt0 in [1, 1], rt1 in [0, 1]"));
  Map simple = simplify(given);
  EXPECT_EQ(simple.domain.runtimes.size(), 1u);
  EXPECT_EQ(prove(given, simple, {.trustSimplifier = false}).kind, Kind::Yes);
}

TEST(Prove, UndecidedSaysWhy) {
  EXPECT_EQ(
      proofOf(
          "(d0, d1) -> (d0 * d1), domain: d0 in [0, 99999999], "
          "d1 in [0, 99999999]",
          // A point in 10^9 differs: products are beyond the solver.
          "(d0, d1) -> (d0 * d1 + ((d0 * d1) mod 999999937) floordiv 999999936), domain: d0 in [0, 99999999], d1 in [0, 99999999]"),
      "undecided\n"
      "  too large to compare all points, and reasoning gave up because of a "
      "product of variables\n");
}

TEST(Prove, RuntimeVariablesOfDifferentSourcesAreDifferent) {
  Arena arena;
  Map a = mapOf(arena, "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], "
                       "rt0 in [0, 5]");
  Map b = a;
  a.domain.runtimes[0].source = arena.intern("entry/of1");
  EXPECT_EQ(prove(a, b).kind, Kind::Yes); // b does not say
  b.domain.runtimes[0].source = arena.intern("entry/of2");
  EXPECT_EQ(prove(a, b).kind, Kind::No);
  EXPECT_FALSE(sameMeaning(a, b));
  // The same source elsewhere in the list is the same variable.
  Map c = mapOf(arena, "(d0){rt0, rt1} -> (d0 + rt1 + rt0 floordiv 9), domain: "
                       "d0 in [0, 9], rt0 in [0, 5], rt1 in [0, 5]");
  c.domain.runtimes[0].source = arena.intern("entry/of2");
  c.domain.runtimes[1].source = arena.intern("entry/of1");
  EXPECT_EQ(prove(a, c).kind, Kind::Yes);
  // Another element of the same source is not.
  c.domain.runtimes[1].index.push_back(arena.constant(3));
  EXPECT_EQ(prove(a, c).kind, Kind::No);
}

/// A random rewrite that keeps the meaning.
Map rewritten(RandomMaps &random, Map m) {
  Arena &a = *m.arena;
  auto everywhere = [&](const Substitution &s) { substitute(m, s); };
  auto &ranges = m.domain.ranges;
  if (ranges.size() == 2 && random.oneIn(2)) {
    Expr swapped[] = {a.range(1), a.range(0)};
    everywhere({.dims = {}, .ranges = swapped, .runtimes = {}});
    std::swap(ranges[0], ranges[1]);
  }
  if (!ranges.empty() && random.oneIn(2)) {
    // s0 in [0, n * k - 1] is s0 * k + s', s' in [0, k - 1], cut at the end.
    Interval i = ranges[0].bounds;
    int64_t k = random.between(2, 3);
    Expr low = m.domain.addRange(a, {0, k - 1});
    Expr both = a.add(a.add(a.scale(a.range(0), k), low), i.lower);
    ranges[0].bounds = {0, (i.upper - i.lower) / k};
    Expr by[] = {both};
    everywhere({.dims = {}, .ranges = by, .runtimes = {}});
    m.domain.addConstraint(both, i);
  }
  if (!m.domain.dims.empty() && random.oneIn(2)) {
    // x is c * (x / c) + x mod c.
    int64_t c = random.between(2, 6);
    Expr x = a.dim(0);
    Expr by[] = {a.add(a.scale(a.floorDiv(x, c), c), a.mod(x, c))};
    everywhere({.dims = by, .ranges = {}, .runtimes = {}});
  }
  return m;
}

/// The map with its runtime variables as parameters, in reverse order if asked.
Map withParameters(const Map &map, bool reversed) {
  Map r = map;
  size_t n = map.domain.runtimes.size();
  llvm::SmallVector<Expr, 4> by(n);
  r.domain.runtimes.clear();
  for (size_t k = 0; k < n; ++k) {
    size_t i = reversed ? n - 1 - k : k;
    by[i] = r.domain.addParameter(*map.arena, "p" + std::to_string(i),
                                  map.domain.runtimes[i].bounds);
  }
  substitute(r, {.dims = {}, .ranges = {}, .runtimes = by});
  return r;
}

/// False if a parameter has other bounds in the map that does not use it: they
/// limit the values that are compared.
bool haveCommonBounds(const Map &a, const Map &b) {
  auto isUsed = [](const Map &m, uint32_t i) {
    auto uses = [&](Expr e) { return m.arena->uses(e, {VarKind::Runtime, i}); };
    return llvm::any_of(m.results, uses) ||
           llvm::any_of(m.domain.constraints,
                        [&](const Constraint &c) { return uses(c.expr); });
  };
  for (uint32_t i = 0;
       i < std::min(a.domain.runtimes.size(), b.domain.runtimes.size()); ++i)
    if (a.domain.runtimes[i].bounds != b.domain.runtimes[i].bounds &&
        isUsed(a, i) != isUsed(b, i))
      return false;
  return true;
}

TEST(Prove, AgreesWithEnumeration) {
  int equal = 0, different = 0, undecided = 0;
  for (uint64_t seed = testSeed(); seed < testSeed() + cases(20'000); ++seed) {
    RandomMaps random(seed);
    Arena arena;
    Map a = random.map(arena, 6, random.between(1, 2)), b = a;
    switch (random.between(0, 3)) {
    case 0:
    case 1:
      b = rewritten(random, b);
      break;
    case 2:
      random.constrain(arena, b.domain, 1, 2);
      break;
    default:
      b.results[0] = random.linear(arena, b.domain);
      break;
    }
    if (random.oneIn(3))
      b = rewritten(random, b);
    if (random.oneIn(4))
      b = random.withOddVariables(arena, b);
    bool expected = meanTheSame(a, b);
    // Half of the time without comparing all points.
    Verdict v = prove(a, b, seed % 2 ? kReason : ProveOptions());
    std::string said = "seed " + std::to_string(seed) + ": " + toString(a) +
                       "\n  and " + toString(b) + "\n  " + explained(v);
    if (v.kind == Kind::Unknown) {
      ASSERT_EQ(seed % 2, 1u) << said;
      ++undecided;
    } else {
      ASSERT_EQ(v.kind == Kind::Yes, expected) << said;
    }
    if (v.counterexample) {
      auto wrong = wrongCounterexample(a, b, v);
      ASSERT_FALSE(wrong) << *wrong << "\n" << said;
    }
    if (!a.domain.runtimes.empty() && haveCommonBounds(a, b)) {
      Verdict named = prove(withParameters(a, false), withParameters(b, true));
      ASSERT_EQ(named.kind == Kind::Yes, expected) << said << explained(named);
    }
    equal += v.kind == Kind::Yes;
    different += v.kind == Kind::No;
    if (sameMeaning(a, b))
      ASSERT_TRUE(expected) << "sameMeaning, " << said;
  }
  EXPECT_GT(equal, cases(8'000));
  EXPECT_GT(different, cases(4'000));
  EXPECT_LT(undecided, 600);
}

TEST(SameMeaning, RangesMayBeRenamed) {
  Arena arena;
  auto same = [&](const char *a, const char *b) {
    return sameMeaning(mapOf(arena, a), mapOf(arena, b));
  };
  EXPECT_TRUE(same("(d0)[s0, s1] -> (s1, s0 * 2 + s1), domain: d0 in [0, 9], "
                   "s0 in [0, 99999], s1 in [0, 7]",
                   "(d0)[s0, s1] -> (s0, s1 * 2 + s0), domain: d0 in [0, 9], "
                   "s1 in [0, 99999], s0 in [0, 7]"));
  EXPECT_TRUE(same("(d0)[s0, s1] -> (s0 * 3 + s1 * 2), domain: d0 in [0, 9], "
                   "s0 in [0, 99999], s1 in [0, 7]",
                   "(d0)[s0, s1] -> (s1 * 3 + s0 * 2), domain: d0 in [0, 9], "
                   "s1 in [0, 99999], s0 in [0, 7]"));
  EXPECT_TRUE(same("(d0) -> ((d0 floordiv 7) * 7 + d0 mod 7), domain: "
                   "d0 in [0, 99999999]",
                   "(d0) -> (d0), domain: d0 in [0, 99999999]"));
  // Small enough to look at each point.
  EXPECT_TRUE(same("(d0)[s0, s1] -> (s0 * 4 + s1), domain: d0 in [0, 9], "
                   "s0 in [0, 3], s1 in [0, 3]",
                   "(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 15]"));
  EXPECT_FALSE(same("(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 14]",
                    "(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 15]"));
  EXPECT_FALSE(
      same("(d0){rt0} -> (rt0), domain: d0 in [0, 9], rt0 in [0, 14]",
           "(d0){rt0} -> (rt0), domain: d0 in [0, 9], rt0 in [0, 15]"));
}

TEST(SameMeaning, OfSimpleMapsIsThatOfTheirPoints) {
  Arena arena;
  // All maps with two such results.
  std::vector<Map> maps;
  const Expr results[] = {arena.dim(0), arena.dim(1), arena.range(0),
                          arena.range(1), arena.constant(1)};
  for (int64_t size : {2, 3})
    for (Expr x : results)
      for (Expr y : results) {
        Map map = Map::toScalar(arena, {2, size});
        map.domain.ranges = {{Interval::ofSize(2)}, {Interval::ofSize(size)}};
        map.results = {x, y};
        map = removeUnused(map);
        ASSERT_TRUE(isSimple(map)) << toString(map);
        maps.push_back(map);
      }
  for (const Map &a : maps)
    for (const Map &b : maps)
      EXPECT_EQ(sameMeaning(a, b),
                prove(a, b, {.trustSimplifier = false}).isYes())
          << toString(a) << '\n'
          << toString(b);
}

} // namespace
} // namespace mercator::indexing
