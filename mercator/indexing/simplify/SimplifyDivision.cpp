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
//
// The function tryNAME implements the rule NAME of Rules.def. quotientRules and
// remainderRules list the rules in the order in which they are tried.

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

/// Moves multiples of c out of the constant; see windowShift. False if there is
/// nothing to move.
bool Simplifier::moveConstant(Division &d) {
  int64_t shift = windowShift(d.terms, d.constant, d.c), taken;
  if (shift == 0 || __builtin_mul_overflow(shift, d.c, &taken) ||
      __builtin_sub_overflow(d.constant, taken, &taken))
    return false;
  d.constant = taken;
  d.shift = shift;
  return true;
}

//===----------------------------------------------------------------------===//
// Quotients by a constant
//===----------------------------------------------------------------------===//

const Simplifier::DivisionRule Simplifier::quotientRules[] = {
    {Rule::QuotientWindow, &Simplifier::tryQuotientWindow},
    {Rule::QuotientConstant, &Simplifier::tryQuotientConstant},
    {Rule::QuotientDropPart, &Simplifier::tryQuotientDropPart},
    {Rule::QuotientNested, &Simplifier::tryQuotientNested},
    {Rule::QuotientOfRemainder, &Simplifier::tryQuotientOfRemainder},
};

Expr Simplifier::quotient(Expr n, int64_t c) {
  if (c == 1)
    return n;
  if (arena.isConstant(n))
    return arena.floorDiv(n, c);
  Division d{.n = n, .c = c};
  tryQuotientMultiples(d);
  if (d.values().isEmpty())
    return arena.constant(0);
  // No other rule applies to a variable.
  if (arena.kind(n) == ExprKind::Variable) {
    Expr q = tryQuotientWindow(d);
    return q ? noteDivision(Rule::QuotientWindow, true, n, c, q)
             : arena.floorDiv(n, c);
  }
  auto finish = [&](Rule rule, Expr q) {
    d.pulled.push_back({q, 1});
    return noteDivision(rule, true, n, c, arena.sum(d.pulled, d.shift));
  };
  for (const DivisionRule &r : quotientRules)
    if (Expr q = (this->*r.apply)(d))
      return finish(r.rule, q);
  Expr q = arena.floorDiv(arena.sum(d.rest, d.constant), c);
  return d.changedBy ? finish(*d.changedBy, q) : q;
}

/// (c*x + y) / c => x + y / c
void Simplifier::tryQuotientMultiples(Division &d) {
  Linear sum = arena.linear(d.n);
  for (const Term &t : sum.terms) {
    if (t.coefficient % d.c == 0)
      d.pulled.push_back({t.expr, t.coefficient / d.c});
    else
      d.rest.push_back(t);
  }
  d.constant = sum.constant;
  d.terms = bounds.interval(d.rest, 0);
  if (!d.pulled.empty())
    d.changedBy = Rule::QuotientMultiples;
}

/// x / c => k, if x is in [k*c, k*c + c - 1]
Expr Simplifier::tryQuotientWindow(Division &d) {
  Interval x = d.values();
  if (!x.isBounded())
    return Expr();
  int64_t k = floorDivPositive(x.lower, d.c);
  return k == floorDivPositive(x.upper, d.c) ? arena.constant(k) : Expr();
}

/// (x + k) / c => (x + k - c*m) / c + m
Expr Simplifier::tryQuotientConstant(Division &d) {
  if (moveConstant(d) && !d.changedBy)
    d.changedBy = Rule::QuotientConstant;
  return Expr();
}

/// (g*x + y) / (g*c) => (x + k) / c, if y is in [g*k, g*k + g - 1]
Expr Simplifier::tryQuotientDropPart(Division &d) {
  Drop drop = findDrop(d.rest, d.constant, d.c);
  return drop.g > 1 ? quotient(arena.sum(drop.kept, drop.carry), d.c / drop.g)
                    : Expr();
}

/// (x / a + y) / c => (x + a*y) / (a*c), if there is only one such x / a
Expr Simplifier::tryQuotientNested(Division &d) {
  auto isQuotient = [&](const Term &t) {
    return arena.kind(t.expr) == ExprKind::Quotient &&
           arena.divisor(t.expr) > 0 && t.coefficient == 1;
  };
  if (llvm::count_if(d.rest, isQuotient) != 1)
    return Expr();
  const Term *inner = llvm::find_if(d.rest, isQuotient);
  Expr q = inner->expr;
  int64_t a = arena.divisor(q), product;
  if (__builtin_mul_overflow(a, d.c, &product))
    return Expr();
  llvm::SmallVector<Term, 8> others(d.rest);
  others.erase(others.begin() + (inner - d.rest.begin()));
  Expr y = arena.scale(arena.sum(others, d.constant), a);
  Expr flat = simplify(arena.add(arena.lhs(q), y));
  return arena.kind(flat) != ExprKind::Wide ? quotient(flat, product) : Expr();
}

