// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interval analysis of expressions on a domain.
//
// The idea. The interval of a node follows from the intervals of its operands,
// bottom-up (interval arithmetic: R. E. Moore, "Interval Analysis", 1966).
// Plain interval arithmetic forgets that two operands depend on one variable.
// Four refinements, each intersected with the plain interval, restore a part of
// it:
//   - The intervals of the variables are those that the constraints imply
//     (Propagation.h).
//   - A sum that contains k times the terms of a constraint has the interval of
//     the constraint, times k, for these terms.
//   - In a sum, x and floor(x / c) are rewritten by x = c * floor(x / c) +
//     (x mod c): the quotient and the remainder vary independently, x and its
//     quotient do not. The rewriting is our own.
//   - The ends are moved inwards to the nearest values of the residue (reduced
//     product of intervals and congruences: P. Granger, 1989).
//
// Complexity. Each distinct node is visited once per domain: results are
// memoized with the epoch of the domain. A sum of n terms compares itself with
// each constraint.

#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/expr/Hash.h"
#include "mercator/indexing/map/Analyses.h"
#include "mercator/indexing/map/Propagation.h"

namespace mercator::indexing {

//===----------------------------------------------------------------------===//
// Interning of domains
//===----------------------------------------------------------------------===//

namespace {
/// Copies the part of the domain that analyses depend on: bounds and
/// constraints, without names and sources.
void fill(IntervalAnalysis::Data &data, const Domain &domain) {
  data.given.clear();
  data.constraints.clear();
  uint64_t h = domain.knownEmpty;
  auto put = [&](Interval i) {
    data.given.push_back(i);
    h = mix(mix(h, i.lower), i.upper);
  };
  for (const Variable &v : domain.dims)
    put(v.bounds);
  for (const Variable &v : domain.ranges)
    put(v.bounds);
  for (const RuntimeVariable &v : domain.runtimes)
    put(v.bounds);
  data.numDims = domain.dims.size();
  data.numRanges = domain.ranges.size();
  data.numRuntimes = domain.runtimes.size();
  h = mix(h, data.numDims * 0x10001ull + data.numRanges);
  for (const Constraint &c : domain.constraints) {
    data.constraints.push_back(c);
    h = mix(mix(mix(h, c.expr.getId()), c.bounds.lower), c.bounds.upper);
  }
  data.knownEmpty = data.givenEmpty = domain.knownEmpty;
  data.hash = h ? h : 1;
}

bool sameInput(const IntervalAnalysis::Data &a,
               const IntervalAnalysis::Data &b) {
  return a.hash == b.hash && a.numDims == b.numDims &&
         a.numRanges == b.numRanges && a.given == b.given &&
         a.constraints == b.constraints && a.givenEmpty == b.givenEmpty;
}

/// The same without a hash, for the domain that was asked about last.
bool isInputOf(const IntervalAnalysis::Data &data, const Domain &domain) {
  if (data.numDims != domain.dims.size() ||
      data.numRanges != domain.ranges.size() ||
      data.numRuntimes != domain.runtimes.size() ||
      data.constraints != domain.constraints ||
      data.givenEmpty != domain.knownEmpty)
    return false;
  const Interval *given = data.given.begin();
  auto same = [&](const auto &v) { return v.bounds == *given++; };
  return llvm::all_of(domain.dims, same) && llvm::all_of(domain.ranges, same) &&
         llvm::all_of(domain.runtimes, same);
}

/// Below this number of domains a linear search is faster than a table.
constexpr size_t kFewDomains = 8;

void insert(Analyses &state, const IntervalAnalysis::Data &d) {
  std::vector<uint32_t> &table = state.domainTable;
  if (state.domains.size() * 2 >= table.size()) {
    table.assign(std::max<size_t>(table.size() * 2, 8 * kFewDomains), 0);
    for (const IntervalAnalysis::Data *other : state.domains)
      if (other != &d)
        insert(state, *other);
  }
  size_t i = d.hash & (table.size() - 1);
  while (table[i])
    i = (i + 1) & (table.size() - 1);
  table[i] = d.epoch;
}

IntervalAnalysis::Data *find(Analyses &state,
                             const IntervalAnalysis::Data &key) {
  if (state.domains.size() < kFewDomains) {
    for (IntervalAnalysis::Data *d : state.domains)
      if (sameInput(*d, key))
        return d;
    return nullptr;
  }
  std::vector<uint32_t> &table = state.domainTable;
  if (table.empty())
    for (const IntervalAnalysis::Data *d : state.domains)
      insert(state, *d);
  for (size_t i = key.hash & (table.size() - 1); table[i];
       i = (i + 1) & (table.size() - 1))
    if (IntervalAnalysis::Data &d = *state.domains[table[i] - 1];
        sameInput(d, key))
      return &d;
  return nullptr;
}
} // namespace

IntervalAnalysis::IntervalAnalysis(Arena &arena, const Domain &domain)
    : theArena(&arena) {
  Analyses &state = analysesOf(arena);
  if (state.last && isInputOf(*state.last, domain)) {
    theData = state.last;
    theEpoch = theData->epoch;
    return;
  }
  Data &key = state.next();
  fill(key, domain);
  theData = find(state, key);
  if (!theData) {
    state.addNext();
    theData = &key;
    if (!state.domainTable.empty())
      insert(state, *theData);
    propagate(arena, *theData);
  }
  state.last = theData;
  theEpoch = theData->epoch;
}

bool IntervalAnalysis::isKnownEmpty() const { return theData->knownEmpty; }

//===----------------------------------------------------------------------===//
// Residues
//===----------------------------------------------------------------------===//

Residue IntervalAnalysis::residue(llvm::ArrayRef<Term> terms,
                                  int64_t constant) {
  Residue r = Residue::constant(constant);
  // From the back: the last term of a linear index tends to have coefficient 1,
  // and then the residue says nothing.
  for (const Term &t : llvm::reverse(terms)) {
    r = r + residue(t.expr) * t.coefficient;
    if (r.isEverything())
      break;
  }
  return r;
}

Residue IntervalAnalysis::residue(Expr e) {
  Arena &a = *theArena;
  Residue r = Residue::everything();
  switch (a.kind(e)) {
  case ExprKind::Constant:
    return Residue::constant(a.constantValue(e));
  case ExprKind::Variable: {
    uint32_t slot = theData->slot(a.var(e));
    return slot == ~0u ? r : theData->residues[slot];
  }
  case ExprKind::Sum:
    if (a.height(e) > kDeep)
      return a.residue(e);
    r = residue(a.linear(e).terms, a.linear(e).constant);
    break;
  case ExprKind::Remainder: {
    if (a.height(e) > kDeep || a.divisor(e) == 0)
      break;
    Residue x = residue(a.lhs(e));
    int64_t g = std::gcd(x.modulus, a.divisor(e));
    if (g > 1)
      r = Residue::of(g, x.remainder);
    break;
  }
  default:
    break;
  }
  // A constraint `e mod m in [r, r]` gives the residue of e itself.
  for (const Constraint &c : theData->constraints)
    if (c.bounds.isPoint() && a.kind(c.expr) == ExprKind::Remainder &&
        a.lhs(c.expr) == e && a.divisor(c.expr) > 0)
      if (auto both =
              r.intersect(Residue::of(a.divisor(c.expr), c.bounds.lower)))
        r = *both;
  return r;
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

namespace {
/// The k such that `whole` contains k times each term of `part`; 0 if no such k
/// exists. Requires: both sorted by handle.
int64_t multipleOfPart(llvm::ArrayRef<Term> whole, llvm::ArrayRef<Term> part) {
  int64_t k = 0;
  size_t i = 0;
  for (const Term &p : part) {
    while (i < whole.size() && whole[i].expr < p.expr)
      ++i;
    if (i == whole.size() || whole[i].expr != p.expr ||
        whole[i].coefficient == Interval::kMin ||
        whole[i].coefficient % p.coefficient != 0)
      return 0;
    int64_t ratio = whole[i].coefficient / p.coefficient;
    if (k != 0 && ratio != k)
      return 0;
    k = ratio;
  }
  return k;
}

bool areVariables(const Arena &arena, llvm::ArrayRef<Term> terms) {
  for (const Term &t : terms)
    if (arena.kind(t.expr) != ExprKind::Variable)
      return false;
  return true;
}

Interval power(Interval base, int64_t exponent) {
  Interval r = Interval::point(1);
  Interval b = base;
  for (int64_t n = exponent; n > 0; n >>= 1) {
    if (n & 1)
      r = r * b;
    b = b * b;
  }
  if (exponent % 2 == 0 && !r.isEmpty())
    r.lower = std::max<int64_t>(r.lower, 0);
  return r;
}
} // namespace

Interval IntervalAnalysis::naiveInterval(llvm::ArrayRef<Term> terms,
                                         int64_t constant) {
  Interval r = Interval::point(constant);
  for (const Term &t : terms)
    r = r + interval(t.expr) * t.coefficient;
  return r;
}

Interval IntervalAnalysis::interval(llvm::ArrayRef<Term> terms,
                                    int64_t constant) {
  Arena &a = *theArena;
  Interval r = naiveInterval(terms, constant);
  if (r.isPoint() || r.isEmpty())
    return r;
  // Constraints on the sum, on a multiple of it, or on a part of it.
  for (const Constraint &c : theData->constraints) {
    Linear l = a.linear(c.expr);
    if (l.terms.size() > terms.size() || l.terms.empty())
      continue;
    int64_t k = multipleOfPart(terms, l.terms);
    if (k == 0)
      continue;
    Interval other = (c.bounds - Interval::point(l.constant)) * k +
                     Interval::point(constant);
    for (const Term &t : terms)
      if (llvm::none_of(l.terms,
                        [&](const Term &p) { return p.expr == t.expr; }))
        other = other + interval(t.expr) * t.coefficient;
    r = r.intersect(other);
  }
  // On a box, the ends of a sum of variables are values of it.
  if (theData->constraints.empty() && areVariables(a, terms))
    return r;
  if (terms.size() < 2)
    return residue(terms, constant).clip(r);
  // b*X + p*(X / c) + q*(X mod c) = (b*c + p)*(X / c) + (b + q)*(X mod c): the
  // quotient and the remainder vary independently, X and its quotient do not.
  for (size_t i = 0; i < terms.size(); ++i) {
    Expr e = terms[i].expr;
    ExprKind kind = a.kind(e);
    if ((kind != ExprKind::Quotient && kind != ExprKind::Remainder) ||
        a.divisor(e) == 0)
      continue;
    llvm::SmallVector<Term, 8> x(a.linear(a.lhs(e)).terms);
    int64_t c = a.divisor(e), b = multipleOfPart(terms, x), bc;
    if (b == 0 || llvm::any_of(x, [&](const Term &t) { return t.expr == e; }) ||
        __builtin_mul_overflow(b, c, &bc))
      continue;
    Expr pair = a.pair(e);
    bool quotient = kind == ExprKind::Quotient;
    Interval iq = interval(quotient ? e : pair),
             ir = interval(quotient ? pair : e);
    int64_t p = 0, q = 0, sum;
    Interval other = Interval::point(constant) -
                     Interval::point(a.linear(a.lhs(e)).constant) * b;
    for (const Term &t : terms) {
      if (t.expr == e || t.expr == pair)
        ((t.expr == e) == quotient ? p : q) = t.coefficient;
      else if (llvm::none_of(x,
                             [&](const Term &u) { return u.expr == t.expr; }))
        other = other + interval(t.expr) * t.coefficient;
    }
    // X has a constant k of its own, and the sum contains only the terms of
    // b*X. So b*k is subtracted above.
    if (__builtin_add_overflow(bc, p, &sum) || __builtin_add_overflow(b, q, &q))
      continue;
    r = r.intersect(other + iq * sum + ir * q);
  }
  return residue(terms, constant).clip(r);
}

Interval IntervalAnalysis::computeInterval(Expr e) {
  Arena &a = *theArena;
  Interval r;
  switch (a.kind(e)) {
  case ExprKind::Constant:
  case ExprKind::Variable:
    return interval(e);
  case ExprKind::Sum: {
    // Copied, because correlated intervals may make nodes.
    LinearCopy l = a.linearCopy(e);
    return interval(l.terms, l.constant);
  }
  case ExprKind::Product: {
    r = Interval::point(1);
    llvm::SmallVector<Term, 4> factors(a.factors(e));
    for (const Term &t : factors)
      r = r * power(interval(t.expr), t.coefficient);
    break;
  }
  case ExprKind::Quotient:
    r = a.divisor(e) ? interval(a.lhs(e)).floorDiv(a.divisor(e))
                     : interval(a.lhs(e)).floorDiv(interval(a.rhs(e)));
    break;
  case ExprKind::CeilDiv:
    r = a.divisor(e) ? -((-interval(a.lhs(e))).floorDiv(a.divisor(e)))
                     : -((-interval(a.lhs(e))).floorDiv(interval(a.rhs(e))));
    break;
  case ExprKind::Remainder: {
    Interval x = interval(a.lhs(e));
    if (int64_t c = a.divisor(e)) {
      r = {0, c - 1};
      if (x.isBounded()) {
        int64_t k = floorDivPositive(x.lower, c);
        if (k == floorDivPositive(x.upper, c))
          r = {modPositive(x.lower, c), modPositive(x.upper, c)};
      }
      r = residue(e).clip(r);
    } else {
      Interval y = interval(a.rhs(e));
      if (y.lower > 0) {
        r = {0, y.hasUpper() ? y.upper - 1 : Interval::kMax};
        if (x.lower >= 0 && x.upper < y.lower)
          r = x;
        else if (x.lower >= 0)
          r.upper = std::min(r.upper, x.upper);
      }
    }
    break;
  }
  case ExprKind::Min:
    r = interval(a.lhs(e)).min(interval(a.rhs(e)));
    break;
  case ExprKind::Max:
    r = interval(a.lhs(e)).max(interval(a.rhs(e)));
    break;
  case ExprKind::Wide:
    r = a.wideIsSum(e) ? interval(a.lhs(e)) + interval(a.rhs(e))
                       : interval(a.lhs(e)) * interval(a.rhs(e));
    break;
  }
  for (const Constraint &c : theData->constraints) {
    Linear l = a.linear(c.expr);
    if (l.terms.size() == 1 && l.terms[0].expr == e) {
      int64_t k = l.terms[0].coefficient;
      Interval b = c.bounds - Interval::point(l.constant);
      // The constraint says: k * e in b.
      if (k == Interval::kMin)
        continue;
      if (k < 0)
        b = -b, k = -k;
      r = r.intersect(
          {b.hasLower() ? ceilDivPositive(b.lower, k) : Interval::kMin,
           b.hasUpper() ? floorDivPositive(b.upper, k) : Interval::kMax});
    }
  }
  return r;
}

Interval IntervalAnalysis::interval(Expr e) {
  Arena &a = *theArena;
  if (theData->knownEmpty)
    return Interval::empty();
  switch (a.kind(e)) {
  case ExprKind::Constant:
    return Interval::point(a.constantValue(e));
  case ExprKind::Variable: {
    uint32_t slot = theData->slot(a.var(e));
    return slot == ~0u ? Interval::everything() : theData->tightened[slot];
  }
  default:
    return memoisedInterval(e);
  }
}

Interval IntervalAnalysis::memoisedInterval(Expr e) {
  Arena &a = *theArena;
  Analyses &state = analysesOf(a);
  if (auto &m = state.memo(a, e); m.intervalEpoch == theEpoch)
    return m.interval;
  auto compute = [&](Expr x) {
    Interval i = computeInterval(x);
    auto &m = state.memo(a, x);
    m.intervalEpoch = theEpoch;
    m.interval = i;
    return i;
  };
  if (a.height(e) > kDeep)
    a.forEachPostOrder(e, [&](Expr x) {
      if (state.memo(a, x).intervalEpoch != theEpoch)
        compute(x);
    });
  return compute(e);
}

} // namespace mercator::indexing
