// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk of the simplifier over expressions, and the rules on operators that
// are neither sums nor divisions.
//
// The idea: term rewriting to a normal form, operands before operators, with
// side conditions decided by interval analysis and congruences (Domain.h). The
// well-founded order of Simplify.h makes it terminate. Deep expressions are
// walked with an explicit order instead of recursion.

#include "mercator/indexing/map/Analyses.h"
#include "mercator/indexing/simplify/Simplifier.h"

namespace mercator::indexing {

namespace {
constexpr RuleInfo kRules[] = {
#define RULE(name, rewrite, condition) {#name, rewrite, condition},
#include "mercator/indexing/simplify/Rules.def"
};
} // namespace

const RuleInfo &ruleInfo(Rule rule) { return kRules[static_cast<int>(rule)]; }
llvm::ArrayRef<RuleInfo> allRules() { return kRules; }

Expr Simplifier::stepProduct(Expr e) {
  llvm::SmallVector<Term, 4> factors(arena.factors(e));
  bool changed = false;
  for (Term &t : factors) {
    Expr simpler = simplify(t.expr);
    changed |= simpler != t.expr;
    t.expr = simpler;
  }
  if (!changed)
    return e;
  Expr r = arena.constant(1);
  for (const Term &t : factors) {
    // A power of a constant may overflow; then the product does not change.
    if (t.coefficient > 64)
      return e;
    for (int64_t i = 0; i < t.coefficient; ++i)
      r = arena.mul(r, t.expr);
  }
  return r;
}

Expr Simplifier::stepMinMax(Expr e) {
  bool isMin = arena.kind(e) == ExprKind::Min;
  Expr a = simplify(arena.lhs(e)), b = simplify(arena.rhs(e));
  if (a == b)
    return a;
  Expr difference = arena.sub(a, b);
  Interval d = bounds.interval(difference);
  if (d.hasUpper() && d.upper <= 0)
    return note(Rule::MinMaxDecided, e, isMin ? a : b);
  if (d.hasLower() && d.lower >= 0)
    return note(Rule::MinMaxDecided, e, isMin ? b : a);
  for (auto [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    ExprKind k = arena.kind(y);
    if ((k != ExprKind::Min && k != ExprKind::Max) ||
        (arena.lhs(y) != x && arena.rhs(y) != x))
      continue;
    // min(x, min(x, z)) = min(x, z) and min(x, max(x, z)) = x.
    bool same = (k == ExprKind::Min) == isMin;
    return note(Rule::MinMaxAbsorbed, e, same ? y : x);
  }
  return isMin ? arena.min(a, b) : arena.max(a, b);
}

Expr Simplifier::step(Expr e) {
  switch (arena.kind(e)) {
  case ExprKind::Constant:
    return e;
  case ExprKind::Variable:
    break;
  case ExprKind::Sum:
    e = stepSum(e);
    break;
  case ExprKind::Product:
    e = stepProduct(e);
    break;
  case ExprKind::Quotient:
    e = stepQuotient(e);
    break;
  case ExprKind::Remainder:
    e = stepRemainder(e);
    break;
  case ExprKind::CeilDiv: {
    Expr n = simplify(arena.lhs(e)), d = simplify(arena.rhs(e));
    Expr next;
    if (arena.isConstant(d) && arena.constantValue(d) > 0) {
      int64_t c = arena.constantValue(d);
      next = arena.floorDiv(arena.add(n, c - 1), c);
      note(Rule::CeilDivToQuotient, e, next);
    } else {
      next = arena.ceilDiv(n, d);
    }
    e = next;
    break;
  }
  case ExprKind::Min:
  case ExprKind::Max:
    e = stepMinMax(e);
    break;
  case ExprKind::Wide: {
    Expr a = simplify(arena.lhs(e)), b = simplify(arena.rhs(e));
    e = arena.wideIsSum(e) ? arena.add(a, b) : arena.mul(a, b);
    break;
  }
  }
  // Without folding of point variables, sums of them are not folded either.
  if (arena.isConstant(e) || (!foldPoints && arena.kind(e) == ExprKind::Sum))
    return e;
  if (Interval i = bounds.interval(e); i.isPoint())
    return note(Rule::PointValue, e, arena.constant(i.lower));
  return e;
}

Expr Simplifier::simplify(Expr e) {
  // Most leaves stay as they are, and need no memo.
  if (arena.isConstant(e) || (arena.kind(e) == ExprKind::Variable &&
                              !(foldPoints && bounds.interval(e).isPoint())))
    return e;
  Analyses &state = analysesOf(arena);
  // Results with and without folding of point variables have different keys.
  uint32_t key = bounds.epoch() * 2 + foldPoints;
  auto lookup = [&](Expr x) -> Expr {
    auto &m = state.memo(arena, x);
    return m.simplifyEpoch == key ? m.simplified : Expr();
  };
  auto remember = [&](Expr x, Expr result) {
    auto &m = state.memo(arena, x);
    m.simplifyEpoch = key;
    m.simplified = result;
  };
  if (Expr known = lookup(e))
    return known;
  // Rules decrease in a well-founded order (Simplify.h). This limit is a
  // safeguard against two rules that undo each other.
  constexpr unsigned kMaxDepth = 3 * kDeep;
  if (bounds.isKnownEmpty() || depth > kMaxDepth)
    return e;
  ++depth;
  if (arena.height(e) > kDeep && !walking) {
    walking = true;
    arena.forEachPostOrder(e, [&](Expr x) {
      if (x != e && !lookup(x))
        (void)simplify(x);
    });
    walking = false;
  }
  constexpr unsigned kMaxHops = 32;
  Expr current = e;
  for (unsigned i = 0; i < kMaxHops; ++i) {
    Expr next = step(current);
    if (next == current)
      break;
    current = next;
    if (Expr known = lookup(current)) {
      current = known;
      break;
    }
  }
  --depth;
  remember(current, current);
  remember(e, current);
  return current;
}

Expr simplify(Arena &arena, Expr e, const Domain &domain) {
  return Simplifier(arena, domain).simplify(e);
}

} // namespace mercator::indexing