/// (x mod c*m) / c => (x / c) mod m
Expr Simplifier::tryQuotientOfRemainder(Division &d) {
  if (d.rest.size() != 1 || d.constant != 0 || d.rest[0].coefficient != 1)
    return Expr();
  Expr inner = d.rest[0].expr;
  if (arena.kind(inner) != ExprKind::Remainder || arena.divisor(inner) <= 0 ||
      arena.divisor(inner) % d.c != 0)
    return Expr();
  int64_t m = arena.divisor(inner) / d.c;
  return arena.mod(arena.floorDiv(arena.lhs(inner), d.c), m);
}

//===----------------------------------------------------------------------===//
// Remainders by a constant
//===----------------------------------------------------------------------===//

const Simplifier::DivisionRule Simplifier::remainderRules[] = {
    {Rule::RemainderResidue, &Simplifier::tryRemainderResidue},
    {Rule::RemainderWindow, &Simplifier::tryRemainderWindow},
    {Rule::RemainderConstant, &Simplifier::tryRemainderConstant},
    {Rule::RemainderWindow, &Simplifier::tryRemainderWindowOfLeast},
    {Rule::RemainderSplit, &Simplifier::tryRemainderSplit},
};

Expr Simplifier::remainder(Expr n, int64_t c) {
  if (c == 1)
    return arena.constant(0);
  if (arena.isConstant(n))
    return arena.mod(n, c);
  bool isVariable = arena.kind(n) == ExprKind::Variable;
  while (Expr next = isVariable ? Expr() : tryRemainderNested(n, c)) {
    if (arena.isConstant(next))
      return arena.mod(next, c);
    n = next;
  }
  Division d{.n = n, .c = c};
  tryRemainderMultiples(d);
  if (d.values().isEmpty())
    return arena.constant(0);
  llvm::ArrayRef<DivisionRule> rules(remainderRules);
  if (isVariable)
    rules = rules.take_front(2); // no other rule applies to a variable
  for (const DivisionRule &r : rules)
    if (Expr m = (this->*r.apply)(d))
      return noteDivision(r.rule, false, n, c, m);
  Expr m = arena.mod(arena.sum(d.rest, d.constant), c);
  return d.changedBy ? noteDivision(*d.changedBy, false, n, c, m) : m;
}

/// (a*(x mod m) + y) mod c => (a*x + y) mod c, if a*m is a multiple of c
Expr Simplifier::tryRemainderNested(Expr n, int64_t c) {
  LinearCopy s = arena.linearCopy(n);
  for (Term &t : s.terms) {
    int64_t scaled;
    if (arena.kind(t.expr) != ExprKind::Remainder ||
        arena.divisor(t.expr) == 0 ||
        __builtin_mul_overflow(t.coefficient, arena.divisor(t.expr), &scaled) ||
        scaled % c != 0 || t.coefficient % c == 0)
      continue;
    t.expr = arena.lhs(t.expr);
    Expr next = arena.sum(s.terms, s.constant);
    if (arena.kind(next) == ExprKind::Wide)
      continue;
    if (trace)
      note(Rule::RemainderNested, arena.mod(n, c), arena.mod(next, c));
    return simplify(next);
  }
  return Expr();
}

/// (c*x + y) mod c => y mod c
void Simplifier::tryRemainderMultiples(Division &d) {
  Linear sum = arena.linear(d.n);
  for (const Term &t : sum.terms)
    if (t.coefficient % d.c != 0)
      d.rest.push_back(t);
  if (d.rest.size() != sum.terms.size())
    d.changedBy = Rule::RemainderMultiples;
  d.constant = sum.constant;
  d.terms = bounds.interval(d.rest, 0);
}

/// x mod c => k, if x is known to be k modulo c
Expr Simplifier::tryRemainderResidue(Division &d) {
  std::optional<int64_t> k = bounds.residue(d.rest, d.constant).modulo(d.c);
  return k ? arena.constant(*k) : Expr();
}

