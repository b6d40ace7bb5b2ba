// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/decide/Emptiness.h"
#include "mercator/indexing/decide/Presburger.h"
#include "mercator/indexing/evaluate/PointWalk.h"

#include "tests/Scale.h"
#include "tests/indexing/MapText.h"
#include "tests/indexing/RandomMaps.h"

namespace mercator::indexing {
namespace {

using namespace mercator::indexing::testing;

/// The answer for the domain of a map. Checks its witness.
Decision::Kind emptinessOf(llvm::StringRef text,
                           Budget budget = {.steps = 100000}) {
  Arena arena;
  Map m = mapOf(arena, text);
  Emptiness answer = isEmpty(arena, m.domain, budget);
  if (answer.isNo()) {
    Values at;
    m.domain.forEachVar([&](Var v) {
      int64_t x = answer.witness[slotOf(m.domain, v)];
      EXPECT_TRUE(m.domain.bounds(v).contains(x)) << text.str() << " at " << x;
      (v.kind == VarKind::Dim     ? at.dims
       : v.kind == VarKind::Range ? at.ranges
                                  : at.runtimes)
          .push_back(x);
    });
    for (const Constraint &c : m.domain.constraints)
      EXPECT_TRUE(c.bounds.contains(evaluate(arena, c.expr, at))) << text.str();
  }
  EXPECT_EQ(answer.isUnknown(), !answer.reason.empty());
  return answer.kind;
}

/// Without the search: the solver only.
constexpr Budget kSolver{.steps = 0, .columns = 8};

TEST(Emptiness, BoxesAndContradictions) {
  EXPECT_EQ(emptinessOf("(d0) -> (d0), domain: d0 in [0, 9]"),
            Decision::Kind::No);
  EXPECT_EQ(emptinessOf("() -> ()"), Decision::Kind::No);
  EXPECT_EQ(emptinessOf("(d0) -> (d0), KNOWN EMPTY"), Decision::Kind::Yes);
  EXPECT_EQ(emptinessOf("(d0) -> (d0), domain: d0 in [0, 9], "
                        "d0 mod 8 in [6, 7], d0 * 3 in [19, 20]"),
            Decision::Kind::Yes);
  EXPECT_EQ(emptinessOf("(d0) -> (d0), domain: d0 in [0, 1000000000000], "
                        "d0 mod 8 in [45, 49]"),
            Decision::Kind::Yes);
}

TEST(Emptiness, NoInterval_ButTheSolver_SeesIt) {
  // 6a - 9b = 1 has no solution: gcd 3.
  EXPECT_EQ(emptinessOf("(d0, d1) -> (d0), domain: d0 in [0, 1000000000], "
                        "d1 in [0, 1000000000], d0 * 6 - d1 * 9 in [1, 1]"),
            Decision::Kind::Yes);
  // The first d0 with d0 / 7 - d0 / 8 = 5 is 280 - 7 * 5 + ... : it exists.
  EXPECT_EQ(emptinessOf("(d0) -> (d0), domain: d0 in [0, 1000000000], "
                        "d0 floordiv 7 - d0 floordiv 8 in [5, 5]"),
            Decision::Kind::No);
  // x - 8 * (x / 8) is x mod 8, never 9.
  EXPECT_EQ(emptinessOf("(d0) -> (d0), domain: d0 in [0, 1000000000], "
                        "d0 - (d0 floordiv 8) * 8 in [9, 12]",
                        kSolver),
            Decision::Kind::Yes);
  // A value between two multiples of 1000 that leaves 1 mod 3 and 1 mod 7.
  EXPECT_EQ(emptinessOf("(d0, d1) -> (d0), domain: d0 in [0, 1000000000], "
                        "d1 in [0, 1000000], d0 - d1 * 1000 in [5, 6], "
                        "d0 mod 3 in [1, 1], d0 mod 7 in [1, 1]",
                        kSolver),
            Decision::Kind::No);
}

TEST(Emptiness, MinAndMaxAreCases) {
  EXPECT_EQ(emptinessOf("(d0, d1) -> (d0), domain: d0 in [0, 99999], "
                        "d1 in [0, 99999], min(d0, d1) - d0 in [1, 5]",
                        kSolver),
            Decision::Kind::Yes);
  EXPECT_EQ(emptinessOf("(d0, d1, d2) -> (d0), domain: d0 in [0, 99999], "
                        "d1 in [0, 99999], d2 in [0, 99999], "
                        "max(d0, max(d1, d2)) - d1 in [7, 7], "
                        "d1 - d2 in [3, 9], d0 mod 5 in [2, 2]",
                        kSolver),
            Decision::Kind::No);
}

TEST(Emptiness, UnboundedVariables) {
  EXPECT_EQ(emptinessOf("(d0) -> (d0), domain: d0 in [5, inf]"),
            Decision::Kind::No);
  EXPECT_EQ(emptinessOf("(d0, d1) -> (d0), domain: d0 * 4 - d1 * 6 in [3, 3]"),
            Decision::Kind::Yes);
  EXPECT_EQ(emptinessOf("(d0, d1) -> (d0), domain: d0 * 4 - d1 * 6 in [2, 2], "
                        "d0 in [1000, inf]"),
            Decision::Kind::No);
}

TEST(Emptiness, UnknownSaysWhy) {
  Arena arena;
  Map m = mapOf(arena, "(d0, d1) -> (d0), domain: d0 in [2, 100000], "
                       "d1 in [2, 100000], d0 * d1 in [999999937, 999999937]");
  Emptiness answer = isEmpty(arena, m.domain, {.steps = 1000});
  EXPECT_TRUE(answer.isUnknown());
  EXPECT_EQ(answer.reason, "a product of variables");
  // An empty part decides, even if another part is undecided.
  m.domain.addConstraint(
      arena.sub(arena.mod(m.domain.addDim(arena, {0, 1000000}), 4),
                arena.mod(arena.dim(2), 2)),
      {4, 9});
  EXPECT_TRUE(isEmpty(arena, m.domain, {.steps = 1000}).isYes());
}

TEST(Emptiness, AgreesWithEnumeration) {
  int empty = 0, unknown = 0;
  for (uint64_t seed = 0; seed < cases(20'000); ++seed) {
    RandomMaps random(seed);
    Arena arena;
    Domain d = random.domain(arena, random.between(0, 2), random.between(0, 2),
                             random.between(0, 1), 7, random.between(1, 3));
    bool holdsPoint = false;
    forEachPointOf(arena, d, [&](const Values &) { holdsPoint = true; });
    // Alternate between all methods and the solver alone, which small cases
    // would never reach.
    Emptiness answer =
        isEmpty(arena, d, seed % 2 ? kSolver : Budget{.steps = 100000});
    unknown += answer.isUnknown();
    empty += !holdsPoint;
    if (answer.isUnknown())
      continue;
    Map shown(arena);
    shown.domain = d;
    ASSERT_EQ(answer.isYes(), !holdsPoint)
        << "seed " << seed << ": " << toString(shown);
  }
  EXPECT_GT(empty, cases(4'000));
  EXPECT_LT(unknown, 200);
}

TEST(Encoding, HoldsThePointsOfTheSystem) {
  int points = 0;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    RandomMaps random(seed);
    Arena arena;
    Domain d = random.domain(arena, 2, random.between(0, 1), 0, 5,
                             random.between(1, 2));
    System box = System::of(d);
    Encoding encoding = encode(arena, box);
    ASSERT_EQ(encoding.refusal, nullptr);
    std::vector<Index> inside;
    forEachPointOf(arena, d, [&](const Values &at) {
      Index all = at.dims;
      all.insert(all.end(), at.ranges.begin(), at.ranges.end());
      inside.push_back(all);
    });
    box.constraints.clear();
    PointWalk walk(arena, box);
    Budget budget{.steps = 1000};
    (void)walk.run(budget, [&](llvm::ArrayRef<int64_t> at, auto) {
      int cases = 0;
      for (const auto &polyhedron : encoding.cases)
        cases += polyhedron.containsPointNoLocal(at).has_value();
      // The cases are disjoint.
      EXPECT_EQ(cases, llvm::is_contained(inside, Index(at.begin(), at.end())))
          << "seed " << seed;
      ++points;
      return true;
    });
  }
  EXPECT_GT(points, 10000);
}

TEST(IndependentParts, VariablesMeetInConstraints) {
  Arena arena;
  Map m =
      mapOf(arena, "(d0, d1)[s0, s1]{rt0} -> (d0), domain: d0 in [0, 1], "
                   "d1 in [0, 2], s0 in [0, 3], s1 in [0, 4], rt0 in [0, 5], "
                   "d0 + s1 in [0, 3], s1 * rt0 in [0, 9], s0 mod 2 in [0, 0]");
  auto parts = independentParts(arena, System::of(m.domain));
  ASSERT_EQ(parts.size(), 3u); // {d0, s1, rt0}, {d1}, {s0}
  EXPECT_EQ(parts[0].vars.size(), 3u);
  EXPECT_EQ(parts[0].constraints.size(), 2u);
  EXPECT_EQ(parts[1].constraints.size(), 0u);
  EXPECT_EQ(parts[2].constraints.size(), 1u);
  EXPECT_EQ(parts[2].boxSize(), 4);
}

} // namespace
} // namespace mercator::indexing
