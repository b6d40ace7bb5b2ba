// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of the results over one part. First the tuple of results is replaced by
// a simpler one with as many values. The values of one result are copies of an
// arithmetic progression. If several results determine the variables (Solve.h
// eliminates all of them), there are as many values as points. Otherwise the
// values are enumerated and sorted.

#include "mercator/indexing/decide/Counting.h"
#include "mercator/indexing/decide/Emptiness.h"
#include "mercator/indexing/evaluate/PointWalk.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/simplify/Digits.h"
#include "mercator/indexing/simplify/Solve.h"

namespace mercator::indexing {

//===----------------------------------------------------------------------===//
// Fewer and simpler results
//===----------------------------------------------------------------------===//

llvm::SmallVector<Expr, 8> digitNumbers(const Map &map) {
  IntervalAnalysis bounds(*map.arena, map.domain);
  llvm::SmallVector<int64_t, 8> sizes;
  for (Expr e : map.results) {
    Interval i = bounds.interval(e);
    sizes.push_back(i.hasUpper() ? i.upper + 1 : 0);
  }
  llvm::SmallVector<Expr, 8> numbers;
  for (const DigitGroup &group : gatherDigits(map, sizes))
    numbers.push_back(group.number);
  return numbers;
}

/// e without its constant and the common factor of its terms.
static Expr stripped(Arena &arena, Expr e) {
  LinearCopy l = arena.linearCopy(e);
  int64_t g = 0;
  for (const Term &t : l.terms)
    if (t.coefficient != Interval::kMin)
      g = std::gcd(g, t.coefficient);
    else
      g = 1;
  if (l.terms.empty())
    return arena.constant(0);
  if (l.terms[0].coefficient < 0)
    g = -g;
  for (Term &t : l.terms)
    t.coefficient /= g;
  return arena.sum(l.terms, 0);
}

static bool join(llvm::SmallVectorImpl<Expr> &results, Expr a, Expr b,
                 Expr both) {
  if (!llvm::is_contained(results, b))
    return false;
  llvm::erase_if(results, [&](Expr e) { return e == a || e == b; });
  results.push_back(both);
  return true;
}

static bool joinDigits(Arena &arena, llvm::SmallVectorImpl<Expr> &results) {
  for (Expr high : results) {
    if (arena.kind(high) == ExprKind::Quotient && arena.divisor(high) > 0) {
      // (x floordiv c, x mod c) becomes x.
      if (join(results, high, arena.pair(high), arena.lhs(high)))
        return true;
    } else if (arena.kind(high) == ExprKind::Remainder &&
               arena.divisor(high) > 0) {
      // ((x floordiv c) mod m, x mod c) becomes x mod (c * m).
      Expr q = arena.lhs(high);
      int64_t product;
      if (arena.kind(q) == ExprKind::Quotient && arena.divisor(q) > 0 &&
          !__builtin_mul_overflow(arena.divisor(q), arena.divisor(high),
                                  &product) &&
          join(results, high, arena.pair(q), arena.mod(arena.lhs(q), product)))
        return true;
    }
  }
  return false;
}

/// Subtracts a result from the sums that have it as a term, and drops results
/// whose variables are all results.
static bool subtractKnown(Arena &arena, llvm::SmallVectorImpl<Expr> &results) {
  bool changed = false;
  for (Expr &e : results) {
    if (arena.kind(e) == ExprKind::Variable)
      continue;
    LinearCopy l = arena.linearCopy(e);
    size_t before = l.terms.size();
    llvm::erase_if(l.terms, [&](const Term &t) {
      return t.expr != e && llvm::is_contained(results, t.expr);
    });
    bool known = llvm::all_of(usedVars(arena, e), [&](Var v) {
      return llvm::is_contained(results, arena.variable(v));
    });
    if (known || l.terms.size() != before) {
      e = known ? arena.constant(0) : arena.sum(l.terms, l.constant);
      changed = true;
    }
  }
  return changed;
}

void reduceResults(Arena &arena, llvm::SmallVectorImpl<Expr> &results) {
  // Each round that changes something removes a result, a term or a division.
  for (bool changed = true; changed;) {
    changed = false;
    for (Expr &e : results) {
      Expr s = stripped(arena, e);
      changed |= s != e;
      e = s;
    }
    llvm::sort(results);
    results.erase(llvm::unique(results), results.end());
    llvm::erase_if(results, [&](Expr e) { return arena.isConstant(e); });
    changed |= joinDigits(arena, results) || subtractKnown(arena, results);
  }
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

namespace {
class ValueCounter {
public:
  ValueCounter(Arena &arena, Budget budget) : arena(arena), budget(budget) {}

  Count count(const System &part, llvm::ArrayRef<Expr> results) {
    if (results.empty())
      return isNonEmpty(part);
    if (results.size() == 1) {
      std::optional<Count> n = part.constraints.empty()
                                   ? valuesOfOne(results[0], part)
                                   : boundedValues(results[0], part);
      if (n)
        return *n;
    }
    constexpr int64_t kSmall = 256; // enumerating is cheaper than reasoning
    if (part.boxSize().value_or(Interval::kMax) > kSmall &&
        isInjective(part, results))
      return countPart(arena, part, budget);
    return enumerate(part, results);
  }

private:
  Count isNonEmpty(const System &part) {
    if (part.constraints.empty())
      return exactly(
          llvm::none_of(part.bounds, [](Interval i) { return i.isEmpty(); }));
    Emptiness answer = isEmpty(arena, domainOf(part));
    return answer.isUnknown() ? Count::unknown(answer.reason)
                              : exactly(answer.isNo());
  }

  /// The domain of a part. Variables of other parts are fixed at 0.
  static Domain domainOf(const System &part) {
    Domain d;
    for (size_t i = 0; i < part.vars.size(); ++i) {
      Var v = part.vars[i];
      auto place = [&](auto &list) {
        while (list.size() <= v.index)
          list.push_back({.bounds = Interval::point(0)});
        list[v.index].bounds = part.bounds[i];
      };
      v.kind == VarKind::Dim     ? place(d.dims)
      : v.kind == VarKind::Range ? place(d.ranges)
                                 : place(d.runtimes);
    }
    for (const Constraint &c : part.constraints)
      d.constraints.push_back(c);
    return d;
  }

  //===--- One result ----------------------------------------------------===//

  static Count countOf(const Progression &p) {
    Count n = exactly(p.copies);
    n *= exactly(p.size);
    return n;
  }

  std::optional<Count> valuesOfOne(Expr e, const System &part) {
    ExprKind kind = arena.kind(e);
    bool divides =
        (kind == ExprKind::Quotient || kind == ExprKind::Remainder) &&
        arena.divisor(e) > 0;
    Expr x = divides ? arena.lhs(e) : e;
    if (!divides && part.vars.size() == 1 &&
        arena.kind(e) == ExprKind::Variable)
      return sizeOf(part.bounds[0]);
    auto digits = SumDigits::of(arena, arena.linear(x), part);
    if (!digits)
      return std::nullopt;
    auto p = valuesOf(*digits);
    if (!p)
      return std::nullopt;
    if (!divides)
      return countOf(*p);
    if (p->copies != 1)
      return std::nullopt;
    Int128 c = arena.divisor(e);
    if (kind == ExprKind::Remainder) {
      // step * k mod c repeats after c / gcd(step, c) values of k.
      Int128 period = c / std::gcd(static_cast<int64_t>(p->step % c),
                                   static_cast<int64_t>(c));
      return exactly(std::min(p->size, period));
    }
    if (p->step >= c)
      return exactly(p->size); // all quotients differ
    auto floorDiv = [&](Int128 a) { return a / c - (a % c < 0); };
    // Steps below c skip no quotient.
    return exactly(floorDiv(digits->offset + p->step * (p->size - 1)) -
                   floorDiv(digits->offset) + 1);
  }

  /// The values of a sum under one constraint on the same sum.
  std::optional<Count> boundedValues(Expr e, const System &part) {
    if (part.constraints.size() != 1)
      return std::nullopt;
    const Constraint &c = part.constraints[0];
    LinearCopy sum = arena.linearCopy(c.expr);
    Expr bare = arena.sum(sum.terms, 0);
    auto digits = SumDigits::of(arena, arena.linear(c.expr), part);
    if (stripped(arena, bare) != stripped(arena, e) || !digits)
      return std::nullopt;
    auto p = valuesOf(*digits);
    if (!p || p->copies != 1)
      return std::nullopt;
    // The k with offset + step * k in the bounds.
    SumDigits line{{{p->step, p->size}}, digits->offset};
    return exactly(line.countIn(c.bounds));
  }

  //===--- Any number of results -----------------------------------------===//

  /// True if the results determine the variables of the part.
  bool isInjective(const System &part, llvm::ArrayRef<Expr> results) {
    Map graph(arena);
    llvm::SmallVector<Expr, 8> by[3];
    for (size_t i = 0; i < part.vars.size(); ++i) {
      auto &list = by[static_cast<int>(part.vars[i].kind)];
      list.resize(std::max<size_t>(list.size(), part.vars[i].index + 1));
      list[part.vars[i].index] = graph.domain.addRange(arena, part.bounds[i]);
    }
    Substitution s{by[0], by[1], by[2]};
    for (Expr e : results) {
      Expr y = graph.domain.addDim(arena, Interval::everything());
      graph.domain.addConstraint(arena.sub(substitute(arena, e, s), y),
                                 Interval::point(0));
    }
    for (const Constraint &c : part.constraints)
      graph.domain.addConstraint(substitute(arena, c.expr, s), c.bounds);
    return solveRanges(graph).domain.ranges.empty();
  }

  Count enumerate(const System &part, llvm::ArrayRef<Expr> results) {
    std::optional<int64_t> box = part.boxSize();
    // Without constraints to cut it short, a walk over too many points cannot
    // complete.
    if (part.constraints.empty() && (!box || *box > budget.steps))
      return Count::unknown(reasonOf(PointWalk::End::OverBudget));
    std::vector<int64_t> seen;
    PointWalk walk(arena, part, results);
    Budget left = budget;
    auto end = walk.run(left, [&](auto, llvm::ArrayRef<int64_t> values) {
      seen.insert(seen.end(), values.begin(), values.end());
      return true;
    });
    if (end != PointWalk::End::Complete)
      return Count::unknown(reasonOf(end));
    size_t width = results.size(), n = seen.size() / width;
    std::vector<uint32_t> order(n);
    for (uint32_t i = 0; i < n; ++i)
      order[i] = i;
    auto row = [&](uint32_t i) {
      return llvm::ArrayRef<int64_t>(&seen[i * width], width);
    };
    auto less = [&](uint32_t a, uint32_t b) {
      return std::lexicographical_compare(row(a).begin(), row(a).end(),
                                          row(b).begin(), row(b).end());
    };
    llvm::sort(order, less);
    int64_t distinct = n > 0;
    for (size_t i = 1; i < n; ++i)
      distinct += row(order[i]) != row(order[i - 1]);
    return exactly(distinct);
  }

  Arena &arena;
  Budget budget;
};
} // namespace

Count countValues(Arena &arena, const System &part,
                  llvm::ArrayRef<Expr> results, Budget budget) {
  return ValueCounter(arena, budget).count(part, results);
}

} // namespace mercator::indexing
