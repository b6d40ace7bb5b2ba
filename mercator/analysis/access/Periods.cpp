// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/access/Periods.h"

#include <numeric>

using namespace mercator;
using namespace mercator::access;
using namespace mercator::indexing;

using Wide = __int128;
static constexpr Wide kMostStep = Wide(1) << 48;

static Wide gcdOf(Wide a, Wide b) {
  for (a = a < 0 ? -a : a; b != 0;)
    std::swap(a %= b, b);
  return a;
}

/// None if it does not fit.
static std::optional<Growth> fraction(Wide numerator, Wide denominator) {
  Wide common = gcdOf(numerator, denominator);
  if (common > 1)
    numerator /= common, denominator /= common;
  if (numerator > kMostStep || numerator < -kMostStep ||
      denominator > kMostStep)
    return std::nullopt;
  return Growth{int64_t(numerator), int64_t(denominator)};
}

bool Period::require(Growth g, int64_t modulus) {
  if (g.numerator == 0)
    return true;
  // step * numerator is a multiple of denominator * modulus.
  Wide whole = Wide(g.denominator) * modulus;
  Wide needed = whole / gcdOf(g.numerator, whole);
  Wide joint = needed / gcdOf(needed, step) * step;
  if (joint > kMostStep)
    return false;
  step = int64_t(joint);
  return true;
}

bool Period::add(Arena &arena, Expr e, Var v, int64_t modulus) {
  Period tried = *this;
  std::optional<Growth> g = tried.growth(arena, e, v);
  if (!g || !tried.require(*g, modulus))
    return false;
  *this = tried;
  return true;
}

std::optional<Growth> Period::growth(Arena &arena, Expr e, Var v) {
  Period tried = *this;
  std::optional<Growth> g = tried.walk(arena, e, v);
  if (g)
    *this = tried;
  return g;
}

std::optional<Growth> Period::walk(Arena &arena, Expr e, Var v) {
  if (!arena.uses(e, v))
    return Growth{};
  switch (arena.kind(e)) {
  case ExprKind::Variable:
    return Growth{1, 1};
  case ExprKind::Sum: {
    std::optional<Growth> sum = Growth{};
    for (Term t : arena.linearCopy(e).terms) {
      std::optional<Growth> g = walk(arena, t.expr, v);
      if (!g)
        return std::nullopt;
      sum = fraction(Wide(sum->numerator) * g->denominator +
                         Wide(t.coefficient) * g->numerator * sum->denominator,
                     Wide(sum->denominator) * g->denominator);
      if (!sum)
        return std::nullopt;
    }
    return sum;
  }
  case ExprKind::Quotient:
  case ExprKind::Remainder:
  case ExprKind::CeilDiv: {
    int64_t divisor = arena.divisor(e); // 0 if it is no positive constant
    if (divisor == 0)
      return std::nullopt;
    std::optional<Growth> g = walk(arena, arena.lhs(e), v);
    if (!g || !require(*g, divisor))
      return std::nullopt;
    if (arena.kind(e) == ExprKind::Remainder)
      return Growth{};
    return fraction(g->numerator, Wide(g->denominator) * divisor);
  }
  case ExprKind::Min:
  case ExprKind::Max: {
    std::optional<Growth> a = walk(arena, arena.lhs(e), v),
                          b = walk(arena, arena.rhs(e), v);
    return a && b && *a == *b ? a : std::nullopt;
  }
  case ExprKind::Constant:
  case ExprKind::Product:
  case ExprKind::Wide:
    return std::nullopt;
  }
  return std::nullopt;
}
