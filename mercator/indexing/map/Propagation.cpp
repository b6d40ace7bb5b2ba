// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Propagation of constraints to the bounds of variables.
//
// The idea is the constraint propagation of interval constraint programming
// (HC4-revise: F. Benhamou, F. Goualard, L. Granvilliers and J.-F. Puget,
// "Revising hull and box consistency", 1999), on integers. One constraint is
// revised in two walks over its expression: upwards, `interval` computes the
// interval of each operand; downwards, `impose` intersects the interval of a
// node with the values that its parent allows, until it reaches variables.
// Congruences of single variables are solved first and round the bounds
// inwards. Rounds over all constraints repeat until a fixed point or the limit.

#include "mercator/indexing/map/Propagation.h"
#include "mercator/indexing/expr/Analyses.h"

namespace mercator::indexing {

namespace {
class Propagator {
public:
  Propagator(Arena &arena, Bounds::Data &data) : arena(arena), data(data) {}

  void run() {
    for (Interval i : data.given)
      data.knownEmpty |= i.isEmpty();
    data.tightened = data.given;
    data.residues.assign(data.given.size(), Residue::everything());
    if (data.knownEmpty || data.constraints.empty())
      return;
    for (const Constraint &c : data.constraints)
      learnResidue(c);
    for (size_t i = 0; i < data.given.size(); ++i)
      clip(i);
    llvm::SmallVector<Interval, 12> beforeRounds = data.tightened;
    // The domains of tensor operations need two or three rounds.
    constexpr unsigned kMaxRounds = 12;
    changed = true;
    for (unsigned round = 0; changed && !data.knownEmpty; ++round) {
      if (round == kMaxRounds) {
        data.tightened = beforeRounds;
        return;
      }
      changed = false;
      for (const Constraint &c : data.constraints) {
        visits = 0;
        impose(c.expr, c.bounds, 0);
        if (interval(c.expr, 0).intersect(c.bounds).isEmpty())
          data.knownEmpty = true;
        if (data.knownEmpty)
          return;
      }
    }
  }

private:
  static constexpr unsigned kMaxDepth = 24, kMaxVisits = 512;

  /// Solves a * v + k = r (mod m) for a single variable v.
  void learnResidue(const Constraint &c) {
    int64_t m, r;
    Linear x;
    if (arena.kind(c.expr) == ExprKind::Remainder &&
        arena.divisor(c.expr) > 0 && c.bounds.isPoint()) {
      m = arena.divisor(c.expr);
      r = c.bounds.lower;
      if (r < 0 || r >= m) {
        data.knownEmpty = true;
        return;
      }
      x = arena.linear(arena.lhs(c.expr));
    } else {
      return;
    }
    if (x.terms.size() != 1 ||
        arena.kind(x.terms[0].expr) != ExprKind::Variable)
      return;
    uint32_t slot = data.slot(arena.var(x.terms[0].expr));
    if (slot == ~0u)
      return;
    auto solved = solveCongruence(x.terms[0].coefficient,
                                  r - modPositive(x.constant, m), m);
    auto both = solved ? data.residues[slot].intersect(*solved) : std::nullopt;
    if (!both)
      data.knownEmpty = true;
    else
      data.residues[slot] = *both;
  }

  void clip(size_t slot) {
    data.tightened[slot] = data.residues[slot].clip(data.tightened[slot]);
    data.knownEmpty |= data.tightened[slot].isEmpty();
  }

  /// The interval of e under the current bounds. Nothing is memoized, since the
  /// bounds change; a budget limits the time for expressions with sharing.
  Interval interval(Expr e, unsigned depth) {
    if (arena.isConstant(e))
      return Interval::point(arena.constantValue(e));
    if (depth > kMaxDepth || ++visits > kMaxVisits)
      return Interval::everything();
    switch (arena.kind(e)) {
    case ExprKind::Variable: {
      uint32_t slot = data.slot(arena.var(e));
      return slot == ~0u ? Interval::everything() : data.tightened[slot];
    }
    case ExprKind::Sum: {
      Linear l = arena.linear(e);
      Interval r = Interval::point(l.constant);
      for (const Term &t : l.terms)
        r = r + interval(t.expr, depth + 1) * t.coefficient;
      return r;
    }
    case ExprKind::Quotient:
      if (int64_t d = arena.divisor(e))
        return interval(arena.lhs(e), depth + 1).floorDiv(d);
      break;
    case ExprKind::CeilDiv:
      if (int64_t d = arena.divisor(e))
        return -((-interval(arena.lhs(e), depth + 1)).floorDiv(d));
      break;
    case ExprKind::Remainder:
      if (int64_t d = arena.divisor(e)) {
        Interval x = interval(arena.lhs(e), depth + 1);
        if (x.isBounded() &&
            floorDivPositive(x.lower, d) == floorDivPositive(x.upper, d))
          return {modPositive(x.lower, d), modPositive(x.upper, d)};
        return {0, d - 1};
      }
      break;
    case ExprKind::Min:
      return interval(arena.lhs(e), depth + 1)
          .min(interval(arena.rhs(e), depth + 1));
    case ExprKind::Max:
      return interval(arena.lhs(e), depth + 1)
          .max(interval(arena.rhs(e), depth + 1));
    default:
      break;
    }
    return Interval::everything();
  }

