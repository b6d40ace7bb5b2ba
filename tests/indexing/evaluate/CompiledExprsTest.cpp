// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/evaluate/CompiledExprs.h"
#include "mercator/indexing/evaluate/Evaluate.h"

#include "tests/Scale.h"
#include "tests/indexing/MapText.h"
#include "tests/indexing/RandomMap.h"

using mercator::cases;
using namespace mercator::indexing;

namespace {

using Point = std::vector<int64_t>;

TEST(CompiledExprs, RunsInColumnsWhereTheBoxProvesIt) {
  Arena arena;
  Map map = mapOf(
      arena,
      "(d0, d1)[s0] -> ((d0 * 22 + d1) / 6, (d0 * 22 + d1) mod 6, s0, 7, s0), domain: d0 in [0, 14], d1 in [0, 21], s0 in [-3, 3]");
  CompiledExprs program(arena, map.domain, map.results);
  EXPECT_TRUE(program.isProven());
  int64_t results[5];
  EXPECT_TRUE(program.evaluate({14, 21, -2}, results));
  EXPECT_EQ(Point(results, results + 5), (Point{54, 5, -2, 7, -2}));
  // Points outside of the box are evaluated too, with checks.
  EXPECT_TRUE(program.evaluate({-1, 0, 99}, results));
  EXPECT_EQ(Point(results, results + 5), (Point{-4, 2, 99, 7, 99}));
  EXPECT_FALSE(program.evaluate({Interval::kMax, 0, 0}, results));

  std::vector<int64_t> d0(1000, 3), d1(1000, 1), s0(1000, 0);
  std::vector<std::vector<int64_t>> out(5, std::vector<int64_t>(1000));
  d0[500] = Interval::kMax;
  d0[900] = -1;
  const int64_t *inputs[] = {d0.data(), d1.data(), s0.data()};
  int64_t *outputs[] = {out[0].data(), out[1].data(), out[2].data(),
                        out[3].data(), out[4].data()};
  std::vector<uint8_t> defined(1000, 7);
  EXPECT_FALSE(program.evaluate(1000, inputs, outputs, defined.data()));
  for (size_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(defined[i], i != 500);
    if (i != 500) {
      ASSERT_EQ(out[0][i], i == 900 ? -4 : 11);
      ASSERT_EQ(out[1][i], i == 900 ? 3 : 1);
    }
  }
}

TEST(CompiledExprs, UnboundedAndDangerousProgramsAreChecked) {
  Arena arena;
  for (const char *text :
       {"(d0) -> (d0 + 1)", "(d0) -> (5 / d0), domain: d0 in [0, 9]",
        "(d0) -> (d0 * d0), domain: d0 in [0, 9223372036854775806]",
        "(d0) -> (d0 ceildiv 9), domain: d0 in [0, 9223372036854775806]"}) {
    Map map = mapOf(arena, text);
    EXPECT_FALSE(CompiledExprs(arena, map.domain, map.results).isProven())
        << text;
  }
  for (const char *text :
       {"(d0) -> (d0)", "(d0) -> (5 / d0), domain: d0 in [1, 9]",
        "(d0) -> (d0 / 9), domain: d0 in [-9223372036854775807, 9]"}) {
    Map map = mapOf(arena, text);
    EXPECT_TRUE(CompiledExprs(arena, map.domain, map.results).isProven())
        << text;
  }
}

TEST(CompiledExprs, NoResultsAndNoInputs) {
  Arena arena;
  Domain none;
  CompiledExprs program(arena, none, {});
  EXPECT_TRUE(program.evaluate({}, {}));
  EXPECT_TRUE(program.evaluate(1000, nullptr, nullptr, nullptr));
  int64_t value;
  EXPECT_TRUE(
      CompiledExprs(arena, none, arena.constant(3)).evaluate({}, value));
  EXPECT_EQ(value, 3);
}

/// Every way to divide by a constant, at the ends of its range.
TEST(CompiledExprs, DividesExactly) {
  RandomMap random(testSeed());
  for (int i = 0; i < cases(3'000); ++i) {
    Arena arena;
    Domain domain;
    int64_t d = random.oneIn(4)   ? int64_t(1) << random.pick(1, 62)
                : random.oneIn(2) ? random.pick(2, 1000)
                                  : random.pick(2, Interval::kMax);
    int64_t width = Interval::kMax >> random.pick(2, 62);
    int64_t lower = random.oneIn(2) ? random.pick(-width, width)
                                    : random.pick(Interval::kMin + 1,
                                                  Interval::kMax - width);
    Interval box{lower, std::min(lower, Interval::kMax - width - 1) + width};
    Expr x = domain.addDim(arena, box);
    Expr exprs[] = {arena.floorDiv(x, d), arena.mod(x, d), arena.ceilDiv(x, d)};
    for (llvm::ArrayRef<Expr> some :
         {llvm::ArrayRef(exprs), llvm::ArrayRef(exprs).take_front(1),
          llvm::ArrayRef(exprs).slice(1, 1)}) {
      CompiledExprs program(arena, domain, some);
      std::vector<int64_t> points;
      for (int64_t near :
           {box.lower, box.upper, d, -d, int64_t(0), 2 * (d / 2)})
        for (int64_t offset = -2; offset <= 2; ++offset) {
          int64_t p;
          if (!__builtin_add_overflow(near, offset, &p) && box.contains(p))
            points.push_back(p);
        }
      for (int j = 0; j < 100; ++j) {
        int64_t p = random.pick(box.lower, box.upper);
        points.push_back(p);
        int64_t multiple;
        if (!__builtin_mul_overflow(floorDivPositive(p, d), d, &multiple) &&
            box.contains(multiple))
          points.push_back(multiple);
      }
      std::vector<std::vector<int64_t>> results(
          some.size(), std::vector<int64_t>(points.size()));
      std::vector<int64_t *> outputs;
      for (auto &column : results)
        outputs.push_back(column.data());
      const int64_t *input = points.data();
      std::vector<uint8_t> defined(points.size(), 1);
      program.evaluate(points.size(), &input, outputs.data(), defined.data());
      for (size_t r = 0; r < some.size(); ++r)
        for (size_t p = 0; p < points.size(); ++p) {
          auto expected = evaluate(arena, some[r], domain, points[p]);
          ASSERT_EQ(expected.has_value(), defined[p] != 0);
          ASSERT_EQ(expected, results[r][p])
              << toString(arena, some[r]) << " at " << points[p] << " in ["
              << box.lower << ", " << box.upper
              << "], MERCATOR_SEED=" << testSeed();
        }
    }
  }
}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

/// Programs against the definition, on random maps.
TEST(ProgramProperty, AgreesWithEvaluation) {
  RandomMap random(testSeed());
  random.maxSize = 7;
  for (int i = 0; i < cases(20'000); ++i) {
    Arena arena;
    random.wild = i % 3 == 0;
    Map map = random.map(arena);
    const Domain &domain = map.domain;
    auto context = [&] {
      return toString(map) + "\nMERCATOR_SEED=" + std::to_string(testSeed());
    };
    CompiledExprs program(arena, domain, map.results);

    // Points of the box, and some beyond it.
    std::vector<Point> points;
    for (int j = 0; j < 12; ++j) {
      Point p;
      domain.forEachVar([&](Var v) {
        Interval b = domain.bounds(v);
        p.push_back(j % 4 == 3        ? random.constant()
                    : random.oneIn(3) ? (random.oneIn(2) ? b.lower : b.upper)
                                      : random.pick(b.lower, b.upper));
      });
      points.push_back(p);
    }
    size_t n = points.size();
    std::vector<std::vector<int64_t>> in(domain.numVars(),
                                         std::vector<int64_t>(n)),
        out(map.numResults(), std::vector<int64_t>(n));
    std::vector<const int64_t *> inputs;
    std::vector<int64_t *> outputs;
    for (size_t v = 0; v < in.size(); ++v) {
      for (size_t p = 0; p < n; ++p)
        in[v][p] = points[p][v];
      inputs.push_back(in[v].data());
    }
    for (auto &column : out)
      outputs.push_back(column.data());
    std::vector<uint8_t> defined(n, 1);
    program.evaluate(n, inputs.data(), outputs.data(), defined.data());

    std::vector<int64_t> single(map.numResults());
    for (size_t p = 0; p < n; ++p) {
      bool all = true;
      for (size_t r = 0; r < map.numResults(); ++r) {
        auto value = evaluate(arena, map.results[r], domain, points[p]);
        all &= value.has_value();
        if (value && defined[p]) {
          ASSERT_EQ(out[r][p], *value) << context();
        }
      }
      ASSERT_EQ(defined[p] != 0, all) << context();
      ASSERT_EQ(program.evaluate(points[p], single), all) << context();
      for (size_t r = 0; all && r < single.size(); ++r)
        ASSERT_EQ(single[r], out[r][p]) << context();
    }
  }
}

} // namespace
