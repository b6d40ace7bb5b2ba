// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors of many dimensions: all operations on maps, for ranks 9 to 16 and for
// reshapes that collapse twelve dimensions. Other algebras take time
// exponential in the rank. The limits are a hundred times the expected time
// (see benchmarks/README.md), so that a busy machine does not fail, and far
// below the time of an exponential algorithm.

#include "mercator/indexing/decide/Count.h"
#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/indexing/notation/Notation.h"
#include "mercator/indexing/operations/TensorMaps.h"
#include "mercator/indexing/simplify/Inverse.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "tests/Seed.h"
#include "tests/indexing/MapText.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>
#include <random>

namespace mercator::indexing {
namespace {

using Shape = std::vector<int64_t>;

double milliseconds(const std::function<void()> &f) {
  auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - start)
      .count();
}

/// Builds, simplifies, prints, counts and inverts a reshape, and composes it
/// with its inverse.
void useAll(const Shape &from, const Shape &to) {
  Arena arena;
  Map map = simplify(reshape(arena, from, to));
  EXPECT_FALSE(toString(map).empty());
  int64_t elements = std::accumulate(from.begin(), from.end(), int64_t(1),
                                     std::multiplies<>());
  EXPECT_EQ(countPoints(arena, map.domain).exact(), elements);
  EXPECT_EQ(countImage(map, {.steps = 0}).exact(), elements) << toString(map);
  Map back = inverse(map, to);
  EXPECT_TRUE(sameMeaning(back, reshape(arena, to, from), {.steps = 0}))
      << toString(back) << "\n"
      << toString(simplify(reshape(arena, to, from)));
  EXPECT_TRUE(simplify(compose(map, back)).isIdentity())
      << toString(simplify(compose(map, back)));
  EXPECT_TRUE(simplify(compose(back, map)).isIdentity())
      << toString(simplify(compose(back, map)));
}

struct Case {
  const char *what;
  Shape from, to;
};
const Case kCases[] = {
    {"rank 9 into one", {2, 3, 4, 5, 2, 3, 4, 5, 2}, {28800}},
    {"twelve into one", {2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3}, {46656}},
    {"one into twelve", {46656}, {2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3}},
    {"twelve by threes into twelve by twos",
     {2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3},
     {3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2}},
    {"sixteen, shifted by one",
     {2, 3, 5, 2, 3, 5, 2, 3, 5, 2, 3, 5, 2, 3, 5, 2},
     {3, 5, 2, 3, 5, 2, 3, 5, 2, 3, 5, 2, 3, 5, 2, 2}},
    {"sixteen, backwards",
     {2, 3, 2, 5, 2, 3, 2, 5, 2, 3, 2, 5, 2, 3, 2, 5},
     {5, 2, 3, 2, 5, 2, 3, 2, 5, 2, 3, 2, 5, 2, 3, 2}},
    {"sixteen twos into four", Shape(16, 2), {16, 16, 16, 16}},
    {"four into sixteen twos", {16, 16, 16, 16}, Shape(16, 2)},
    {"sixteen twos into two that do not fit",
     Shape(16, 2),
     {2 * 2 * 2 * 2 * 2, 2048}},
};

TEST(Rank, ReshapesOfManyDimensions) {
  for (const Case &c : kCases) {
    SCOPED_TRACE(c.what);
    EXPECT_LT(milliseconds([&] { useAll(c.from, c.to); }), 500) << c.what;
  }
}

TEST(Rank, TransposesAndReshapesInTurn) {
  // Twelve dimensions, repeatedly rotated and collapsed.
  Shape sizes = {2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3};
  Shape rotation(12);
  for (int64_t i = 0; i < 12; ++i)
    rotation[i] = (i + 2) % 12; // sizes stay
  double took = milliseconds([&] {
    Arena arena;
    Map map = Map::identity(arena, sizes);
    for (int step = 0; step < 6; ++step) {
      map = simplify(
          compose(map, transpose(arena, Direction::InToOut, sizes, rotation)));
      map = simplify(compose(map, reshape(arena, sizes, {216, 216})));
      map = simplify(compose(map, reshape(arena, {216, 216}, sizes)));
    }
    EXPECT_TRUE(map.isIdentity()) << toString(map);
  });
  EXPECT_LT(took, 1000);
}

/// Eight reshapes that combine neighboring factors at random, then the way
/// back.
struct Chain {
  Arena arena;
  Map map;
  double took = 0;

  Chain(const Shape &factors, std::mt19937_64 &engine, bool shuffle)
      : map(Map::identity(arena, factors)) {
    Shape at = factors;
    took = milliseconds([&] {
      for (int step = 0; step < 8; ++step) {
        Shape order = factors, next;
        if (shuffle)
          std::shuffle(order.begin(), order.end(), engine);
        for (int64_t f : order)
          if (next.empty() || engine() % 3)
            next.push_back(f);
          else
            next.back() *= f;
        map = simplify(compose(map, reshape(arena, at, next)));
        at = next;
      }
      map = simplify(compose(map, reshape(arena, at, factors)));
    });
  }
};
const Shape kFactors = {2, 3, 2, 5, 2, 3, 7, 2, 3, 2, 5, 2};

TEST(Rank, ChainsOfReshapesThatNestAreTheIdentity) {
  std::mt19937_64 engine(testSeed());
  for (int n = 0; n < 50; ++n) {
    Chain chain(kFactors, engine, /*shuffle=*/false);
    EXPECT_TRUE(chain.map.isIdentity()) << "seed " << testSeed() << ", chain "
                                        << n << ": " << toString(chain.map);
    EXPECT_LT(chain.took, 1000) << n;
  }
}

// If factors change their positions, the digits of one step overlap those of
// the next, and not everything cancels. But the time does not grow, and the
// chain means the identity.
TEST(Rank, ChainsOfReshapesThatDoNotNest) {
  std::mt19937_64 engine(testSeed());
  for (int n = 0; n < 50; ++n) {
    SCOPED_TRACE("seed " + std::to_string(testSeed()) + ", chain " +
                 std::to_string(n));
    Chain chain(kFactors, engine, /*shuffle=*/true);
    EXPECT_LT(chain.took, 1000);
    for (int k = 0; k < 20; ++k) {
      Shape point;
      for (int64_t f : kFactors)
        point.push_back(engine() % f);
      for (size_t i = 0; i < point.size(); ++i)
        ASSERT_EQ(evaluate(chain.arena, chain.map.results[i], chain.map.domain,
                           point),
                  point[i]);
    }
  }
}

// Twice the dimensions must not take many times the work.
TEST(Rank, TimeGrowsSlowlyWithTheRank) {
  auto timeOf = [](size_t rank) {
    Shape from, to;
    for (size_t i = 0; i < rank; ++i) {
      from.push_back(i % 2 ? 3 : 2);
      to.push_back(i % 2 ? 2 : 3);
    }
    double best = 1e9;
    for (int i = 0; i < 5; ++i)
      best = std::min(best, milliseconds([&] { useAll(from, to); }));
    return best;
  };
  double four = timeOf(8), sixteen = timeOf(16);
  EXPECT_LT(sixteen, 30 * four)
      << four << " ms for 8, " << sixteen << " ms for 16";
}

} // namespace
} // namespace mercator::indexing