  /// Narrows the variables of e such that `e in bounds` still holds.
  void impose(Expr e, Interval bounds, unsigned depth) {
    if (data.knownEmpty || depth > kMaxDepth || ++visits > kMaxVisits)
      return;
    if (!bounds.hasLower() && !bounds.hasUpper())
      return;
    switch (arena.kind(e)) {
    case ExprKind::Constant:
      data.knownEmpty |= !bounds.contains(arena.constantValue(e));
      return;
    case ExprKind::Variable: {
      uint32_t slot = data.slot(arena.var(e));
      if (slot == ~0u)
        return;
      Interval narrowed = data.tightened[slot].intersect(bounds);
      narrowed = data.residues[slot].clip(narrowed);
      if (narrowed == data.tightened[slot])
        return;
      data.tightened[slot] = narrowed;
      data.knownEmpty |= narrowed.isEmpty();
      changed = true;
      return;
    }
    case ExprKind::Sum:
      return imposeSum(e, bounds, depth);
    case ExprKind::Quotient:
      if (int64_t d = arena.divisor(e))
        impose(arena.lhs(e), numeratorOf(bounds, d), depth + 1);
      return;
    case ExprKind::CeilDiv:
      // ceil(x / d) = floor((x + d - 1) / d).
      if (int64_t d = arena.divisor(e))
        impose(arena.lhs(e), numeratorOf(bounds, d) - Interval::point(d - 1),
               depth + 1);
      return;
    case ExprKind::Remainder:
      if (int64_t d = arena.divisor(e)) {
        Interval x = interval(arena.lhs(e), depth + 1);
        if (!x.isBounded())
          return;
        int64_t k = floorDivPositive(x.lower, d);
        if (k == floorDivPositive(x.upper, d))
          impose(arena.lhs(e),
                 bounds.intersect({0, d - 1}) + Interval::point(k) * d,
                 depth + 1);
      }
      return;
    case ExprKind::Min:
      return imposeMin(e, bounds, depth);
    case ExprKind::Max:
      return imposeMax(e, bounds, depth);
    default:
      return;
    }
  }

  /// The x with floor(x / d) in bounds.
  static Interval numeratorOf(Interval bounds, int64_t d) {
    if (bounds.isEmpty())
      return Interval::empty();
    Interval lowest = Interval{bounds.lower, Interval::kMax} * d;
    Interval highest =
        Interval{Interval::kMin, bounds.upper} * d + Interval::point(d - 1);
    return {lowest.lower, highest.upper};
  }

  void imposeSum(Expr e, Interval bounds, unsigned depth) {
    Linear l = arena.linear(e);
    llvm::SmallVector<Interval, 8> parts;
    // A term is bounded by the sum minus all other terms, which prefix and
    // suffix sums give in linear time. If one term is unbounded, only that term
    // gets a bound; if two are, none does.
    for (const Term &t : l.terms)
      parts.push_back(interval(t.expr, depth + 1) * t.coefficient);
    llvm::SmallVector<Term, 8> terms(l.terms);
    bounds = bounds - Interval::point(l.constant);
    llvm::SmallVector<Interval, 8> suffix(parts.size() + 1, Interval::point(0));
    for (size_t i = parts.size(); i-- > 0;)
      suffix[i] = suffix[i + 1] + parts[i];
    Interval prefix = Interval::point(0);
    for (size_t i = 0; i < terms.size(); ++i) {
      Interval scaled = bounds - (prefix + suffix[i + 1]);
      prefix = prefix + parts[i];
      int64_t k = terms[i].coefficient;
      if (k == Interval::kMin)
        continue;
      if (k < 0)
        scaled = -scaled, k = -k;
      Interval term{scaled.hasLower() ? ceilDivPositive(scaled.lower, k)
                                      : Interval::kMin,
                    scaled.hasUpper() ? floorDivPositive(scaled.upper, k)
                                      : Interval::kMax};
      if (scaled.isEmpty() || term.isEmpty()) {
        data.knownEmpty = true;
        return;
      }
      impose(terms[i].expr, term, depth + 1);
    }
  }

  void imposeMin(Expr e, Interval bounds, unsigned depth) {
    Expr a = arena.lhs(e), b = arena.rhs(e);
    Interval atLeast{bounds.lower, Interval::kMax};
    impose(a, atLeast, depth + 1);
    impose(b, atLeast, depth + 1);
    // The upper bound holds for one of the operands. If the other one is known
    // to lie above the bound, it is this one.
    Interval atMost{Interval::kMin, bounds.upper};
    if (bounds.hasUpper() && interval(a, depth + 1).lower > bounds.upper)
      impose(b, atMost, depth + 1);
    if (bounds.hasUpper() && interval(b, depth + 1).lower > bounds.upper)
      impose(a, atMost, depth + 1);
  }

  void imposeMax(Expr e, Interval bounds, unsigned depth) {
    Expr a = arena.lhs(e), b = arena.rhs(e);
    Interval atMost{Interval::kMin, bounds.upper};
    impose(a, atMost, depth + 1);
    impose(b, atMost, depth + 1);
    Interval atLeast{bounds.lower, Interval::kMax};
    if (bounds.hasLower() && interval(a, depth + 1).upper < bounds.lower)
      impose(b, atLeast, depth + 1);
    if (bounds.hasLower() && interval(b, depth + 1).upper < bounds.lower)
      impose(a, atLeast, depth + 1);
  }

  Arena &arena;
  Bounds::Data &data;
  bool changed = false;
  unsigned visits = 0;
};
} // namespace

void propagate(Arena &arena, Bounds::Data &data) {
  Propagator(arena, data).run();
}

} // namespace mercator::indexing
