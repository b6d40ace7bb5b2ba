// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/indexing/evaluate/CompiledExprs.h"
#include "mercator/indexing/evaluate/PointWalk.h"

#include "tests/indexing/MapText.h"

#include <functional>

using namespace mercator::indexing;

namespace {

constexpr int64_t kMax = Interval::kMax, kMin = Interval::kMin;

/// The value of an expression over (d0, d1) at a point, by all four
/// evaluators, which must agree.
std::optional<int64_t> valueAt(Arena &arena, Expr e, int64_t d0, int64_t d1) {
  Domain domain;
  (void)domain.addDim(arena, {});
  (void)domain.addDim(arena, {});
  int64_t point[] = {d0, d1}, one = 0, many = 0;
  std::optional<int64_t> value = evaluate(arena, e, domain, point);
  CompiledExprs program(arena, domain, e);
  EXPECT_EQ(program.evaluate(point, one), value.has_value());
  const int64_t *inputs[] = {&d0, &d1};
  int64_t *outputs[] = {&many};
  uint8_t defined = 7;
  bool all = program.evaluate(1, inputs, outputs, &defined);
  EXPECT_EQ(all, value.has_value());
  EXPECT_EQ(defined, all ? 7 : 0);
  if (value) {
    EXPECT_EQ(one, *value);
    EXPECT_EQ(many, *value);
  }
  // The ends of int64 mean "no bound" to a walk.
  if (std::min(d0, d1) == kMin || std::max(d0, d1) == kMax)
    return value;
  System here = System::of(domain);
  here.bounds = {Interval::point(d0), Interval::point(d1)};
  std::optional<int64_t> walked;
  Budget budget{.steps = 100};
  PointWalk::End end = PointWalk(arena, here, e)
                           .run(budget, [&](auto, llvm::ArrayRef<int64_t> out) {
                             walked = out[0];
                             return true;
                           });
  EXPECT_EQ(end, value ? PointWalk::End::Complete : PointWalk::End::Undefined);
  EXPECT_EQ(walked, value);
  return value;
}

std::optional<int64_t> valueAt(llvm::StringRef text, int64_t d0, int64_t d1) {
  Arena arena;
  Domain domain;
  (void)domain.addDim(arena, {});
  (void)domain.addDim(arena, {});
  return valueAt(arena, exprOf(arena, text, domain), d0, d1);
}

TEST(Evaluate, RoundsDown) {
  EXPECT_EQ(valueAt("d0 / 3", 7, 0), 2);
  EXPECT_EQ(valueAt("d0 / 3", -7, 0), -3);
  EXPECT_EQ(valueAt("d0 / d1", 7, -3), -3);
  EXPECT_EQ(valueAt("d0 / d1", -7, -3), 2);
  EXPECT_EQ(valueAt("d0 mod 3", -7, 0), 2);
  EXPECT_EQ(valueAt("d0 mod d1", 7, -3), -2);
  EXPECT_EQ(valueAt("d0 mod d1", -7, -3), -1);
  EXPECT_EQ(valueAt("d0 ceildiv 3", 7, 0), 3);
  EXPECT_EQ(valueAt("d0 ceildiv 3", -7, 0), -2);
  EXPECT_EQ(valueAt("d0 ceildiv d1", 7, -3), -2);
  EXPECT_EQ(valueAt("min(d0, d1) + max(d0, d1) * 100", 3, 4), 403);
  EXPECT_EQ(valueAt("d0 * d0 * d1 - 5", 3, -4), -41);
}

TEST(Evaluate, DividingByZeroHasNoValue) {
  EXPECT_EQ(valueAt("d0 / d1", 5, 0), std::nullopt);
  EXPECT_EQ(valueAt("d0 mod d1", 0, 0), std::nullopt);
  EXPECT_EQ(valueAt("d0 ceildiv d1", 1, 0), std::nullopt);
  EXPECT_EQ(valueAt("min(3, d0 mod d1)", 1, 0), std::nullopt);
}

TEST(Evaluate, LeavingInt64HasNoValue) {
  EXPECT_EQ(valueAt("d0 + d1", kMax, 1), std::nullopt);
  EXPECT_EQ(valueAt("d0 + d1", kMax, -1), kMax - 1);
  EXPECT_EQ(valueAt("d0 * 4", kMax / 4, 0), kMax - 3);
  EXPECT_EQ(valueAt("d0 * 4", kMax / 4 + 1, 0), std::nullopt);
  // A sum may leave int64 on the way.
  EXPECT_EQ(valueAt("d0 * 4 - d1 * 3", kMax, kMax), kMax);
  EXPECT_EQ(valueAt("d0 * d1", kMin, -1), std::nullopt);
  EXPECT_EQ(valueAt("d0 * d1", kMin, 1), kMin);
  // A factor 0 makes the product 0, however large the others are.
  EXPECT_EQ(valueAt("d0 * d0 * d0 * d1", kMax, 0), 0);
  EXPECT_EQ(valueAt("d0 * d1 * d1 * d1", 0, kMax - 1), 0);
  EXPECT_EQ(valueAt("d0 * d0 * d0 * d1", kMax - 1, 0), 0);
  EXPECT_EQ(valueAt("d0 * d0 * d1", kMax - 1, 1), std::nullopt);
  EXPECT_EQ(valueAt("d0 * d0 * d1 * d1", -1, kMin), std::nullopt);
  EXPECT_EQ(valueAt("d0 * d0 * d1", -1, kMin), kMin);
  EXPECT_EQ(valueAt("d0 / d1", kMin, -1), std::nullopt);
  EXPECT_EQ(valueAt("d0 ceildiv d1", kMin, -1), std::nullopt);
  EXPECT_EQ(valueAt("d0 mod d1", kMin, -1), 0);
  EXPECT_EQ(valueAt("-d0", kMin, 0), std::nullopt);
  // The smallest int64 is a product of large magnitudes.
  EXPECT_EQ(valueAt("d0 * d1 * d1", 1ll << 61, -2), std::nullopt);
  EXPECT_EQ(valueAt("d0 * d1", 1ll << 62, -2), kMin);
}

/// An operation, and its value by school arithmetic.
struct Operation {
  const char *name;
  std::function<Expr(Arena &, Expr, Expr)> make;
  std::function<std::optional<__int128>(__int128, __int128)> value;
};

__int128 floorOf(__int128 a, __int128 b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

const Operation kOperations[] = {
    {"a + b", [](Arena &arena, Expr a, Expr b) { return arena.add(a, b); },
     [](__int128 a, __int128 b) { return a + b; }},
    {"a - b", [](Arena &arena, Expr a, Expr b) { return arena.sub(a, b); },
     [](__int128 a, __int128 b) { return a - b; }},
    {"a * b", [](Arena &arena, Expr a, Expr b) { return arena.mul(a, b); },
     [](__int128 a, __int128 b) { return a * b; }},
    {"a floordiv b",
     [](Arena &arena, Expr a, Expr b) { return arena.floorDiv(a, b); },
     [](__int128 a, __int128 b) {
       return b ? std::optional(floorOf(a, b)) : std::nullopt;
     }},
    {"a mod b", [](Arena &arena, Expr a, Expr b) { return arena.mod(a, b); },
     [](__int128 a, __int128 b) {
       return b ? std::optional(a - b * floorOf(a, b)) : std::nullopt;
     }},
    {"a ceildiv b",
     [](Arena &arena, Expr a, Expr b) { return arena.ceilDiv(a, b); },
     [](__int128 a, __int128 b) {
       return b ? std::optional(-floorOf(-a, b)) : std::nullopt;
     }},
    {"min(a, b)", [](Arena &arena, Expr a, Expr b) { return arena.min(a, b); },
     [](__int128 a, __int128 b) { return std::min(a, b); }},
    {"max(a, b)", [](Arena &arena, Expr a, Expr b) { return arena.max(a, b); },
     [](__int128 a, __int128 b) { return std::max(a, b); }},
};

const int64_t kEdges[] = {
    kMin, kMin + 1, -(1ll << 32), -3,        -2,        -1,       0,   1, 2,
    3,    7,        64,           1ll << 31, 1ll << 62, kMax - 1, kMax};

/// All evaluators agree with school arithmetic at the ends of int64, and so
/// does what the arena folds.
TEST(Evaluate, EveryOperationAtTheEdges) {
  for (const Operation &operation : kOperations)
    for (int64_t a : kEdges)
      for (int64_t b : kEdges) {
        SCOPED_TRACE(std::string(operation.name) + " at " + std::to_string(a) +
                     ", " + std::to_string(b));
        std::optional<__int128> exact = operation.value(a, b);
        std::optional<int64_t> expected;
        if (exact && *exact >= kMin && *exact <= kMax)
          expected = static_cast<int64_t>(*exact);
        Arena arena;
        Expr variables = operation.make(arena, arena.dim(0), arena.dim(1));
        EXPECT_EQ(valueAt(arena, variables, a, b), expected);
        Expr constants =
            operation.make(arena, arena.constant(a), arena.constant(b));
        std::optional<int64_t> folded = valueAt(arena, constants, 0, 0);
        // A Wide has no value where a part of it leaves int64: a - kMin.
        if (arena.kind(constants) == ExprKind::Wide && !folded)
          continue;
        EXPECT_EQ(arena.isConstant(constants), expected.has_value());
        EXPECT_EQ(folded, expected);
      }
}

/// Sums and products that do not fit a normal form are kept as they are
/// written.
TEST(Evaluate, WideNodesAtTheEdges) {
  for (int64_t a : kEdges)
    for (int64_t b : kEdges) {
      Arena arena;
      Expr d0 = arena.dim(0), d1 = arena.dim(1);
      // d0 * kMax + d0 * kMax, and (d0 * 2^62) * 4: wide by their coefficients.
      Expr sum = arena.add(arena.scale(d0, kMax), arena.scale(d0, kMax));
      ASSERT_EQ(arena.kind(sum), ExprKind::Wide);
      Expr product = arena.scale(arena.scale(d1, 1ll << 62), 4);
      ASSERT_EQ(arena.kind(product), ExprKind::Wide);
      std::optional<int64_t> part, twice;
      if (__int128 x = (__int128)a * kMax; x >= kMin && x <= kMax)
        if (x *= 2; x >= kMin && x <= kMax)
          part = static_cast<int64_t>(x);
      if (__int128 x = (__int128)b << 62; x >= kMin && x <= kMax)
        if (x *= 4; x >= kMin && x <= kMax)
          twice = static_cast<int64_t>(x);
      EXPECT_EQ(valueAt(arena, sum, a, b), part) << a;
      EXPECT_EQ(valueAt(arena, product, a, b), twice) << b;
    }
}

} // namespace
