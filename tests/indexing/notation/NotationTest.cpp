// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/evaluate/Evaluate.h"

#include "tests/Scale.h"
#include "tests/indexing/MapText.h"
#include "tests/indexing/RandomMap.h"

#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using namespace mercator::indexing;

namespace {

struct Row {
  const char *input;
  const char *printed;
};

std::ostream &operator<<(std::ostream &os, const Row &row) {
  return os << row.input;
}

/// True for a runtime variable that is read from a tensor.
bool isClamped(const Domain &domain, Var v) {
  return v.kind == VarKind::Runtime && !domain.runtimes[v.index].isParameter;
}

/// Removes the properties that the notation does not show: the order of
/// constraints, and bounds that were given in several entries.
Map normal(Map map) {
  Domain &d = map.domain;
  llvm::SmallVector<Constraint, 4> rest;
  for (const Constraint &c : d.constraints) {
    if (map.arena->kind(c.expr) == ExprKind::Variable &&
        !isClamped(d, map.arena->var(c.expr))) {
      Interval &b = d.bounds(map.arena->var(c.expr));
      b = b.intersect(c.bounds);
      d.knownEmpty |= b.isEmpty();
    } else {
      rest.push_back(c);
    }
  }
  d.constraints.assign(rest.begin(), rest.end());
  llvm::sort(d.constraints, [&](const auto &a, const auto &b) {
    auto key = [&](const Constraint &c) {
      std::string text;
      llvm::raw_string_ostream(text) << " in " << c.bounds;
      return toString(*map.arena, c.expr, &d) + text;
    };
    return key(a) < key(b);
  });
  return map;
}

class Notation : public testing::TestWithParam<Row> {};

/// The text prints as expected, and the printed text round-trips.
TEST_P(Notation, ReadsAndPrints) {
  Arena arena;
  Map map = mapOf(arena, GetParam().input);
  EXPECT_EQ(toString(map), GetParam().printed);
  EXPECT_EQ(mapOf(arena, toString(map)), normal(map));
  EXPECT_EQ(mapOf(arena, toLines(map)), normal(map));
}

INSTANTIATE_TEST_SUITE_P(
    Current, Notation,
    testing::Values(
        Row{"() -> ()", "() -> ()"}, Row{"() -> (5)", "() -> (5)"},
        Row{"(d0)[s0]{rt0} -> (s0, d0 + rt0), domain: d0 in [0, 9], "
            "s0 in [0, 255], rt0 in [0, 3]",
            "(d0)[s0]{rt0} -> (s0, d0 + rt0), domain: d0 in [0, 9], "
            "s0 in [0, 255], rt0 in [0, 3]"},
        Row{"(d0){rt0}->(d0 + rt0),domain:d0 in[0,9],rt0 in[0,3],",
            "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 3]"},
        Row{"()[s0] -> (s0), domain: s0 in [0, 9]",
            "()[s0] -> (s0), domain: s0 in [0, 9]"},
        Row{"(bl_x, th_x) -> (bl_x * 128 + th_x), domain: bl_x in [0, 7], "
            "th_x in [0, 127]",
            "(bl_x, th_x) -> (bl_x * 128 + th_x), domain: bl_x in [0, 7], "
            "th_x in [0, 127]"},
        Row{"(d0) -> (d0), domain: d0 in [0, 9], d0 mod 2 in [0, 0], "
            "d0 * 3 in [-5, 5], is_simplified: true",
            "(d0) -> (d0), domain: d0 in [0, 9], d0 * 3 in [-5, 5], "
            "d0 mod 2 in [0, 0]"}));

INSTANTIATE_TEST_SUITE_P(
    Parameters, Notation,
    testing::Values(
        Row{"(d0)[s0]{rt0}<p0, p1> -> (d0 * p0 + s0, p1 + rt0), domain: "
            "d0 in [0, 9], s0 in [0, 3], rt0 in [0, 3], p0 in [1, 64], "
            "p0 mod 4 in [0, 0]",
            "(d0)[s0]{rt0}<p0, p1> -> (d0 * p0 + s0, rt0 + p1), domain: "
            "d0 in [0, 9], s0 in [0, 3], rt0 in [0, 3], p0 in [1, 64], "
            "p0 mod 4 in [0, 0]"},
        Row{"(d0)<tile> -> (d0 * tile)", "(d0)<tile> -> (d0 * tile)"},
        Row{"()<p_1> -> (p1), domain: p1 in [0, 9], p1 in [4, 12]",
            "()<p1> -> (p1), domain: p1 in [4, 9]"},
        Row{"(d0)<p0> -> (d0), domain: d0 in [5, 3], p0 in [0, 1]",
            "(d0)<p0> -> (d0), KNOWN EMPTY"},
        // A parameter next to an entry in parentheses.
        Row{"(d0)<p0> -> (d0) domain: (d0 + p0) in [0, 9]",
            "(d0)<p0> -> (d0), domain: d0 + p0 in [0, 9]"},
        Row{"#map = affine_map<(d0)[s0] -> (d0 floordiv 8, d0 * 2 + s0)>",
            "(d0)<s0> -> (d0 / 8, d0 * 2 + s0)"},
        Row{"affine_map<(d0, d1) -> (d1)>, domain: d0 in [0, 3]",
            "(d0, d1) -> (d1), domain: d0 in [0, 3]"}));

// The forms of tables.
INSTANTIATE_TEST_SUITE_P(
    ShortForms, Notation,
    testing::Values(
        Row{"(d0) -> (d0), d0 in 0..9", "(d0) -> (d0), domain: d0 in [0, 9]"},
        Row{"(d0)[s0] -> (d0 - s0), domain: d0 in -3..inf, d0 - s0 in 0..4",
            "(d0)[s0] -> (d0 - s0), domain: d0 in [-3, inf], d0 - s0 in [0, 4]"},
        Row{"(d0) -> (d0), domain: d0 in 5..3", "(d0) -> (d0), KNOWN EMPTY"},
        Row{"(d0) -> (d0), domain: d0 in 0..9, not (d0 in 2..3)",
            "(d0) -> (d0), domain: d0 in [0, 9], "
            "max(-d0 + 1, d0 - 4) in [0, inf]"},
        Row{"(d0) -> (d0), domain: d0 in 0..9, not (d0 in [4, inf])",
            "(d0) -> (d0), domain: d0 in [0, 9], -d0 + 3 in [0, inf]"}));

struct ShortRow {
  const char *map, *entries;
};

TEST(Notation, ShortEntries) {
  const ShortRow rows[] = {
      {"(d0, d1)[s0]{rt0}<p0> -> (d0), domain: d0 in [0, 9], d1 in [2, 3], "
       "s0 in [0, 3], rt0 in [0, 1], p0 in [1, 8], d1 + s0 in [0, 4]",
       "d1 in 2..3, s0 in 0..3, p0 in 1..8, d1 + s0 in 0..4"},
      {"(d0){rt0} -> (d0), domain: d0 in [0, 9], rt0 in [0, 6], "
       "max(-d0 + rt0 - 1, d0 - rt0 - 4) in [0, 5]",
       "not (d0 - rt0 in 0..3)"},
      {"(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 9], "
       "max(max(-d0 + 1, d0 - 4), max(d1 - 6, -d1 + 3)) in [0, 5]",
       "d1 in 0..9, not (d0 in 2..3, d1 in 4..5)"},
      {"(d0) -> (d0), domain: d0 in [0, 9], max(d0 - 4, d0 * -2 + 3) in [0, 9]",
       "not (d0 * -2 in -inf..-4, d0 in -inf..3)"},
      // The upper limit excludes values: no complement.
      {"(d0) -> (d0), domain: d0 in [0, 9], max(-d0 + 1, d0 - 4) in [0, 3]",
       "max(-d0 + 1, d0 - 4) in 0..3"},
      {"(d0) -> (d0), KNOWN EMPTY", "KNOWN EMPTY"},
  };
  for (auto [text, entries] : rows) {
    Arena arena;
    Map map = mapOf(arena, text);
    EXPECT_EQ(llvm::join(shortEntries(map, {Interval{0, 9}}), ", "), entries);
    // The short form means the same.
    std::vector<std::string> all = shortEntries(map);
    for (auto [i, v] : llvm::enumerate(map.domain.runtimes))
      if (!v.isParameter)
        all.push_back("rt" + std::to_string(i) + " in " +
                      toShortString(v.bounds));
    if (map.isKnownEmpty())
      continue;
    Map back = mapOf(arena, (llvm::StringRef(text).split(", domain").first +
                             ", domain: " + llvm::join(all, ", "))
                                .str());
    EXPECT_EQ(prove(map, back).kind, Decision::Kind::Yes) << toString(back);
  }
}

INSTANTIATE_TEST_SUITE_P(
    SpellingsOfCAndPython, Notation,
    testing::Values(
        Row{"(i, j) -> (i % 8, i // 8, i / 8 % 4 * 2)",
            "(i, j) -> (i mod 8, i / 8, ((i / 8) mod 4) * 2)"},
        Row{"(i, j) -> (i << 3, i >> 3, i + j >> 1 + 1, i << 2 >> 1)",
            "(i, j) -> (i * 8, i / 8, (i + j) / 4, (i * 4) / 2)"},
        Row{"(i, j) -> (i & 7, i & 0xf0, i + j & 1, i >> 2 & 0x3, i & 0)",
            "(i, j) -> (i mod 8, ((i mod 256) / 16) * 16, (i + j) mod 2, "
            "(i / 4) mod 4, 0)"},
        Row{"(i) -> (i & -8, 0xff & 15)", "(i) -> ((i / 8) * 8, 15)"},
        Row{"(i) -> (i ^ 1, 6 | i, i & 5)",
            "(i) -> ((i mod 2) * -2 + i + 1, ((i mod 8) / 2) * -2 + i + 6, "
            "((i mod 8) / 4) * 4 + i mod 2)"},
        Row{"(i, j) -> (i ^ j), domain: i in [0, 1], j in [0, 3]",
            "(i, j) -> ((j / 2) * 2 + (i + j) mod 2), domain: i in [0, 1], "
            "j in [0, 3]"},
        // As in C, & binds tighter than ^, and ^ tighter than |.
        Row{"(i) -> (i | 1 ^ 3 & 2 + 1), domain: i in [0, 3]",
            "(i) -> (((i mod 4) / 2) * -2 + i + 2), domain: i in [0, 3]"}));

/// Every result of `text` at every point of a box of two dimensions.
static void expectBits(llvm::StringRef text,
                       llvm::function_ref<int64_t(int64_t, int64_t)> expected) {
  Arena arena;
  Map map = mapOf(arena, text.str());
  Interval a = map.domain.dims[0].bounds, b = map.domain.dims[1].bounds;
  for (int64_t x = a.lower; x <= a.upper; ++x)
    for (int64_t y = b.lower; y <= b.upper; ++y)
      ASSERT_EQ(evaluate(arena, map.results[0], map.domain, {x, y}),
                expected(x, y))
          << text.str() << " at " << x << ", " << y;
}

TEST(NotationBits, AreThoseOfTwosComplement) {
  for (int64_t mask = -70; mask <= 70; ++mask) {
    auto text = [&](llvm::StringRef op) {
      return ("(a, b) -> (a " + op + " " + llvm::Twine(mask) +
              "), domain: a in [-40, 140], b in [0, 0]")
          .str();
    };
    expectBits(text("&"), [&](int64_t a, int64_t) { return a & mask; });
    expectBits(text("^"), [&](int64_t a, int64_t) { return a ^ mask; });
    expectBits(text("|"), [&](int64_t a, int64_t) { return a | mask; });
  }
  for (int64_t most : {0, 1, 5, 8, 31}) {
    auto text = [&](llvm::StringRef op) {
      return ("(a, b) -> (a " + op + " b * 2 + 1), domain: a in [0, " +
              llvm::Twine(most) + "], b in [0, 21]")
          .str();
    };
    expectBits(text("&"), [](int64_t a, int64_t b) { return a & (b * 2 + 1); });
    expectBits(text("^"), [](int64_t a, int64_t b) { return a ^ (b * 2 + 1); });
    expectBits(text("|"), [](int64_t a, int64_t b) { return a | (b * 2 + 1); });
  }
}

INSTANTIATE_TEST_SUITE_P(
    Expressions, Notation,
    testing::Values(
        Row{"(d0, d1) -> (d0 floordiv 8, d0 floorDiv 8, d0 / 8, d0 // 8)",
            "(d0, d1) -> (d0 / 8, d0 / 8, d0 / 8, d0 / 8)"},
        Row{"(d0) -> (d0 ceildiv 8, d0 ceilDiv 8, d0 mod 8)",
            "(d0) -> (d0 ceildiv 8, d0 ceildiv 8, d0 mod 8)"},
        Row{"(d0, d1) -> (min(d0, d1), max(3, d0), min(d0, d1, 4))",
            "(d0, d1) -> (min(d0, d1), max(d0, 3), min(min(d0, d1), 4))"},
        Row{"(d0, d1) -> (-d1 + 16, d0 + -d1, 5 - d0, --d0)",
            "(d0, d1) -> (-d1 + 16, d0 - d1, -d0 + 5, d0)"},
        Row{"(d0, d1, d2) -> (100d0 + 10d1 + d2, 2d_0, 8 d_0, -3d1)",
            "(d0, d1, d2) -> (d0 * 100 + d1 * 10 + d2, d0 * 2, d0 * 8, d1 * -3)"},
        // Different operators of equal precedence get parentheses, equal ones
        // associate to the left.
        Row{"(d0) -> ((d0 / 3) * 3, d0 / 3 * 4, d0 * 3 / 4, d0 mod 7 / 2)",
            "(d0) -> ((d0 / 3) * 3, (d0 / 3) * 4, (d0 * 3) / 4, (d0 mod 7) / 2)"},
        Row{"(d0, d1) -> (d0 / 3 / 5, d0 / (d1 / 5), d0 mod 7 mod 5)",
            "(d0, d1) -> (d0 / 3 / 5, d0 / (d1 / 5), d0 mod 7 mod 5)"},
        Row{"(d0, d1) -> (-(d0 / 2), -(d0 + 3) / 2, (-d0) / 3, -d0 mod 3)",
            "(d0, d1) -> (-(d0 / 2), -((d0 + 3) / 2), (-d0) / 3, (-d0) mod 3)"},
        Row{"(d0, d1) -> (d0 * d1, d0 * d0 * 4, d0 * d1 - 1, (d0 + 1) * d1)",
            "(d0, d1) -> (d0 * d1, d0 * d0 * 4, d0 * d1 - 1, d0 * d1 + d1)"},
        // Terms: scaled first, then quotients, remainders, variables, constant.
        Row{"(d0, d1, d2) -> (d2 + (d1 mod 2) * 4, 7 + d1 - d0, d1 / 2 + d0 * 2)",
            "(d0, d1, d2) -> ((d1 mod 2) * 4 + d2, -d0 + d1 + 7, d0 * 2 + d1 / 2)"},
        Row{"(d0)[s0] -> (s0 + d0 mod 3 + 3 * s0 / 4 + d0)",
            "(d0)[s0] -> ((s0 * 3) / 4 + d0 mod 3 + d0 + s0)"},
        Row{"(d0) -> (d0 * 9223372036854775807 + 9223372036854775807)",
            "(d0) -> (d0 * 9223372036854775807 + 9223372036854775807)"},
        Row{"(d0) -> (-9223372036854775808, d0 * -9223372036854775808, d0 - 9223372036854775807 - 1)",
            "(d0) -> (-9223372036854775808, d0 * -9223372036854775808, d0 + -9223372036854775808)"}));

INSTANTIATE_TEST_SUITE_P(
    Domains, Notation,
    testing::Values(
        Row{"(d0, d1) -> (d0)", "(d0, d1) -> (d0)"},
        Row{"(d0, d1) -> (d0), domain: d1 in [0, inf]",
            "(d0, d1) -> (d0), domain: d1 in [0, inf]"},
        Row{"(d0) -> (d0), domain: d0 in [-inf, 4]",
            "(d0) -> (d0), domain: d0 in [-inf, 4]"},
        Row{"(d0) -> (d0), domain: d0 in [0, 10)",
            "(d0) -> (d0), domain: d0 in [0, 9]"},
        Row{"(d0) -> (d0), domain: d0 in [0, 9], d0 in [4, 12]",
            "(d0) -> (d0), domain: d0 in [4, 9]"},
        Row{"(d0) -> (d0), domain: d0 in [0, 9], 0 in [-10, 5]",
            "(d0) -> (d0), domain: d0 in [0, 9], 0 in [-10, 5]"},
        Row{"(){rt0} -> (rt0), domain: rt0 in [0, 9], rt0 in [4, 12]",
            "(){rt0} -> (rt0), domain: rt0 in [0, 9], rt0 in [4, 12]"},
        Row{"(){rt0} -> (rt0), domain: rt0 in [-inf, inf], rt0 in [4, 12]",
            "(){rt0} -> (rt0), domain: rt0 in [-inf, inf], rt0 in [4, 12]"},
        Row{"(d0) -> (d0), domain: d0 in [5, 3]", "(d0) -> (d0), KNOWN EMPTY"},
        Row{"(d0) -> (d0), domain: d0 in [0, 0)", "(d0) -> (d0), KNOWN EMPTY"},
        Row{"(d0) -> (d0), domain: d0 in []", "(d0) -> (d0), KNOWN EMPTY"},
        Row{"(d0) -> (d0), domain: d0 + 1 in [5, 3]",
            "(d0) -> (d0), KNOWN EMPTY"},
        Row{"(d0) -> (d0), KNOWN EMPTY", "(d0) -> (d0), KNOWN EMPTY"},
        Row{"(d0) -> KNOWN EMPTY", "(d0) -> (), KNOWN EMPTY"},
        Row{"KNOWN EMPTY", "() -> (), KNOWN EMPTY"}));

INSTANTIATE_TEST_SUITE_P(
    SeedTexts, Notation,
    testing::Values(
        // One entry a line, without commas.
        Row{"(d0, d1) -> ((d0 - 1) floordiv 2, d1 - 4)\ndomain:\n"
            "d0 in [1, 7]\nd1 in [4, 7]\n(d0 - 1) mod 2 in [0, 0]\n",
            "(d0, d1) -> ((d0 - 1) / 2, d1 - 4), domain: d0 in [1, 7], "
            "d1 in [4, 7], (d0 - 1) mod 2 in [0, 0]"},
        Row{"\n  (d0, d1, d2, d3)[s0] -> (d0, s0)\n  domain:\n"
            "  d0 in [0, 1805]\n  d1 in [0, 6]\n  d2 in [0, 7]\n"
            "  d3 in [0, 3]\n  s0 in [0, 1]\n",
            "(d0, d1, d2, d3)[s0] -> (d0, s0), domain: d0 in [0, 1805], "
            "d1 in [0, 6], d2 in [0, 7], d3 in [0, 3], s0 in [0, 1]"},
        // The examples of the simplifier, as users paste them.
        Row{"1. [0, 6] x [0, 14] 的 d (d0, d1) -> (d0 + d1 floordiv 16, d1 mod 16) 會變成 (d0, d1) -> (d0, d1)。",
            "(d0, d1) -> (d1 / 16 + d0, d1 mod 16), domain: d0 in [0, 6], "
            "d1 in [0, 14]"},
        Row{"2. di in [0, 9](d0, d1, d2) -> ((100d0 + 10d1 + d2) floorDiv 100, ((100d0 + 10d1 + d2) mod 100) floordiv 10, d2 mod 10) 會變成 ...",
            "(d0, d1, d2) -> ((d0 * 100 + d1 * 10 + d2) / 100, ((d0 * 100 + d1 * 10 + d2) mod 100) / 10, d2 mod 10), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]"},
        Row{"4. [0, 9] x [0, 10] 中的 d (d0, d1) -> "
            "(-(-11d0 - d1 + 109) floordiv 11 + 9) 會變成 (d0, d1) -> (d0)",
            "(d0, d1) -> (-((d0 * -11 - d1 + 109) / 11) + 9), domain: "
            "d0 in [0, 9], d1 in [0, 10]"},
        Row{"1. \\((d_0, d_1) \\mapsto (d_0 + d1 / 16, d1 \\mod 16)\\) para "
            "$\\boldSymbol{d} \\in [0, 6] \\times [0, 14]\\( becomes \\)(d_0, "
            "d_1) \\mapsto (d_0, d_1)$",
            "(d0, d1) -> (d1 / 16 + d0, d1 mod 16), domain: d0 in [0, 6], "
            "d1 in [0, 14]"},
        Row{"$(d_0, d_1, d_2) \\mapsto ((16d_0 + 4d_1 + d_2) /8, (16d_0 + 4d_1 "
            "+ d_2) \\mod 8)\\( for \\)d_i \\in [0, 9]\\( becomes \\)(d_0",
            "(d0, d1, d2) -> ((d0 * 16 + d1 * 4 + d2) / 8, (d0 * 16 + d1 * 4 + d2) mod 8), domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]"},
        Row{"\\((i, j, k) \\mapsto (j)\\) para $i \\in [0, 10]\\(, \\)j \\in "
            "[0, 20]\\( and \\)k \\in [0, 30]$.",
            "(i, j, k) -> (j), domain: i in [0, 10], j in [0, 20], "
            "k in [0, 30]"},
        Row{"(d0, d1)[s0] ↦ (d0, s_0) where d in [0,6] x [0,14], s in [0, 3]",
            "(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 6], d1 in [0, 14], "
            "s0 in [0, 3]"},
        Row{"(d_0, d_{10}) → (d_{10})", "(d0, d10) -> (d10)"},
        Row{"# a comment\n(d0) -> (d0) # and one more\n", "(d0) -> (d0)"}));

TEST(Notation, SymbolsWithAnHloLineAreRuntimeVariables) {
  Arena arena;
  Map map = mapOf(arena, R"(
(d0, d1, d2, d3)[s0, s1, s2] -> (d1 + s0, d2 + s2, s1)
domain:
d0 in [0, 1805]
d1 in [0, 6]
d2 in [0, 7]
d3 in [0, 3]
s0 in [0, 26]
  hlo: indices = s32[1806,2]{1,0} parameter(1)
  (d0, d1, d2, d3) -> (d0, 0)
s1 in [0, 9]
s2 in [0, 68]
  hlo: ROOT %of = s32[1806,2]{1,0} parameter(2)
  (d0, d1, d2, d3)[s0, s1] -> (d0 + s0, s1)
)");
  EXPECT_EQ(toLines(map),
            R"((d0, d1, d2, d3)[s0]{rt0, rt1} -> (d1 + rt0, d2 + rt1, s0)
domain:
d0 in [0, 1805]
d1 in [0, 6]
d2 in [0, 7]
d3 in [0, 3]
s0 in [0, 9]
rt0 in [0, 26]
rt1 in [0, 68]
runtime variables:
rt0: indices; (d0, d1, d2, d3) -> (d0, 0)
rt1: of; (d0, d1, d2, d3)[s0]{rt0, rt1} -> (d0 + rt0, s0)
)");
  EXPECT_EQ(mapOf(arena, toLines(map)), map);
}

TEST(Notation, SourcesOfRuntimeVariables) {
  Arena arena;
  const char *text = R"((d0){rt0, row} -> (d0 + rt0, row)
domain:
d0 in [0, 1]
rt0 in [0, 3]
row in [0, 4]
runtime variables:
rt0: entry/tuple.3{2}; (d0) -> (d0, 0)
row: entry/of1; (d0) -> ()
)";
  Map map = mapOf(arena, text);
  ASSERT_EQ(map.domain.runtimes.size(), 2u);
  const RuntimeVariable &v = map.domain.runtimes[0];
  EXPECT_EQ(v.bounds, (Interval{0, 3}));
  EXPECT_EQ(arena.name(v.source), "entry/tuple.3");
  EXPECT_EQ(v.element, 2);
  EXPECT_EQ(v.index[0], arena.dim(0));
  EXPECT_EQ(arena.name(map.domain.runtimes[1].name), "row");
  EXPECT_EQ(toLines(map), text);
  EXPECT_EQ(sourceMapToString(map, 0), "(d0) -> (d0, 0)");
  // A dump of XLA has instructions, and a domain for each map.
  Map dumped = mapOf(arena, "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 1], "
                            "rt0 in [0, 3]\nruntime variables:\n"
                            "rt0: %of1 = s32[] parameter(1); (d0) -> (), "
                            "domain: d0 in [0, 1]");
  EXPECT_EQ(arena.name(dumped.domain.runtimes[0].source), "of1");
}

