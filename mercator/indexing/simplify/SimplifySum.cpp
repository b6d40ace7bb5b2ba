// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules on sums: the quotients and remainders of one number, spread over a sum,
// are merged again.
//
// The idea: a term with a quotient or a remainder names the other terms that
// would complete a rule of Rules.def. Equal expressions have equal handles and
// terms are sorted, so finding them is a merge of sorted lists.

#include "mercator/indexing/simplify/Simplifier.h"

namespace mercator::indexing {

namespace {
/// True if the sorted terms `whole` contain k times each term of `part`. With
/// `orMore`, larger multiples of the same sign count too.
bool containsMultiple(llvm::ArrayRef<Term> whole, llvm::ArrayRef<Term> part,
                      int64_t k, bool orMore = false) {
  size_t i = 0;
  for (const Term &p : part) {
    int64_t wanted;
    if (__builtin_mul_overflow(p.coefficient, k, &wanted))
      return false;
    while (i < whole.size() && whole[i].expr < p.expr)
      ++i;
    if (i == whole.size() || whole[i].expr != p.expr)
      return false;
    int64_t have = whole[i].coefficient;
    bool further = wanted > 0 ? have > wanted : have < wanted;
    if (have != wanted && !(orMore && further))
      return false;
  }
  return !part.empty();
}

/// Appends k * part without sorting; false on overflow.
bool addMultiple(LinearCopy &s, const Linear &part, int64_t k) {
  int64_t c;
  if (__builtin_mul_overflow(part.constant, k, &c) ||
      __builtin_add_overflow(s.constant, c, &s.constant))
    return false;
  for (const Term &t : part.terms) {
    if (__builtin_mul_overflow(t.coefficient, k, &c))
      return false;
    s.terms.push_back({t.expr, c});
  }
  return true;
}

bool isConstantDivision(const Arena &arena, Expr e, ExprKind kind) {
  return arena.kind(e) == kind && arena.divisor(e) > 0;
}
} // namespace

/// Sorts and merges the terms; false on overflow.
bool Simplifier::normalize(LinearCopy &s) {
  llvm::sort(s.terms,
             [](const Term &a, const Term &b) { return a.expr < b.expr; });
  size_t out = 0;
  for (size_t i = 0; i < s.terms.size();) {
    Term t = s.terms[i++];
    while (i < s.terms.size() && s.terms[i].expr == t.expr)
      if (__builtin_add_overflow(t.coefficient, s.terms[i++].coefficient,
                                 &t.coefficient))
        return false;
    if (t.coefficient != 0)
      s.terms[out++] = t;
  }
  s.terms.truncate(out);
  return true;
}

/// a*c*(x / c) + a*(x mod c) => a*x, with x / c in normal form.
bool Simplifier::mergePair(LinearCopy &s, size_t i) {
  Term t = s.terms[i];
  int64_t c = arena.divisor(t.expr), scaled;
  if (__builtin_mul_overflow(t.coefficient, c, &scaled))
    return false;
  Expr q = simplify(arena.pair(t.expr));
  LinearCopy lq = arena.linearCopy(q);
  if (!containsMultiple(s.terms, lq.terms, scaled))
    return false;
  LinearCopy next = s;
  Expr x = arena.lhs(t.expr);
  int64_t minusScaled, minusCoefficient;
  if (__builtin_sub_overflow(int64_t(0), scaled, &minusScaled) ||
      __builtin_sub_overflow(int64_t(0), t.coefficient, &minusCoefficient) ||
      !addMultiple(next, {lq.terms, lq.constant}, minusScaled) ||
      !addMultiple(next, arena.linear(x), t.coefficient))
    return false;
  next.terms.push_back({t.expr, minusCoefficient});
  if (!normalize(next))
    return false;
  if (trace)
    note(Rule::SumOfPair, arena.sum(s.terms, s.constant),
         arena.sum(next.terms, next.constant));
  s = std::move(next);
  return true;
}

/// a*c*((x / c) mod m) + a*(x mod c) => a*(x mod c*m).
bool Simplifier::mergeDigits(LinearCopy &s, size_t i) {
  Term low = s.terms[i];
  int64_t c = arena.divisor(low.expr), scaled;
  if (__builtin_mul_overflow(low.coefficient, c, &scaled))
    return false;
  for (size_t j = 0; j < s.terms.size(); ++j) {
    Term high = s.terms[j];
    int64_t modulus;
    if (j == i || high.coefficient != scaled ||
        !isConstantDivision(arena, high.expr, ExprKind::Remainder) ||
        __builtin_mul_overflow(c, arena.divisor(high.expr), &modulus))
      continue;
    // The high digit is the normal form of (x / c) mod m.
    Expr q = simplify(arena.pair(low.expr));
    if (simplify(arena.mod(q, arena.divisor(high.expr))) != high.expr)
      continue;
    Expr merged = arena.mod(arena.lhs(low.expr), modulus);
    LinearCopy next = s;
    next.terms[i] = {merged, low.coefficient};
    next.terms.erase(next.terms.begin() + j);
    if (!normalize(next))
      return false;
    if (trace)
      note(Rule::SumOfDigits, arena.sum(s.terms, s.constant),
           arena.sum(next.terms, next.constant));
    s = std::move(next);
    return true;
  }
  return false;
}

/// a*x - a*c*(x / c) => a*(x mod c); and the same if x is a sum with a quotient
/// whose divisor divides c.
bool Simplifier::mergeToRemainder(LinearCopy &s, size_t i) {
  Term t = s.terms[i];
  int64_t c = arena.divisor(t.expr);
  if (t.coefficient == Interval::kMin)
    return false;
  auto replace = [&](Expr n, int64_t m, Rule rule) {
    // a * n - a * m * (n / m) with a = -t.coefficient / m.
    if (t.coefficient % m != 0)
      return false;
    int64_t a = -t.coefficient / m;
    LinearCopy ln = arena.linearCopy(n);
    if (!containsMultiple(s.terms, ln.terms, a, /*orMore=*/true))
      return false;
    LinearCopy next = s;
    next.terms.erase(next.terms.begin() + i);
    if (!addMultiple(next, {ln.terms, ln.constant}, -a))
      return false;
    Expr r = arena.mod(n, m);
    if (!addMultiple(next, arena.linear(r), a) || !normalize(next))
      return false;
    if (trace)
      note(rule, arena.sum(s.terms, s.constant),
           arena.sum(next.terms, next.constant));
    s = std::move(next);
    return true;
  };
  Expr x = arena.lhs(t.expr);
  if (replace(x, c, Rule::SumToRemainder))
    return true;
  for (size_t j = 0; j < s.terms.size(); ++j) {
    Expr other = s.terms[j].expr;
    if (j == i || !isConstantDivision(arena, other, ExprKind::Quotient))
      continue;
    int64_t b = arena.divisor(other);
    // The other quotient must have the coefficient that the remainder gets.
    if (c % b != 0 || c == b || t.coefficient % (c / b) != 0 ||
        s.terms[j].coefficient != -(t.coefficient / (c / b)))
      continue;
    // x = b * y + x' makes x / c = (y + x' / b) / (c / b).
    LinearCopy difference = arena.linearCopy(arena.sub(x, arena.lhs(other)));
    if (difference.constant % b != 0 ||
        llvm::any_of(difference.terms,
                     [&](const Term &d) { return d.coefficient % b != 0; }))
      continue;
    for (Term &d : difference.terms)
      d.coefficient /= b;
    difference.terms.push_back({other, 1});
    Expr n = arena.sum(difference.terms, difference.constant / b);
    if (replace(n, c / b, Rule::SumOfQuotients))
      return true;
  }
  return false;
}

/// a*c*(x / c)*y + a*(x mod c)*y => a*x*y.
bool Simplifier::mergeProductPair(LinearCopy &s, size_t i) {
  Term t = s.terms[i];
  llvm::SmallVector<Term, 4> factors(arena.factors(t.expr));
  for (size_t f = 0; f < factors.size(); ++f) {
    Expr r = factors[f].expr;
    if (factors[f].coefficient != 1 ||
        !isConstantDivision(arena, r, ExprKind::Remainder))
      continue;
    Expr rest = arena.constant(1);
    for (size_t g = 0; g < factors.size(); ++g)
      if (g != f)
        for (int64_t n = 0; n < factors[g].coefficient; ++n)
          rest = arena.mul(rest, factors[g].expr);
    int64_t scaled;
    if (__builtin_mul_overflow(t.coefficient, arena.divisor(r), &scaled))
      continue;
    Expr q = arena.mul(simplify(arena.pair(r)), rest);
    LinearCopy lq = arena.linearCopy(q);
    if (scaled == Interval::kMin || lq.constant != 0 ||
        !containsMultiple(s.terms, lq.terms, scaled))
      continue;
    LinearCopy next = s;
    next.terms.erase(next.terms.begin() + i);
    Expr x = arena.mul(arena.lhs(r), rest);
    if (!addMultiple(next, {lq.terms, 0}, -scaled) ||
        !addMultiple(next, arena.linear(x), t.coefficient) || !normalize(next))
      return false;
    if (trace)
      note(Rule::SumOfPair, arena.sum(s.terms, s.constant),
           arena.sum(next.terms, next.constant));
    s = std::move(next);
    return true;
  }
  return false;
}

/// x*z - y*z => k*z if x - y has the single value k.
bool Simplifier::mergeCommonFactor(LinearCopy &s, size_t i) {
  llvm::SmallVector<Term, 4> factors(arena.factors(s.terms[i].expr));
  for (const Term &f : factors) {
    MultiplesOf split = splitBy(s, f.expr);
    if (split.quotients.size() < 2)
      continue;
    Interval k = bounds.interval(arena.sum(split.quotients, 0));
    if (!k.isPoint())
      continue;
    LinearCopy next{{split.rest.begin(), split.rest.end()}, s.constant};
    if (!addMultiple(next, arena.linear(f.expr), k.lower) || !normalize(next))
      return false;
    if (trace)
      note(Rule::SumOfProducts, arena.sum(s.terms, s.constant),
           arena.sum(next.terms, next.constant));
    s = std::move(next);
    return true;
  }
  return false;
}

/// The x of x*x; none for another expression.
static Expr rootOf(const Arena &arena, Expr e) {
  if (arena.kind(e) != ExprKind::Product)
    return {};
  llvm::ArrayRef<Term> factors = arena.factors(e);
  bool isSquare = factors.size() == 1 && factors.front().coefficient == 2;
  return isSquare ? factors.front().expr : Expr();
}

/// a*x*x - a*y*y => a*k*(x + y) if x - y has the single value k, and
/// a*k*(x - y) if x + y has it.
bool Simplifier::mergeSquares(LinearCopy &s, size_t i) {
  Term t = s.terms[i];
  Expr x = rootOf(arena, t.expr);
  if (!x || t.coefficient == Interval::kMin)
    return false;
  for (size_t j = 0; j < s.terms.size(); ++j) {
    Expr y = rootOf(arena, s.terms[j].expr);
    if (!y || s.terms[j].coefficient != -t.coefficient)
      continue;
    Expr sum = arena.add(x, y), difference = arena.sub(x, y);
    Interval k = bounds.interval(difference);
    Expr other = sum;
    if (!k.isPoint()) {
      k = bounds.interval(sum);
      other = difference;
    }
    int64_t scaled;
    if (!k.isPoint() || __builtin_mul_overflow(t.coefficient, k.lower, &scaled))
      continue;
    LinearCopy next = s;
    next.terms.erase(next.terms.begin() + std::max(i, j));
    next.terms.erase(next.terms.begin() + std::min(i, j));
    if (!addMultiple(next, arena.linear(other), scaled) || !normalize(next))
      return false;
    if (trace)
      note(Rule::SumOfSquares, arena.sum(s.terms, s.constant),
           arena.sum(next.terms, next.constant));
    s = std::move(next);
    return true;
  }
  return false;
}

/// a*min(x, y) + a*max(x, y) => a*x + a*y.
bool Simplifier::mergeMinMax(LinearCopy &s, size_t i) {
  Term low = s.terms[i];
  Expr x = arena.lhs(low.expr), y = arena.rhs(low.expr);
  for (size_t j = 0; j < s.terms.size(); ++j) {
    Term high = s.terms[j];
    if (arena.kind(high.expr) != ExprKind::Max ||
        high.coefficient != low.coefficient)
      continue;
    Expr u = arena.lhs(high.expr), v = arena.rhs(high.expr);
    if (!(u == x && v == y) && !(u == y && v == x))
      continue;
    LinearCopy next = s;
    next.terms.erase(next.terms.begin() + std::max(i, j));
    next.terms.erase(next.terms.begin() + std::min(i, j));
    if (!addMultiple(next, arena.linear(x), low.coefficient) ||
        !addMultiple(next, arena.linear(y), low.coefficient) ||
        !normalize(next))
      return false;
    if (trace)
      note(Rule::SumOfMinMax, arena.sum(s.terms, s.constant),
           arena.sum(next.terms, next.constant));
    s = std::move(next);
    return true;
  }
  return false;
}

/// a*((x + k0) / c) + ... + a*((x + kn) / c) => a*x + ..., if k0, ..., kn are
/// 0, ..., c-1 modulo c (Hermite's identity); and the same for remainders.
bool Simplifier::mergeClasses(LinearCopy &s, size_t i) {
  Term t = s.terms[i];
  ExprKind kind = arena.kind(t.expr);
  int64_t c = arena.divisor(t.expr);
  if (c > static_cast<int64_t>(s.terms.size()))
    return false;
  LinearCopy x = arena.linearCopy(arena.lhs(t.expr));
  llvm::SmallVector<size_t, 4> members(c, s.terms.size()); // by k modulo c
  int64_t missing = c, whole = 0; // whole: the sum of the k / c
  for (size_t j = 0; j < s.terms.size(); ++j) {
    if (s.terms[j].coefficient != t.coefficient ||
        !isConstantDivision(arena, s.terms[j].expr, kind) ||
        arena.divisor(s.terms[j].expr) != c)
      continue;
    Linear l = arena.linear(arena.lhs(s.terms[j].expr));
    if (l.terms != llvm::ArrayRef<Term>(x.terms))
      continue;
    size_t &member = members[modPositive(l.constant, c)];
    if (member != s.terms.size())
      continue;
    member = j;
    --missing;
    if (__builtin_add_overflow(whole, floorDivPositive(l.constant, c), &whole))
      return false;
  }
  if (missing != 0)
    return false;
  LinearCopy next{{}, s.constant};
  for (size_t j = 0; j < s.terms.size(); ++j)
    if (!llvm::is_contained(members, j))
      next.terms.push_back(s.terms[j]);
  bool isQuotient = kind == ExprKind::Quotient;
  if (!isQuotient)
    x = {{}, c * (c - 1) / 2};
  else
    x.constant = whole;
  if (!addMultiple(next, {x.terms, x.constant}, t.coefficient) ||
      !normalize(next))
    return false;
  if (trace)
    note(isQuotient ? Rule::SumOfQuotientClasses : Rule::SumOfRemainderClasses,
         arena.sum(s.terms, s.constant), arena.sum(next.terms, next.constant));
  s = std::move(next);
  return true;
}

Expr Simplifier::stepSum(Expr e) {
  LinearCopy s = arena.linearCopy(e);
  bool operandsChanged = false;
  for (Term &t : s.terms) {
    Expr simpler = simplify(t.expr);
    operandsChanged |= simpler != t.expr;
    t.expr = simpler;
  }
  if (operandsChanged) {
    e = arena.sum(s.terms, s.constant);
    if (arena.kind(e) != ExprKind::Sum)
      return e;
    s = arena.linearCopy(e);
  }
  bool changed = false;
  for (bool again = true; again;) {
    again = false;
    // All residue classes first: another rule takes one of them, and which one
    // depends on the order of the terms.
    for (size_t i = 0; i < s.terms.size() && !again; ++i)
      if (isConstantDivision(arena, s.terms[i].expr, ExprKind::Remainder) ||
          isConstantDivision(arena, s.terms[i].expr, ExprKind::Quotient))
        again = mergeClasses(s, i);
    for (size_t i = 0; i < s.terms.size() && !again; ++i) {
      Expr t = s.terms[i].expr;
      if (isConstantDivision(arena, t, ExprKind::Remainder))
        again = mergePair(s, i) || mergeDigits(s, i);
      else if (isConstantDivision(arena, t, ExprKind::Quotient))
        again = mergeToRemainder(s, i);
      else if (arena.kind(t) == ExprKind::Min)
        again = mergeMinMax(s, i);
      else if (arena.kind(t) == ExprKind::Product)
        again = mergeProductPair(s, i) || mergeCommonFactor(s, i) ||
                mergeSquares(s, i);
    }
    changed |= again;
  }
  return changed ? arena.sum(s.terms, s.constant) : e;
}

} // namespace mercator::indexing
