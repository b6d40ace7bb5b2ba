// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Periods of random expressions, against their values.

#include "mercator/analysis/access/Periods.h"
#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/indexing/notation/Notation.h"

#include "tests/Scale.h"
#include "tests/Seed.h"

#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::access;
using namespace mercator::indexing;

namespace {

Expr randomExpr(Arena &arena, std::mt19937_64 &random, int depth) {
  auto number = [&](int64_t most) { return int64_t(1 + random() % most); };
  if (depth == 0)
    return random() % 4 ? arena.dim(random() % 2) : arena.constant(number(20));
  Expr a = randomExpr(arena, random, depth - 1);
  switch (random() % 6) {
  case 0:
    return arena.add(a, randomExpr(arena, random, depth - 1));
  case 1:
    return arena.scale(a, number(9) - 4);
  case 2:
    return arena.floorDiv(a, number(12));
  case 3:
    return arena.mod(a, number(12));
  case 4:
    return arena.ceilDiv(a, number(12));
  default:
    return random() % 2 ? arena.min(a, randomExpr(arena, random, depth - 1))
                        : arena.max(a, randomExpr(arena, random, depth - 1));
  }
}

/// e(v + step) - e(v) is growth * step for all values, and a multiple of what was
/// asked for.
TEST(Periods, AgreeWithValues) {
  int found = 0;
  for (uint64_t seed = testSeed(); seed < testSeed() + cases(3000); ++seed) {
    std::mt19937_64 random(seed);
    Arena arena;
    Domain domain;
    constexpr int64_t most = int64_t(1) << 40;
    (void)domain.addDim(arena, {0, most});
    (void)domain.addDim(arena, {0, most});
    Expr e = randomExpr(arena, random, 3);
    std::string said =
        "seed " + std::to_string(seed) + ": " + toString(arena, e, &domain);
    Var v{VarKind::Dim, 0};
    int64_t modulus = 1 + random() % 16;
    Period period;
    if (!period.add(arena, e, v, modulus))
      continue;
    ++found;
    Period again = period;
    std::optional<Growth> growth = again.growth(arena, e, v);
    ASSERT_TRUE(growth) << said;
    ASSERT_EQ(again.step, period.step) << said;
    for (int i = 0; i < 8; ++i) {
      int64_t x = random() % 1000, y = random() % 1000;
      int64_t before = *evaluate(arena, e, domain, {x, y}),
              after = *evaluate(arena, e, domain, {x + period.step, y});
      ASSERT_EQ((after - before) * growth->denominator,
                growth->numerator * period.step)
          << said << " at " << x << ", " << y;
      ASSERT_EQ((after - before) % modulus, 0) << said;
    }
  }
  EXPECT_GT(found, 100);
}

} // namespace