TEST(Notation, ManyMapsInOneText) {
  Arena arena;
  ParseError error;
  auto maps = parseMaps(arena, R"(
# one a line, with and without a domain, then one entry a line
(d0) -> (d0), domain: d0 in [0, 9]
(d0) -> (d0 + 1)
KNOWN EMPTY
(d0, d1)[s0]{r} -> (d0)
domain:
d0 in [0, 1]
(d0 - 1) mod 2 in [0, 0]
(d0, d1) -> (d1), KNOWN EMPTY
(d0){rt0} -> (rt0)
)",
                        error);
  ASSERT_TRUE(maps) << error.message;
  std::string all;
  for (const Map &map : *maps)
    all += toString(map) + "\n";
  EXPECT_EQ(all, R"((d0) -> (d0), domain: d0 in [0, 9]
(d0) -> (d0 + 1)
() -> (), KNOWN EMPTY
(d0, d1)[s0]{r} -> (d0), domain: d0 in [0, 1], (d0 - 1) mod 2 in [0, 0]
(d0, d1) -> (d1), KNOWN EMPTY
(d0){rt0} -> (rt0)
)");
  EXPECT_TRUE(parseMaps(arena, " \n# nothing\n", error)->empty());
}

TEST(Notation, NamesAreKeptAndMadeDistinct) {
  Arena arena;
  Domain d;
  (void)d.addDim(arena, Interval::ofSize(2));
  (void)d.addDim(arena, Interval::ofSize(2));
  (void)d.addRange(arena, Interval::ofSize(2));
  d.dims[0].name = arena.intern("d1");
  d.ranges[0].name = arena.intern("not a name");
  EXPECT_EQ(variableNames(arena, d),
            (std::vector<std::string>{"d1", "d1_v1", "s0"}));
  d.dims[1].name = arena.intern("x");
  d.ranges[0].name = arena.intern("x");
  EXPECT_EQ(variableNames(arena, d),
            (std::vector<std::string>{"d1", "x", "s0"}));
}

