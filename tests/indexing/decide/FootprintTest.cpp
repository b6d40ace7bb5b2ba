// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/decide/Footprint.h"
#include "mercator/indexing/decide/CountRange.h"
#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/operations/TensorMaps.h"
#include "tests/Scale.h"

#include "tests/indexing/MapText.h"
#include "tests/indexing/RandomMaps.h"

#include <set>

namespace mercator::indexing {
namespace {

using namespace mercator::indexing::testing;

MapSet setOf(Arena &arena, std::initializer_list<const char *> texts) {
  MapSet set;
  for (const char *text : texts)
    set.insert({mapOf(arena, text)});
  return set;
}

/// A value that a loop passes on, added up over all devices or kept.
TEST(Footprint, OfSomeElementsOfOtherDevicesIsUnknown) {
  Arena arena;
  MapSet set = setOf(arena, {"(d0) -> (d0), domain: d0 in [0, 9]"});
  MapSet others = MapSet::acrossDevices(
      mapOf(arena, "(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 9], d1 in [0, "
                   "3], s0 in [0, 3]"),
      /*devices=*/4);
  EXPECT_EQ(countUnion(others).exact(), 40);
  set.insert(others.front());
  EXPECT_FALSE(countUnion(set).exact());
  EXPECT_FALSE(countElements(set).most.exact());
  EXPECT_FALSE(countReads(set).most.exact());
}

TEST(Footprint, OfAUnionIsNotTheSum) {
  Arena arena;
  // Two slices that overlap by 20.
  EXPECT_EQ(
      countUnion(setOf(arena, {"(d0) -> (d0), domain: d0 in [0, 59]",
                               "(d0) -> (d0 + 40), domain: d0 in [0, 59]"}))
          .exact(),
      100);
  // Disjoint, and too large to enumerate.
  EXPECT_EQ(
      countUnion(setOf(arena, {"(d0) -> (d0), domain: d0 in [0, 999999999999]",
                               "(d0) -> (d0 + 1000000000000), domain: "
                               "d0 in [0, 999999999999]"}))
          .exact(),
      2000000000000);
  // A frame: boxes of 10^6 by 10^6 that overlap in the corner.
  EXPECT_EQ(
      countUnion(
          setOf(
              arena,
              {"(d0, d1) -> (d0, d1), domain: d0 in [0, 999999], d1 in [0, 999999]",
               "(d0, d1) -> (d0 + 999999, d1 + 999999), domain: d0 in [0, 999999], d1 in [0, 999999]"}))
          .exact(),
      2 * 1000000000000 - 1);
  // The first map contains the second, and is not a box.
  EXPECT_EQ(
      countUnion(
          setOf(
              arena,
              {"(d0)[s0] -> (d0 * 2, s0), domain: d0 in [0, 999999], s0 in [0, 9]",
               "(d0)[s0] -> (d0 * 2, 3), domain: d0 in [0, 999999], s0 in [0, 9]"}))
          .exact(),
      10000000);
  // Even and odd elements: not boxes, so enumerated.
  EXPECT_EQ(
      countUnion(setOf(arena, {"(d0) -> (d0 * 2), domain: d0 in [0, 49]",
                               "(d0) -> (d0 * 3), domain: d0 in [0, 32]"}))
          .exact(),
      50 + 33 - 17);
  EXPECT_EQ(countUnion(MapSet()).exact(), 0);
  EXPECT_EQ(countUnion(setOf(arena, {"(d0) -> (d0), KNOWN EMPTY"})).exact(), 0);
}

TEST(Footprint, OfAUnionAgreesWithEnumeration) {
  int counted = 0;
  for (uint64_t seed = 0; seed < cases(3'000); ++seed) {
    RandomMaps random(seed);
    Arena arena;
    MapSet set;
    std::set<Index> expected;
    int64_t results = random.between(1, 3);
    for (int64_t n = random.between(1, 4); n > 0; --n) {
      Map m(arena);
      m.domain = random.domain(arena, random.between(0, 2),
                               random.between(0, 2), 0, 6, random.oneIn(3));
      for (int64_t r = 0; r < results; ++r)
        m.results.push_back(random.oneIn(2) && m.domain.numVars() > 0
                                ? random.variable(arena, m.domain)
                                : random.expr(arena, m.domain, 2));
      for (const auto &[from, to] : readsOf(m).pairs)
        expected.insert(to);
      set.insert({std::move(m)});
    }
    Count got = countUnion(set);
    if (!got.exact())
      continue;
    ++counted;
    ASSERT_EQ(got.exact(), (int64_t)expected.size()) << "seed " << seed;
    ASSERT_EQ(countUnion(withoutContained(set)).exact(), got.exact())
        << "seed " << seed;
  }
  EXPECT_GT(counted, cases(2'900));
}

TEST(Footprint, PairsAgreeWithEnumeration) {
  for (uint64_t seed = 0; seed < cases(2'000); ++seed) {
    RandomMaps random(seed);
    Arena arena;
    Map m = random.map(arena, 5, 2);
    if (!m.domain.runtimes.empty())
      continue;
    Count got = countPairs(m);
    if (got.exact()) {
      ASSERT_EQ(got.exact(), (int64_t)readsOf(m).pairs.size())
          << "seed " << seed << " " << toString(m);
    }
  }
}

TEST(Contains, WhatItFinds) {
  struct Row {
    const char *outer, *inner;
    bool contains;
  } rows[] = {
      {"(d0)[s0] -> (s0, d0), domain: d0 in [0, 9], s0 in [0, 9]",
       "(d0) -> (d0, d0), domain: d0 in [0, 9]", true},
      {"(d0)[s0] -> (s0, d0), domain: d0 in [0, 9], s0 in [0, 8]",
       "(d0) -> (d0, d0), domain: d0 in [0, 9]", false},
      {"(d0)[s0] -> (d0, s0), domain: d0 in [0, 9], s0 in [0, 9]",
       "(d0)[s0] -> (d0, s0), domain: d0 in [2, 5], s0 in [1, 9]", true},
      {"(d0)[s0] -> (d0, s0), domain: d0 in [2, 9], s0 in [0, 9]",
       "(d0)[s0] -> (d0, s0), domain: d0 in [1, 5], s0 in [1, 9]", false},
      {"(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 9], s0 in [0, 2]",
       "(d0)[s0] -> (d0 * 2 + s0), domain: d0 in [0, 9], s0 in [0, 1]", true},
      {"(d0)[s0] -> (s0, s0), domain: d0 in [0, 9], s0 in [0, 9]",
       "(d0) -> (d0, 0), domain: d0 in [0, 9]", false},
      {"(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 9], "
       "d0 + s0 in [0, 9]",
       "(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 9], "
       "d0 + s0 in [0, 5]",
       true},
      {"(d0) -> (d0), domain: d0 in [0, 9], d0 mod 2 in [0, 0]",
       "(d0) -> (d0), domain: d0 in [0, 9]", false},
  };
  for (const Row &row : rows) {
    Arena arena;
    EXPECT_EQ(contains(mapOf(arena, row.outer), mapOf(arena, row.inner)),
              row.contains)
        << row.outer << "\n"
        << row.inner;
  }
}

TEST(Contains, AgreesWithEnumeration) {
  int found = 0;
  for (uint64_t seed = 0; seed < cases(20'000); ++seed) {
    RandomMaps random(seed);
    Arena arena;
    Map inner = random.map(arena, 4, 1);
    // A similar map: other bounds, another result, one constraint less.
    Map outer = inner;
    if (random.oneIn(2))
      outer.domain.forEachVar([&](Var v) {
        if (v.kind != VarKind::Runtime) {
          outer.domain.bounds(v).lower -= random.between(-1, 1);
          outer.domain.bounds(v).upper += random.between(-1, 2);
        }
      });
    if (random.oneIn(2) && !outer.domain.constraints.empty())
      outer.domain.constraints.pop_back();
    if (random.oneIn(2))
      outer.results[0] = outer.domain.addRange(arena, random.bounds(12));
    if (!contains(outer, inner))
      continue;
    found += !inner.isKnownEmpty();
    ASSERT_TRUE(readsOf(outer).contains(readsOf(inner)))
        << "seed " << seed << "\n"
        << toString(outer) << "\n"
        << toString(inner);
  }
  EXPECT_GT(found, 1000);
}

TEST(Footprint, WithoutContainedKeepsExactMaps) {
  Arena arena;
  MapSet set;
  set.insert({everything(arena, {10}, {10, 10}), false, "a reason"});
  set.insert({mapOf(arena, "(d0) -> (d0, d0), domain: d0 in [0, 9]")});
  set.insert(
      {mapOf(arena, "(d0) -> (0, d0), domain: d0 in [0, 9]"), false, "other"});
  MapSet out = withoutContained(set);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_FALSE(out[0].exact);
  EXPECT_TRUE(out[1].exact);
}

TEST(Footprint, OverApproximation) {
  Arena arena;
  OperandMap m{Map::identity(arena, {10}), false, "scattered to", 7};
  std::optional<OverRead> over = overRead(m);
  ASSERT_TRUE(over);
  EXPECT_EQ(over->given.exact(), 10);
  EXPECT_EQ(over->leastRead, 7);
  EXPECT_EQ(over->elements, 1);
  over = overRead({everything(arena, {4}, {2, 3}), false, "unknown"});
  EXPECT_EQ(over->given.exact(), 24);
  EXPECT_EQ(over->leastRead, 0);
  EXPECT_EQ(over->elements, 6);
  EXPECT_FALSE(overRead({Map::identity(arena, {10})}));
  OperandMap runtime{mapOf(arena,
                           "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 4], "
                           "rt0 in [0, 5]"),
                     false, "unknown"};
  EXPECT_FALSE(overRead(runtime)->given.exact());
}

// Maps that differ in the names or the order of range variables only, or in the
// form of an expression, are one map.
TEST(MapSet, MapsOfOneMeaningAreOneMap) {
  struct Row {
    const char *first, *second;
    size_t size;
  } rows[] = {
      {"(d0)[s0, s1] -> (s0, s1, d0), domain: d0 in [0, 9], s0 in [0, 3], "
       "s1 in [0, 7]",
       "(d0)[s0, s1] -> (s1, s0, d0), domain: d0 in [0, 9], s0 in [0, 7], "
       "s1 in [0, 3]",
       1},
      {"(d0)[s0, s1] -> (s0 * 8 + s1), domain: d0 in [0, 9], s0 in [0, 3], "
       "s1 in [0, 7]",
       "(d0)[s0] -> (s0), domain: d0 in [0, 9], s0 in [0, 31]", 1},
      {"(d0) -> ((d0 floordiv 8) * 8 + d0 mod 8), domain: d0 in [0, 99]",
       "(d0) -> (d0), domain: d0 in [0, 99]", 1},
      {"(d0)[s0] -> (s0, d0), domain: d0 in [0, 9], s0 in [0, 3]",
       "(d0)[s0] -> (d0, s0), domain: d0 in [0, 9], s0 in [0, 3]", 2},
  };
  for (const Row &row : rows) {
    Arena arena;
    EXPECT_EQ(setOf(arena, {row.first, row.second}).size(), row.size)
        << row.first << "\n"
        << row.second;
  }
}

} // namespace
} // namespace mercator::indexing
