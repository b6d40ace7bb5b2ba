// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules on quotients and remainders.
//
// The idea for a constant divisor c: split the numerator into multiples of c,
// which leave the division; a part so small that it never carries, which is
// dropped; and a rest, divided by the common factor of the rest and c. Interval
// analysis of each part decides whether it carries. The rules are our own; the
// special case without a dropped part is in most compilers.

#include "mercator/indexing/simplify/Simplifier.h"

namespace mercator::indexing {

/// Sorts the terms by the gcd of their coefficient with c, greatest first, and
/// takes the first cut whose rest stays within one window of size g.
Simplifier::Drop Simplifier::findDrop(llvm::ArrayRef<Term> terms,
                                      int64_t constant, int64_t c) {
  Drop drop;
  struct Shared {
    int64_t gcd;
    Term term;
  };
  llvm::SmallVector<Shared, 8> order;
  for (const Term &t : terms) {
    if (t.coefficient == Interval::kMin)
      return drop;
    order.push_back({std::gcd(t.coefficient, c), t});
  }
  // Terms with equal gcd keep their order.
  llvm::sort(order, [](const Shared &a, const Shared &b) {
    return a.gcd != b.gcd ? a.gcd > b.gcd : a.term.expr < b.term.expr;
  });
  int64_t g = c;
  for (size_t i = 0; i < order.size();) {
    // Terms with equal gcd are taken together: they only reduce the rest.
    int64_t shared = order[i].gcd;
    for (; i < order.size() && order[i].gcd == shared; ++i)
      g = std::gcd(g, order[i].gcd);
    if (g == 1)
      return drop;
    while (i < order.size() && order[i].gcd % g == 0)
      ++i;
    llvm::SmallVector<Term, 8> rest;
    for (size_t j = i; j < order.size(); ++j)
      rest.push_back(order[j].term);
    llvm::sort(rest,
               [](const Term &a, const Term &b) { return a.expr < b.expr; });
    Interval r = bounds.interval(rest, constant);
    if (!r.isBounded() || r.isEmpty() ||
        floorDivPositive(r.lower, g) != floorDivPositive(r.upper, g))
      continue;
    drop.g = g;
    drop.carry = floorDivPositive(r.lower, g);
    drop.dropped = std::move(rest);
    for (size_t j = 0; j < i; ++j)
      drop.kept.push_back({order[j].term.expr, order[j].term.coefficient / g});
    return drop;
  }
  return drop;
}

namespace {
/// The number of multiples of c to subtract from the constant, so that the
/// least value of terms + constant lies in [0, c). If the terms have no least
/// value, the constant itself moves into [0, c). `terms` is the interval of the
/// terms alone: if its lower bound depended on the constant, two forms could
/// rewrite into each other.
int64_t windowShift(Interval terms, int64_t constant, int64_t c) {
  // A constant that is a multiple of c is removed, even if the least value is
  // then negative: x mod 5 is shorter than (x + 5) mod 5.
  if (constant % c == 0)
    return constant / c;
  int64_t least;
  if (!terms.hasLower() ||
      __builtin_add_overflow(modPositive(terms.lower, c),
                             modPositive(constant, c), &least))
    return floorDivPositive(constant, c);
  // The new constant is congruent to the old one and in [-lower, -lower + c).
  int64_t wanted, taken;
  if (__builtin_sub_overflow(modPositive(least, c), terms.lower, &wanted) ||
      __builtin_sub_overflow(constant, wanted, &taken))
    return floorDivPositive(constant, c);
  return taken / c;
}
} // namespace

Expr Simplifier::quotient(Expr n, int64_t c) {
  if (c == 1)
    return n;
  if (arena.isConstant(n))
    return arena.floorDiv(n, c);
  LinearCopy s = arena.linearCopy(n);
  LinearCopy out{{}, 0};
  llvm::SmallVector<Term, 8> rest;
  for (const Term &t : s.terms) {
    if (t.coefficient % c == 0)
      out.terms.push_back({t.expr, t.coefficient / c});
    else
      rest.push_back(t);
  }
  bool pulled = !out.terms.empty();
  auto finish = [&](Rule rule, Expr remaining) {
    out.terms.push_back({remaining, 1});
    return noteDivision(rule, true, n, c, arena.sum(out.terms, out.constant));
  };
  Interval terms = bounds.interval(rest, 0);
  Interval r = terms + Interval::point(s.constant);
  if (r.isEmpty())
    return arena.constant(0);
  if (r.isBounded() &&
      floorDivPositive(r.lower, c) == floorDivPositive(r.upper, c))
    return finish(Rule::QuotientWindow,
                  arena.constant(floorDivPositive(r.lower, c)));
  int64_t shift = windowShift(terms, s.constant, c), taken;
  bool shifted = shift != 0 && !__builtin_mul_overflow(shift, c, &taken) &&
                 !__builtin_sub_overflow(s.constant, taken, &taken);
  if (shifted) {
    s.constant = taken;
    out.constant = shift;
  }
  if (Drop drop = findDrop(rest, s.constant, c); drop.g > 1)
    return finish(Rule::QuotientDropPart,
                  quotient(arena.sum(drop.kept, drop.carry), c / drop.g));

  // (x / a + y) / c, if there is exactly one inner quotient.
  size_t inner = rest.size();
  unsigned count = 0;
  for (size_t i = 0; i < rest.size(); ++i)
    if (arena.kind(rest[i].expr) == ExprKind::Quotient &&
        arena.divisor(rest[i].expr) > 0 && rest[i].coefficient == 1) {
      inner = i;
      ++count;
    }
  if (count == 1) {
    Expr q = rest[inner].expr;
    int64_t a = arena.divisor(q), product;
    if (!__builtin_mul_overflow(a, c, &product)) {
      llvm::SmallVector<Term, 8> others(rest);
      others.erase(others.begin() + inner);
      Expr y = arena.scale(arena.sum(others, s.constant), a);
      Expr flat = simplify(arena.add(arena.lhs(q), y));
      if (arena.kind(flat) != ExprKind::Wide)
        return finish(Rule::QuotientNested, quotient(flat, product));
    }
  }
  // (x mod c*m) / c.
  if (rest.size() == 1 && s.constant == 0 && rest[0].coefficient == 1 &&
      arena.kind(rest[0].expr) == ExprKind::Remainder &&
      arena.divisor(rest[0].expr) > 0 && arena.divisor(rest[0].expr) % c == 0) {
    Expr x = arena.lhs(rest[0].expr);
    int64_t m = arena.divisor(rest[0].expr) / c;
    return finish(Rule::QuotientOfRemainder,
                  arena.mod(arena.floorDiv(x, c), m));
  }
  Expr q = arena.floorDiv(arena.sum(rest, s.constant), c);
  if (!pulled && !shifted)
    return q;
  return finish(pulled ? Rule::QuotientMultiples : Rule::QuotientConstant, q);
}

Expr Simplifier::remainder(Expr n, int64_t c) {
  if (c == 1)
    return arena.constant(0);
  if (arena.isConstant(n))
    return arena.mod(n, c);
  // An inner remainder by a multiple of c does not change the result.
  for (bool again = true; again;) {
    again = false;
    LinearCopy s = arena.linearCopy(n);
    for (size_t i = 0; i < s.terms.size(); ++i) {
      Term t = s.terms[i];
      int64_t scaled;
      if (arena.kind(t.expr) != ExprKind::Remainder ||
          arena.divisor(t.expr) == 0 ||
          __builtin_mul_overflow(t.coefficient, arena.divisor(t.expr),
                                 &scaled) ||
          scaled % c != 0 || t.coefficient % c == 0)
        continue;
      s.terms[i].expr = arena.lhs(t.expr);
      Expr next = arena.sum(s.terms, s.constant);
      if (arena.kind(next) == ExprKind::Wide)
        continue;
      if (trace)
        note(Rule::RemainderNested, arena.mod(n, c), arena.mod(next, c));
      n = simplify(next);
      again = true;
      break;
    }
    if (arena.isConstant(n))
      return arena.mod(n, c);
  }
  LinearCopy s = arena.linearCopy(n);
  llvm::SmallVector<Term, 8> rest;
  for (const Term &t : s.terms)
    if (t.coefficient % c != 0)
      rest.push_back(t);
  bool dropped = rest.size() != s.terms.size();
  Interval terms = bounds.interval(rest, 0);
  Interval r = terms + Interval::point(s.constant);
  if (r.isEmpty())
    return arena.constant(0);
  if (auto known = bounds.residue(rest, s.constant).modulo(c))
    return noteDivision(Rule::RemainderResidue, false, n, c,
                        arena.constant(*known));
  int64_t shift = windowShift(terms, s.constant, c), taken;
  bool shifted = shift != 0 && !__builtin_mul_overflow(shift, c, &taken) &&
                 !__builtin_sub_overflow(s.constant, taken, &taken);
  // x - k*c where every value lies in [k*c, k*c + c).
  auto inWindow = [&](llvm::ArrayRef<Term> terms, Interval i) -> Expr {
    if (!i.isBounded())
      return Expr();
    int64_t k = floorDivPositive(i.lower, c), base;
    if (k != floorDivPositive(i.upper, c) ||
        __builtin_mul_overflow(k, c, &base) ||
        __builtin_sub_overflow(s.constant, base, &base))
      return Expr();
    return arena.sum(terms, base);
  };
  if (Expr x = inWindow(rest, r))
    return noteDivision(Rule::RemainderWindow, false, n, c, x);
  if (shifted)
    s.constant = taken;
  // Coefficients matter only modulo c. With the least ones the numerator may
  // fit one window.
  llvm::SmallVector<Term, 8> least(rest);
  for (Term &t : least) {
    t.coefficient = modPositive(t.coefficient, c);
    if (t.coefficient > c / 2)
      t.coefficient -= c;
  }
  if (least != rest)
    if (Expr x = inWindow(least, bounds.interval(least, s.constant)))
      return noteDivision(Rule::RemainderWindow, false, n, c, x);
  if (Drop drop = findDrop(rest, s.constant, c); drop.g > 1) {
    Expr high = remainder(arena.sum(drop.kept, drop.carry), c / drop.g);
    drop.dropped.push_back({high, drop.g});
    // No overflow: |carry * g| <= |constant| + rest.
    int64_t base;
    if (!__builtin_mul_overflow(drop.carry, drop.g, &base) &&
        !__builtin_sub_overflow(s.constant, base, &base))
      return noteDivision(Rule::RemainderSplit, false, n, c,
                          arena.sum(drop.dropped, base));
  }
  Expr m = arena.mod(arena.sum(rest, s.constant), c);
  if (!dropped && !shifted)
    return m;
  return noteDivision(dropped ? Rule::RemainderMultiples
                              : Rule::RemainderConstant,
                      false, n, c, m);
}

//===----------------------------------------------------------------------===//
// Divisors that are not constants
//===----------------------------------------------------------------------===//

Simplifier::MultiplesOf Simplifier::splitBy(const LinearCopy &s, Expr y) {
  MultiplesOf r;
  for (const Term &t : s.terms) {
    if (t.expr == y) {
      r.quotients.push_back({arena.constant(1), t.coefficient});
      continue;
    }
    Expr cofactor;
    if (arena.kind(t.expr) == ExprKind::Product) {
      llvm::SmallVector<Term, 4> factors(arena.factors(t.expr));
      for (Term &f : factors)
        if (f.expr == y) {
          --f.coefficient;
          cofactor = arena.constant(1);
          for (const Term &g : factors)
            for (int64_t n = 0; n < g.coefficient; ++n)
              cofactor = arena.mul(cofactor, g.expr);
          break;
        }
    }
    if (cofactor)
      r.quotients.push_back({cofactor, t.coefficient});
    else
      r.rest.push_back(t);
  }
  return r;
}

Expr Simplifier::symbolicQuotient(Expr n, Expr y) {
  Interval d = bounds.interval(y), x = bounds.interval(n);
  if (d.lower > 0 && x.lower >= 0 && x.upper < d.lower)
    return note(Rule::QuotientWindow, arena.floorDiv(n, y), arena.constant(0));
  if (!d.contains(0)) {
    LinearCopy s = arena.linearCopy(n);
    MultiplesOf split = splitBy(s, y);
    if (!split.quotients.empty()) {
      Expr rest = arena.sum(split.rest, s.constant);
      split.quotients.push_back(
          {arena.isConstant(rest, 0) ? rest : arena.floorDiv(rest, y), 1});
      return note(Rule::QuotientSymbolic, arena.floorDiv(n, y),
                  arena.sum(split.quotients, 0));
    }
  }
  return arena.floorDiv(n, y);
}

Expr Simplifier::symbolicRemainder(Expr n, Expr y) {
  Interval d = bounds.interval(y), x = bounds.interval(n);
  if (d.lower > 0 && x.lower >= 0 && x.upper < d.lower)
    return note(Rule::RemainderWindow, arena.mod(n, y), n);
  if (!d.contains(0)) {
    LinearCopy s = arena.linearCopy(n);
    MultiplesOf split = splitBy(s, y);
    if (!split.quotients.empty()) {
      Expr rest = arena.sum(split.rest, s.constant);
      return note(Rule::RemainderSymbolic, arena.mod(n, y),
                  arena.isConstant(rest, 0) ? rest : arena.mod(rest, y));
    }
  }
  return arena.mod(n, y);
}

Expr Simplifier::stepQuotient(Expr e) {
  Expr n = simplify(arena.lhs(e)), d = simplify(arena.rhs(e));
  if (arena.isConstant(d) && arena.constantValue(d) > 0)
    return quotient(n, arena.constantValue(d));
  return arena.isConstant(d) ? arena.floorDiv(n, d) : symbolicQuotient(n, d);
}

Expr Simplifier::stepRemainder(Expr e) {
  Expr n = simplify(arena.lhs(e)), d = simplify(arena.rhs(e));
  if (arena.isConstant(d) && arena.constantValue(d) > 0)
    return remainder(n, arena.constantValue(d));
  return arena.isConstant(d) ? arena.mod(n, d) : symbolicRemainder(n, d);
}

} // namespace mercator::indexing