/// The same expression made in another order prints the same.
TEST(Notation, PrintingIgnoresTheOrderOfTheArena) {
  const char *texts[] = {
      "(d0, d1)[s0] -> (min(d0 / 3, s0) + d1 * d0 + s0 * 7 - (d1 + s0) mod 5)",
      "(d0, d1)[s0] -> (max((d0 + d1) / 3, (d0 + s0) / 3), min(3, s0))"};
  for (const char *text : texts) {
    Arena first, second;
    Map a = mapOf(first, text);
    for (const char *other : {"()[s0] -> (s0 * 7, s0 / 2)",
                              "(d0, d1)[s0] -> (d0 + s0, (d1 + s0) mod 5, 3)"})
      (void)mapOf(second, other);
    EXPECT_EQ(toString(a), toString(mapOf(second, text)));
  }
}

TEST(Notation, SharingIsCutOffInPrintAndSaysSo) {
  Arena arena;
  Expr e = arena.dim(0);
  for (int i = 0; i < 100; ++i)
    e = arena.add(arena.mod(e, 7 + i), arena.floorDiv(e, 3));
  std::string text = toString(arena, e);
  EXPECT_LT(text.size(), 4 * kMaxPrinted);
  EXPECT_NE(text.find("..."), std::string::npos);
  Domain d;
  (void)d.addDim(arena, {});
  ParseError error;
  EXPECT_FALSE(parseExpr(arena, text, d, error));
  EXPECT_EQ(error.help, "this text was cut off where it was printed");
  // Deep, not wide: printing does not recurse.
  e = arena.dim(0);
  for (int i = 0; i < 60'000; ++i)
    e = arena.mod(e, 1'000'000 - i);
  EXPECT_GT(toString(arena, e).size(), 60'000u);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

std::string errorOf(llvm::StringRef text) {
  Arena arena;
  ParseError error;
  if (parseMap(arena, text, error))
    return "accepted";
  return diagnose(text, error);
}

struct ErrorRow {
  const char *input;
  const char *diagnostic; ///< its beginning
};

class NotationError : public testing::TestWithParam<ErrorRow> {};

TEST_P(NotationError, IsDiagnosed) {
  std::string got = errorOf(GetParam().input);
  EXPECT_TRUE(llvm::StringRef(got).starts_with(GetParam().diagnostic))
      << "got:\n"
      << got << "expected:\n"
      << GetParam().diagnostic;
}

INSTANTIATE_TEST_SUITE_P(
    All, NotationError,
    testing::Values(
        ErrorRow{"", "map:1:1: error: expected a map, got the end of the text"},
        ErrorRow{"d0 -> d0", "map:1:1: error: expected a map, got 'd0'"},
        ErrorRow{"UNDEFINED",
                 "map:1:1: error: expected a map, got 'UNDEFINED'"},
        ErrorRow{"(d0) (d0)", "map:1:6: error: expected '->', got '('"},
        ErrorRow{"(d0, ) -> d0", "map:1:11: error: expected '(', got 'd0'"},
        ErrorRow{"(d0 d1) -> (d0)", "map:1:5: error: expected ',' or ')', got "
                                    "'d1'"},
        ErrorRow{"(d0, 3) -> (d0)",
                 "map:1:6: error: expected the name of a variable, got '3'"},
        ErrorRow{"(mod) -> (mod)", "map:1:2: error: expected the name of a "
                                   "variable or ')', got 'mod'"},
        ErrorRow{
            "(d0, d1)[d0] -> (d0)",
            "map:1:10: error: expected a name that is not taken, got 'd0'\n"
            "  (d0, d1)[d0] -> (d0)\n"
            "           ^~\n"
            "map:1:2: note: it names this variable\n"},
        ErrorRow{"(d0, d_0) -> (d0)",
                 "map:1:6: error: expected a name that is not taken"},
        ErrorRow{"(d0) -> (d0 + dO)",
                 "map:1:15: error: expected a variable of the map, got 'dO'\n"
                 "  (d0) -> (d0 + dO)\n"
                 "                ^~\n"
                 "help: did you mean 'd0'?\n"},
        ErrorRow{"() -> (s_0)",
                 "map:1:8: error: expected a variable of the map, got 's_0'\n"
                 "  () -> (s_0)\n"
                 "         ^~~\n"
                 "help: declare it before the arrow, as in '(s0) -> ...'"},
        ErrorRow{"(d0) -> (d0 + )",
                 "map:1:15: error: expected an expression, got ')'"},
        ErrorRow{
            "(d0) -> ((d0 + 1)",
            "map:1:18: error: expected ',' or ')', got the end of the text"},
        ErrorRow{"(d0) -> ((d0 + 1, 2)",
                 "map:1:17: error: expected ')', got ','\n"
                 "  (d0) -> ((d0 + 1, 2)\n"
                 "                  ^\n"
                 "map:1:10: note: to close this '('"},
        ErrorRow{"(d0) -> (min(d0))",
                 "map:1:16: error: expected ',' and a second operand, got ')'"},
        ErrorRow{"(d0) -> (d0 / 0)",
                 "map:1:15: error: expected a divisor other than zero"},
        ErrorRow{"(d0) -> (d0 mod (1 - 1))",
                 "map:1:17: error: expected a divisor other than zero"},
        ErrorRow{"(d0) -> (99999999999999999999)",
                 "map:1:10: error: expected an integer of 64 bits, got "
                 "'99999999999999999999'"},
        ErrorRow{"(d0) -> (9223372036854775808)",
                 "map:1:10: error: expected an integer of 64 bits"},
        ErrorRow{"(d0) -> (d0), domain: d0 in [0, -9223372036854775809]",
                 "map:1:34: error: expected an integer of 64 bits"},
        ErrorRow{"(d0) -> (d0), domain: d0",
                 "map:1:25: error: expected 'in' and an interval, got the end "
                 "of the text"},
        ErrorRow{"(d0) -> (d0), domain: d0 in 0, 9",
                 "map:1:29: error: expected an interval such as '[0, 9]', got "
                 "'0'"},
        ErrorRow{"(d0) -> (d0), domain: d0 in [0; 9]",
                 "map:1:31: error: expected ',', got ';'"},
        ErrorRow{"(d0) -> (d0), domain: d0 in [0, 9}",
                 "map:1:34: error: expected ']', got '}'"},
        ErrorRow{"(d0) -> (d0)\ndomain:\nd0 in [0, 9]\nd2 in [0, 3]",
                 "map:4:1: error: expected a variable of the map, got 'd2'"},
        ErrorRow{"(d0) -> (d0) d0 in [0, 9]",
                 "map:1:14: error: expected the end of the map, got 'd0'\n"
                 "  (d0) -> (d0) d0 in [0, 9]\n"
                 "               ^~\n"
                 "help: the domain is written ', domain: d0 in [0, 9]'"},
        ErrorRow{
            "(d0, d1) -> (d0) for d in [0, 6]",
            "map:1:27: error: expected 2 intervals, one per variable, got 1"},
        ErrorRow{"(d0) -> (d0) (d0) -> (d0)",
                 "map:1:14: error: expected the end of the map, got '('"},
        ErrorRow{"(d0) -> (d0 ? 2)",
                 "map:1:13: error: expected ',' or ')', got "
                 "'?'"},
        ErrorRow{"(d0) -> (d0 + \x1b)",
                 "map:1:15: error: expected an expression, got '<1B>'"},
        ErrorRow{
            "(d0) -> (d0), domain: d0 in [0, 1]\n hlo: x\n (d0) -> ()",
            "map:2:2: error: expected the entry of a symbol before 'hlo:'"},
        ErrorRow{"(d0)[s0] -> (d0), domain: s0 in [0, 1]\n hlo: x\n"
                 " (d0, d1) -> ()",
                 "map:3:2: error: expected no more variables than the map "
                 "itself has"}));

TEST(NotationError, DeepNestingIsALimitNotACrash) {
  std::string open(100'000, '('), close(100'000, ')');
  EXPECT_EQ(errorOf("(d0) -> (" + open + "d0" + close + ")").substr(0, 60),
            "map:1:1011: error: expected at most 1000 nested parentheses\n");
  std::string fits(1000, '('), end(1000, ')');
  EXPECT_EQ(errorOf("(d0) -> (" + fits + "d0" + end + ")"), "accepted");
  std::string chain = "d0";
  for (int i = 0; i < 5000; ++i)
    chain += i % 2 ? " mod 7" : " mod 5";
  EXPECT_NE(errorOf("(d0) -> (" + chain + ")").find("1000 nested operations"),
            std::string::npos);
  EXPECT_EQ(errorOf("(d0) -> (" + std::string(100'000, '-') + "d0)"),
            "accepted");
  std::string mins;
  for (int i = 0; i < 100'000; ++i)
    mins += "min(";
  EXPECT_NE(errorOf("(d0) -> (" + mins).find("1000 nested"), std::string::npos);
}

TEST(NotationError, LongTextsTakeLinearTime) {
  std::string sum = "d0";
  for (int i = 0; i < 200'000; ++i)
    sum += " + " + std::to_string(i % 7) + " * d0";
  EXPECT_EQ(errorOf("(d0) -> (" + sum + ")"), "accepted");
  std::string names = "a0", domain = "a0 in [0, 1]";
  for (int i = 1; i < 20'000; ++i) {
    names += ", a" + std::to_string(i);
    domain += ", a" + std::to_string(i) + " in [0, 1]";
  }
  EXPECT_EQ(errorOf("(" + names + ") -> (a1), domain: " + domain), "accepted");
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

bool hasWide(const Map &map) {
  bool found = false;
  auto visit = [&](Expr root) {
    map.arena->forEachPostOrder(
        root, [&](Expr e) { found |= map.arena->kind(e) == ExprKind::Wide; });
  };
  for (Expr e : map.results)
    visit(e);
  for (const Constraint &c : map.domain.constraints)
    visit(c.expr);
  return found;
}

/// The values are equal wherever both expressions have one.
void expectSameValues(const Map &a, const Map &b, RandomMap &random) {
  ASSERT_EQ(a.numResults(), b.numResults());
  for (int i = 0; i < 20; ++i) {
    std::vector<int64_t> point;
    for (unsigned v = 0; v < a.domain.numVars(); ++v)
      point.push_back(random.constant());
    for (unsigned r = 0; r < a.numResults(); ++r) {
      auto x = evaluate(*a.arena, a.results[r], a.domain, point);
      auto y = evaluate(*b.arena, b.results[r], b.domain, point);
      ASSERT_TRUE(!x || !y || *x == *y)
          << toString(a) << "\n"
          << toString(b) << "\nMERCATOR_SEED=" << testSeed();
    }
  }
}

TEST(NotationProperty, PrintedMapsReadBackAsThemselves) {
  RandomMap random(testSeed());
  for (int i = 0; i < cases(20'000); ++i) {
    Arena arena;
    random.wild = i % 4 == 0;
    Map map = normal(random.map(arena));
    if (map.isKnownEmpty())
      continue;
    std::string text = toString(map);
    Map read = mapOf(arena, text);
    if (hasWide(map)) {
      expectSameValues(map, read, random);
      continue;
    }
    ASSERT_EQ(read, map) << "MERCATOR_SEED=" << testSeed();
    ASSERT_EQ(mapOf(arena, toLines(map)), map)
        << "MERCATOR_SEED=" << testSeed();
    // A different arena gives the same text.
    Arena other;
    ASSERT_EQ(toString(mapOf(other, text)), text)
        << "MERCATOR_SEED=" << testSeed();
  }
}

} // namespace