Expr Simplifier::windowOf(const Division &d, llvm::ArrayRef<Term> terms,
                          Interval values) {
  if (!values.isBounded())
    return Expr();
  int64_t k = floorDivPositive(values.lower, d.c), base;
  if (k != floorDivPositive(values.upper, d.c) ||
      __builtin_mul_overflow(k, d.c, &base) ||
      __builtin_sub_overflow(d.constant, base, &base))
    return Expr();
  return arena.sum(terms, base);
}

/// x mod c => x - k*c, if x is in [k*c, k*c + c - 1]
Expr Simplifier::tryRemainderWindow(Division &d) {
  return windowOf(d, d.rest, d.values());
}

/// (x + k) mod c => (x + k - c*m) mod c
Expr Simplifier::tryRemainderConstant(Division &d) {
  if (moveConstant(d) && !d.changedBy)
    d.changedBy = Rule::RemainderConstant;
  return Expr();
}

/// The rule RemainderWindow with the least coefficients: they matter only modulo
/// c, and with the least ones the operand may fit one window.
Expr Simplifier::tryRemainderWindowOfLeast(Division &d) {
  llvm::SmallVector<Term, 8> least(d.rest);
  for (Term &t : least) {
    t.coefficient = modPositive(t.coefficient, d.c);
    if (t.coefficient > d.c / 2)
      t.coefficient -= d.c;
  }
  return least != d.rest
             ? windowOf(d, least, bounds.interval(least, d.constant))
             : Expr();
}

/// (g*x + y) mod (g*c) => g*((x + k) mod c) + y - g*k, if y is in
/// [g*k, g*k + g - 1]
Expr Simplifier::tryRemainderSplit(Division &d) {
  Drop drop = findDrop(d.rest, d.constant, d.c);
  if (drop.g == 1)
    return Expr();
  Expr high = remainder(arena.sum(drop.kept, drop.carry), d.c / drop.g);
  drop.dropped.push_back({high, drop.g});
  // No overflow: |carry * g| <= |constant| + rest.
  int64_t base;
  if (__builtin_mul_overflow(drop.carry, drop.g, &base) ||
      __builtin_sub_overflow(d.constant, base, &base))
    return Expr();
  return arena.sum(drop.dropped, base);
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
  if (Expr q = tryQuotientWindow(n, y))
    return note(Rule::QuotientWindow, arena.floorDiv(n, y), q);
  if (Expr q = tryQuotientSymbolic(n, y))
    return note(Rule::QuotientSymbolic, arena.floorDiv(n, y), q);
  return arena.floorDiv(n, y);
}

Expr Simplifier::symbolicRemainder(Expr n, Expr y) {
  if (Expr m = tryRemainderWindow(n, y))
    return note(Rule::RemainderWindow, arena.mod(n, y), m);
  if (Expr m = tryRemainderSymbolic(n, y))
    return note(Rule::RemainderSymbolic, arena.mod(n, y), m);
  return arena.mod(n, y);
}

/// x / y => 0, if x is in [0, y - 1]
Expr Simplifier::tryQuotientWindow(Expr n, Expr y) {
  return tryRemainderWindow(n, y) ? arena.constant(0) : Expr();
}

/// x mod y => x, if x is in [0, y - 1]
Expr Simplifier::tryRemainderWindow(Expr n, Expr y) {
  Interval d = bounds.interval(y), x = bounds.interval(n);
  return d.lower > 0 && x.lower >= 0 && x.upper < d.lower ? n : Expr();
}

/// (x*y + z) / y => x + z / y, if y is never 0
Expr Simplifier::tryQuotientSymbolic(Expr n, Expr y) {
  if (bounds.interval(y).contains(0))
    return Expr();
  LinearCopy s = arena.linearCopy(n);
  MultiplesOf split = splitBy(s, y);
  if (split.quotients.empty())
    return Expr();
  Expr z = arena.sum(split.rest, s.constant);
  split.quotients.push_back(
      {arena.isConstant(z, 0) ? z : arena.floorDiv(z, y), 1});
  return arena.sum(split.quotients, 0);
}

/// (x*y + z) mod y => z mod y, if y is never 0
Expr Simplifier::tryRemainderSymbolic(Expr n, Expr y) {
  if (bounds.interval(y).contains(0))
    return Expr();
  LinearCopy s = arena.linearCopy(n);
  MultiplesOf split = splitBy(s, y);
  if (split.quotients.empty())
    return Expr();
  Expr z = arena.sum(split.rest, s.constant);
  return arena.isConstant(z, 0) ? z : arena.mod(z, y);
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
