// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/evaluate/PointWalk.h"

#include "tests/indexing/MapText.h"
#include "tests/indexing/Points.h"
#include "tests/indexing/RandomMap.h"

using namespace mercator::indexing;

namespace {

using Point = std::vector<int64_t>;
using Points = std::vector<Point>;

struct Visit {
  PointWalk::End outcome;
  std::vector<Point> points;
};

Visit visit(llvm::StringRef text, int64_t limit = 1'000'000) {
  Arena arena;
  Map map = mapOf(arena, text);
  Visit v;
  v.outcome = forEachPoint(arena, map.domain, limit,
                           [&](llvm::ArrayRef<int64_t> point) {
                             v.points.push_back(point.vec());
                             return true;
                           });
  return v;
}

TEST(PointWalk, InLexicographicOrder) {
  Visit v = visit("(d0, d1){rt0} -> (), domain: d0 in [1, 2], d1 in [-1, 0], "
                  "rt0 in [5, 5]");
  EXPECT_EQ(v.outcome, PointWalk::End::Complete);
  EXPECT_EQ(v.points, (Points{{1, -1, 5}, {1, 0, 5}, {2, -1, 5}, {2, 0, 5}}));
  EXPECT_EQ(visit("(d0, d1) -> (), domain: d0 in [0, 9], d1 in [0, 9], "
                  "d0 * 10 + d1 in [19, 20]")
                .points,
            (Points{{1, 9}, {2, 0}}));
}

TEST(PointWalk, EdgeCases) {
  EXPECT_EQ(visit("() -> ()").points, Points{Point{}});
  EXPECT_EQ(visit("() -> (), domain: 3 in [0, 2]").points, Points{});
  EXPECT_EQ(visit("(d0, d1) -> (), domain: d0 in [0, -1]").outcome,
            PointWalk::End::Complete);
  EXPECT_EQ(visit("(d0) -> (), domain: d0 in [0, inf]").outcome,
            PointWalk::End::Unbounded);
  EXPECT_EQ(visit("(d0) -> (), domain: d0 in [0, 9], 5 / d0 in [5, 5]").points,
            Points{{1}});
}

TEST(PointWalk, StopsAtTheLimitAndSaysSo) {
  const char *text = "(d0, d1) -> (), domain: d0 in [0, 9], d1 in [0, 999]";
  EXPECT_EQ(visit(text, 10'010).outcome, PointWalk::End::Complete);
  Visit v = visit(text, 10'009);
  EXPECT_EQ(v.outcome, PointWalk::End::OverBudget);
  EXPECT_EQ(v.points.size(), 9'999u);
  EXPECT_EQ(visit("(d0) -> (), domain: d0 in [0, 1000000000000000000]", 1000)
                .points.size(),
            1000u);
  // A constraint on the first variable spares the rest.
  EXPECT_EQ(visit("(d0, d1) -> (), domain: d0 in [0, 9999], d1 in [0, 999999], "
                  "d0 mod 10000 in [7, 7]",
                  1'010'000)
                .outcome,
            PointWalk::End::Complete);
}

TEST(PointWalk, StopsWhenAsked) {
  Arena arena;
  Map map = mapOf(arena, "(d0) -> (), domain: d0 in [0, 999]");
  int seen = 0;
  EXPECT_EQ(forEachPoint(arena, map.domain, 10'000,
                         [&](llvm::ArrayRef<int64_t>) { return ++seen < 5; }),
            PointWalk::End::Stopped);
  EXPECT_EQ(seen, 5);
}

TEST(PointWalk, VisitsThePointsInOrderAndCountsItsSteps) {
  Arena arena;
  Map m = mapOf(arena, "(d0, d1) -> (d0 * 10 + d1, d0 ceildiv 2), domain: "
                       "d0 in [1, 3], d1 in [-1, 1], d0 + d1 in [2, 3]");
  PointWalk walk(arena, System::of(m.domain), m.results);
  std::vector<std::vector<int64_t>> seen;
  Budget budget{.steps = 100};
  EXPECT_EQ(walk.run(budget,
                     [&](auto, llvm::ArrayRef<int64_t> r) {
                       seen.push_back({r[0], r[1]});
                       return true;
                     }),
            PointWalk::End::Complete);
  EXPECT_EQ(seen, (std::vector<std::vector<int64_t>>{
                      {11, 1}, {20, 1}, {21, 1}, {29, 2}, {30, 2}}));
  // Three values of d0, three of d1 for each.
  EXPECT_EQ(budget.steps, 100 - 12);
  budget.steps = 11;
  EXPECT_EQ(walk.run(budget, [](auto, auto) { return true; }),
            PointWalk::End::OverBudget);
}

TEST(PointWalk, DivisionByZeroAndOverflowAreUndefined) {
  Arena arena;
  for (const char *text :
       {"(d0, d1) -> (d0 floordiv d1), domain: d0 in [1, 3], d1 in [-1, 1]",
        "(d0, d1) -> (d0 * d1), domain: d0 in [1, 3], "
        "d1 in [6000000000000000000, 6000000000000000001]"}) {
    Map m = mapOf(arena, text);
    PointWalk walk(arena, System::of(m.domain), m.results);
    Budget budget{.steps = 100};
    EXPECT_EQ(walk.run(budget, [](auto, auto) { return true; }),
              PointWalk::End::Undefined);
  }
}

/// The first points are tried one by one, the others in blocks. The visited
/// points are the same, also if the walk ends early.
TEST(PointWalk, BlocksVisitTheSamePoints) {
  Arena arena;
  for (const char *text :
       {"(d0, d1) -> (d0 * 7 + d1), domain: d0 in [0, 40], d1 in [0, 40]",
        "(d0, d1) -> (d1 / 3, d0), domain: d0 in [0, 9], d1 in [-300, 300], "
        "d0 * 5 + d1 in [-7, 290], d0 mod 3 in [1, 2]",
        "(d0, d1) -> (d0), domain: d0 in [0, 999], d1 in [0, 1], "
        "(d0 + d1) mod 5 in [0, 2]",
        "(d0) -> (d0 * d0), domain: d0 in [0, 5000]"}) {
    Map m = mapOf(arena, text);
    Points expected;
    m.domain.dims.resize(2, {Interval::point(0)});
    for (int64_t x = m.domain.dims[0].bounds.lower;
         x <= m.domain.dims[0].bounds.upper; ++x)
      for (int64_t y = m.domain.dims[1].bounds.lower;
           y <= m.domain.dims[1].bounds.upper; ++y)
        if (Point p{x, y}; contains(arena, m.domain, p)) {
          for (Expr e : m.results)
            p.push_back(*evaluate(arena, e, m.domain, {x, y}));
          expected.push_back(p);
        }
    PointWalk walk(arena, System::of(m.domain), m.results);
    for (int64_t steps : {70, 140, 600, 1'000'000})
      for (size_t most : {1u, 8u, 9u, 128u, 129u, 600u, 10'000u}) {
        Points seen;
        Budget budget{.steps = steps};
        auto end = walk.run(budget, [&](llvm::ArrayRef<int64_t> p,
                                        llvm::ArrayRef<int64_t> results) {
          seen.push_back(p.vec());
          seen.back().insert(seen.back().end(), results.begin(), results.end());
          return seen.size() < most;
        });
        ASSERT_EQ(seen, Points(expected.begin(),
                               expected.begin() +
                                   std::min(seen.size(), expected.size())));
        if (end == PointWalk::End::Complete)
          EXPECT_EQ(seen.size(), expected.size());
        if (end == PointWalk::End::Stopped)
          EXPECT_EQ(seen.size(), most);
        if (steps == 1'000'000)
          EXPECT_EQ(end, most <= expected.size() ? PointWalk::End::Stopped
                                                 : PointWalk::End::Complete);
      }
  }
}

TEST(PointWalkProperty, VisitsExactlyThePointsOfTheDomain) {
  RandomMap random(testSeed());
  random.maxSize = 5;
  for (int i = 0; i < 3'000; ++i) {
    Arena arena;
    Map map = random.map(arena);
    const Domain &domain = map.domain;
    std::vector<Point> expected{{}};
    domain.forEachVar([&](Var v) {
      std::vector<Point> longer;
      for (const Point &p : expected)
        for (int64_t x = domain.bounds(v).lower; x <= domain.bounds(v).upper;
             ++x) {
          longer.push_back(p);
          longer.back().push_back(x);
        }
      expected = std::move(longer);
    });
    llvm::erase_if(expected,
                   [&](const Point &p) { return !contains(arena, domain, p); });
    std::vector<Point> visited;
    EXPECT_EQ(forEachPoint(arena, domain, 10'000'000,
                           [&](llvm::ArrayRef<int64_t> p) {
                             visited.push_back(p.vec());
                             return true;
                           }),
              PointWalk::End::Complete);
    ASSERT_EQ(visited, expected)
        << toString(map) << "\nMERCATOR_SEED=" << testSeed();
  }
}

} // namespace
