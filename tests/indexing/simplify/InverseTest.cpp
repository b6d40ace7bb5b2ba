// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/simplify/Inverse.h"
#include "mercator/indexing/decide/MapSet.h"
#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/operations/TensorMaps.h"
#include "tests/Scale.h"

#include "tests/indexing/MapText.h"
#include "tests/indexing/RandomMaps.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::indexing {
namespace {

using namespace mercator::indexing::testing;

std::string explained(const Verdict &v) {
  std::string text;
  llvm::raw_string_ostream os(text);
  explain(os, v);
  return text;
}

/// Expects a proof that the maps are equal.
void expectSame(const Map &got, const Map &expected, const std::string &what) {
  Verdict v = prove(got, expected);
  EXPECT_EQ(v.kind, Decision::Kind::Yes)
      << what << "\n  got      " << toString(got) << "\n  expected "
      << toString(expected) << "\n"
      << explained(v);
}

// The map from output to input, and its inverse: compared as text, so that
// readers see the result, and by proof.
TEST(Inverse, OfOperations) {
  struct Row {
    const char *what, *map;
    std::vector<int64_t> sizes;
    const char *inverse;
  } rows[] = {
      {"transpose",
       "(d0, d1, d2, d3) -> (d0, d3, d1, d2), domain: d0 in [0, 2], "
       "d1 in [0, 5], d2 in [0, 127], d3 in [0, 12287]",
       {3, 12288, 6, 128},
       "(d0, d1, d2, d3) -> (d0, d2, d3, d1), domain: d0 in [0, 2], "
       "d1 in [0, 12287], d2 in [0, 5], d3 in [0, 127]"},
      {"reverse",
       "(d0, d1, d2, d3) -> (d0, -d1 + 16, -d2 + 8, d3), domain: d0 in [0, 0], "
       "d1 in [0, 16], d2 in [0, 8], d3 in [0, 8]",
       {1, 17, 9, 9},
       "(d0, d1, d2, d3) -> (0, -d1 + 16, -d2 + 8, d3), domain: d0 in [0, 0], "
       "d1 in [0, 16], d2 in [0, 8], d3 in [0, 8]"},
      {"slice",
       "(d0, d1, d2) -> (d0 + 5, d1 * 7 + 3, d2 * 2), domain: d0 in [0, 4], "
       "d1 in [0, 2], d2 in [0, 24]",
       {10, 20, 50},
       "(d0, d1, d2) -> (d0 - 5, (d1 - 3) / 7, d2 / 2), domain: d0 in [5, 9], "
       "d1 in [3, 17], d2 in [0, 48], (d1 - 3) mod 7 in [0, 0], "
       "d2 mod 2 in [0, 0]"},
      {"broadcast",
       "(d0, d1, d2) -> (d1), domain: d0 in [0, 9], d1 in [0, 19], d2 in [0, 29]",
       {20},
       "(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 19], s0 in [0, 9], "
       "s1 in [0, 29]"},
      {"reduce",
       "(d0)[s0] -> (s0, d0), domain: d0 in [0, 9], s0 in [0, 255]",
       {256, 10},
       "(d0, d1) -> (d1), domain: d0 in [0, 255], d1 in [0, 9]"},
      {"the initial value of a reduce",
       "(d0) -> (), domain: d0 in [0, 9]",
       {},
       "()[s0] -> (s0), domain: s0 in [0, 9]"},
      {"left operand of a dot",
       "(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 3], d1 in [0, 127], d2 in [0, 63], s0 in [0, 255]",
       {4, 128, 256},
       "(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 3], d1 in [0, 127], d2 in [0, 255], s0 in [0, 63]"},
      {"reshape that expands",
       "(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]",
       {32},
       "(d0) -> (d0 / 8, d0 mod 8), domain: d0 in [0, 31]"},
      {"reshape that collapses",
       "(d0) -> (d0 / 8, d0 mod 8), domain: d0 in [0, 31]",
       {4, 8},
       "(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]"},
      {"reshape that collapses three",
       "(d0) -> (d0 / 600, (d0 / 30) mod 20, d0 mod 30), domain: d0 in [0, 5999]",
       {10, 20, 30},
       "(d0, d1, d2) -> (d0 * 600 + d1 * 30 + d2), domain: d0 in [0, 9], "
       "d1 in [0, 19], d2 in [0, 29]"},
      {"generic reshape",
       "(d0, d1) -> ((d0 * 8 + d1) / 16, ((d0 * 8 + d1) mod 16) / 4, d1 mod 4), domain: d0 in [0, 3], d1 in [0, 7]",
       {2, 4, 4},
       "(d0, d1, d2) -> (d0 * 2 + d1 / 2, (d1 mod 2) * 4 + d2), domain: "
       "d0 in [0, 1], d1 in [0, 3], d2 in [0, 3]"},
      {"generic reshape back",
       "(d0, d1, d2) -> (d0 * 2 + (d1 * 4 + d2) / 8, (d1 * 4 + d2) mod 8), "
       "domain: d0 in [0, 1], d1 in [0, 3], d2 in [0, 3]",
       {4, 8},
       "(d0, d1) -> (d0 / 2, (d0 mod 2) * 2 + d1 / 4, d1 mod 4), domain: "
       "d0 in [0, 3], d1 in [0, 7]"},
      {"expanding and collapsing reshape",
       "(d0, d1, d2) -> (d0 / 8, d0 mod 8, d1 * 4 + d2), domain: d0 in [0, 31], d1 in [0, 2], d2 in [0, 3]",
       {4, 8, 12},
       "(d0, d1, d2) -> (d0 * 8 + d1, d2 / 4, d2 mod 4), domain: d0 in [0, 3], "
       "d1 in [0, 7], d2 in [0, 11]"},
      {"concatenate, second operand",
       "(d0, d1) -> (d0, d1 - 50), domain: d0 in [0, 2], d1 in [50, 79]",
       {3, 30},
       "(d0, d1) -> (d0, d1 + 50), domain: d0 in [0, 2], d1 in [0, 29]"},
      {"pad",
       "(d0, d1) -> ((d0 - 1) / 2, d1 - 4), domain: d0 in [1, 7], d1 in [4, 7], (d0 - 1) mod 2 in [0, 0]",
       {4, 4},
       "(d0, d1) -> (d0 * 2 + 1, d1 + 4), domain: d0 in [0, 3], d1 in [0, 3]"},
      {"window with a stride",
       "(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 4], s0 in [0, 2]",
       {11},
       "(d0)[s0] -> (s0), domain: d0 in [0, 10], s0 in [0, 4], "
       "d0 - s0 * 2 in [0, 2]"},
      {"dynamic slice",
       "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 4], rt0 in [0, 5]",
       {10},
       "(d0){rt0} -> (d0 - rt0), domain: d0 in [0, 9], rt0 in [0, 5], "
       "d0 - rt0 in [0, 4]"},
      {"reading one digit of three",
       "(d0) -> ((d0 / 8) mod 4), domain: d0 in [0, 127]",
       {4},
       "(d0)[s0, s1] -> (d0 * 8 + s1 * 32 + s0), domain: d0 in [0, 3], "
       "s0 in [0, 7], s1 in [0, 3]"},
      {"an equation that has no closed solution",
       "(d0, d1) -> (d0 * 2 + d1 * 3), domain: d0 in [0, 4], d1 in [0, 5]",
       {24},
       "(d0)[s0, s1] -> (s0, s1), domain: d0 in [0, 23], s0 in [0, 4], "
       "s1 in [0, 5], s0 * 2 + s1 * 3 - d0 in [0, 0]"},
  };
  for (const Row &row : rows) {
    Arena arena;
    Map got = inverse(mapOf(arena, row.map), row.sizes);
    expectSame(got, mapOf(arena, row.inverse), row.what);
    // The inverse has no more range variables than the expected text.
    EXPECT_LE(got.domain.ranges.size(),
              mapOf(arena, row.inverse).domain.ranges.size())
        << row.what << ": " << toString(got);
    EXPECT_LE(got.domain.constraints.size(),
              mapOf(arena, row.inverse).domain.constraints.size())
        << row.what << ": " << toString(got);
  }
}

TEST(Inverse, OfAnEmptyMapIsEmpty) {
  Arena arena;
  EXPECT_TRUE(
      inverse(mapOf(arena, "(d0) -> (d0), KNOWN EMPTY"), {7}).isKnownEmpty());
  EXPECT_TRUE(
      inverse(mapOf(arena, "(d0) -> (d0 + 9), domain: d0 in [0, 5]"), {7})
          .isKnownEmpty());
  Map none = inverse(mapOf(arena, "(d0) -> (0), domain: d0 in [0, 5]"), {0});
  EXPECT_TRUE(none.isKnownEmpty());
  EXPECT_EQ(none.numDims(), 1u);
  EXPECT_EQ(none.numResults(), 1u);
}

TEST(Inverse, RuntimeVariablesStay) {
  Arena arena;
  Map m = mapOf(arena, "(d0){rt0} -> (d0 * 2 + rt0), domain: d0 in [0, 4], "
                       "rt0 in [0, 1]");
  m.domain.runtimes[0].source = arena.intern("entry/of1");
  m.domain.runtimes[0].index.push_back(arena.dim(0));
  Map back = inverse(m, {10});
  ASSERT_EQ(back.domain.runtimes.size(), 1u);
  EXPECT_EQ(back.domain.runtimes[0].source, m.domain.runtimes[0].source);
  // The index was d0, which is now this function of the element.
  EXPECT_EQ(toString(arena, back.domain.runtimes[0].index[0]),
            toString(arena, back.results[0]));
}

// TensorMaps.h builds both directions of an operation separately.
TEST(Inverse, OfOutToInIsInToOut) {
  Arena a;
  auto both = [&](const char *what, const Map &outToIn, const Map &inToOut,
                  std::vector<int64_t> operand) {
    expectSame(inverse(outToIn, operand), inToOut, what);
  };
  auto kOut = Direction::OutToIn, kIn = Direction::InToOut;
  both("reshape", reshape(a, {6, 10, 14}, {21, 40}),
       reshape(a, {21, 40}, {6, 10, 14}), {21, 40});
  both("bitcast", bitcast(a, {6, 10, 14}, {0, 1, 2}, {21, 40}, {1, 0}),
       bitcast(a, {21, 40}, {1, 0}, {6, 10, 14}, {0, 1, 2}), {21, 40});
  both("pad", pad(a, kOut, {4, 5}, {10, 2}, {1, -2}, {2, -1}, {1, 0}),
       pad(a, kIn, {4, 5}, {10, 2}, {1, -2}, {2, -1}, {1, 0}), {4, 5});
  both("slice", slice(a, kOut, {10, 20}, {5, 3}, {10, 20}, {1, 7}),
       slice(a, kIn, {10, 20}, {5, 3}, {10, 20}, {1, 7}), {10, 20});
  WindowDim w[] = {{.size = 3,
                    .stride = 2,
                    .low = 1,
                    .high = 1,
                    .baseDilation = 2,
                    .windowDilation = 3}};
  both("reduce-window", reduceWindow(a, kOut, {20}, {18}, w),
       reduceWindow(a, kIn, {20}, {18}, w), {20});
  both("dynamic-slice",
       dynamicSlice(a, kOut, {10}, {4}, {IndexValue{.source = a.intern("i")}}),
       dynamicSlice(a, kIn, {10}, {4}, {IndexValue{.source = a.intern("i")}}),
       {10});
}

TEST(Inverse, AgreesWithEnumeration) {
  int dropped = 0, unsolved = 0;
  for (uint64_t seed = 0; seed < cases(20'000); ++seed) {
    RandomMaps random(seed);
    Arena arena;
    Map m = random.map(arena, 6, random.between(1, 3));
    Relation forward = readsOf(m);
    size_t nd = m.numDims(), nrt = m.domain.runtimes.size();
    Index sizes;
    for (size_t i = 0; i < m.numResults(); ++i)
      sizes.push_back(random.between(1, 12));
    Relation expected; // ((b, rt), a)
    for (const auto &[from, to] : forward.pairs) {
      bool inside = true;
      for (size_t i = 0; i < to.size(); ++i)
        inside &= 0 <= to[i] && to[i] < sizes[i];
      if (!inside)
        continue;
      Index b = to;
      b.insert(b.end(), from.begin() + nd, from.end());
      expected.add(b, Index(from.begin(), from.begin() + nd));
    }
    expected.normalize();
    Map back = inverse(m, sizes);
    ASSERT_EQ(back.numDims(), m.numResults());
    ASSERT_EQ(back.numResults(), nd);
    // Unused runtime variables may be dropped.
    if (back.domain.runtimes.size() != nrt && !back.isKnownEmpty()) {
      ++dropped;
      continue;
    }
    unsolved += !back.domain.ranges.empty();
    Relation got = readsOf(back);
    ASSERT_TRUE(expected == got)
        << "seed " << seed << "\n  " << toString(m) << "\n  " << toString(back)
        << difference(expected, got);
  }
  EXPECT_LT(dropped, 4000);
  EXPECT_GT(unsolved, cases(1'900)); // both kinds are tested
  EXPECT_LT(unsolved, 14000);
}

TEST(Inverse, OfASetKeepsExactnessAndReasons) {
  Arena arena;
  MapSet set(mapOf(arena, "(d0) -> (d0 * 2), domain: d0 in [0, 4]"));
  set.insert({everything(arena, {5}, {10}), false, "a reason", 3});
  MapSet back = inverse(set, {10});
  ASSERT_EQ(back.size(), 2u);
  EXPECT_TRUE(back[0].exact);
  expectSame(
      back[0].map,
      mapOf(arena,
            "(d0) -> (d0 / 2), domain: d0 in [0, 8], d0 mod 2 in [0, 0]"),
      "strided");
  EXPECT_FALSE(back[1].exact);
  EXPECT_EQ(back[1].reason, "a reason");
  EXPECT_EQ(back[1].leastRead, 3);
  EXPECT_TRUE(inverse(MapSet(), {10}).empty());
}

/// The pairs ((d, rt), results) whose coordinates lie in boxes from 0.
Relation within(const Relation &r, const Index &from, const Index &to) {
  auto inside = [](const Index &x, const Index &sizes) {
    for (size_t i = 0; i < sizes.size(); ++i)
      if (x[i] < 0 || x[i] >= sizes[i])
        return false;
    return true;
  };
  Relation out;
  for (const auto &[a, b] : r.pairs)
    if (inside(a, from) && inside(b, to))
      out.add(a, b);
  out.normalize();
  return out;
}

TEST(Inverse, Laws) {
  for (uint64_t seed = 0; seed < cases(4'000); ++seed) {
    RandomMaps random(seed);
    Arena arena;
    // f from A to B, g from B to C, without runtime variables, which may be
    // dropped.
    auto sizes = [&](size_t n) {
      Index out;
      for (size_t i = 0; i < n; ++i)
        out.push_back(random.between(1, 6));
      return out;
    };
    Index a = sizes(random.between(0, 2)), b = sizes(random.between(1, 2)),
          c = sizes(random.between(1, 2));
    auto mapBetween = [&](const Index &from, const Index &to) {
      Map m(arena);
      for (int64_t size : from)
        (void)m.domain.addDim(arena, Interval::ofSize(size));
      for (int64_t n = random.between(0, 1); n > 0; --n)
        (void)m.domain.addRange(arena, random.bounds(4));
      random.constrain(arena, m.domain, m.domain.numVars() && random.oneIn(3),
                       1);
      for (size_t i = 0; i < to.size(); ++i)
        m.results.push_back(random.oneIn(2) && m.domain.numVars()
                                ? random.linear(arena, m.domain)
                                : random.expr(arena, m.domain, 2));
      return m;
    };
    Map f = mapBetween(a, b), g = mapBetween(b, c);
    Map twice = inverse(inverse(f, b), a);
    ASSERT_TRUE(within(readsOf(f), a, b) == readsOf(twice))
        << "seed " << seed << "\n  " << toString(f) << "\n  "
        << toString(twice);
    Map left = inverse(compose(f, g), c);
    Map right = compose(inverse(g, c), inverse(f, b));
    Relation expected = within(readsOf(compose(f, g)), a, c).inverse();
    ASSERT_TRUE(expected == readsOf(left))
        << "seed " << seed << "\n  " << toString(f) << "\n  " << toString(g)
        << difference(expected, readsOf(left));
    ASSERT_TRUE(expected == readsOf(right))
        << "seed " << seed << "\n  " << toString(f) << "\n  " << toString(g)
        << difference(expected, readsOf(right));
  }
}

} // namespace
} // namespace mercator::indexing
