// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points of one part. Without constraints, their number is the product of the
// sides. Under one constraint on a mixed radix sum, it is counted digit by digit.
// Otherwise all variables but one are enumerated; for each choice, the last one
// has an interval and a congruence, whose size is a closed form.

#include "mercator/indexing/decide/Counting.h"
#include "mercator/indexing/evaluate/PointWalk.h"

namespace mercator::indexing {

namespace {
class PointCounter {
public:
  PointCounter(Arena &arena, Budget budget) : arena(arena), budget(budget) {}

  Count count(const System &part) {
    if (part.constraints.empty()) {
      Count n = exactly(1);
      for (Interval i : part.bounds)
        n *= sizeOf(i);
      return n;
    }
    if (auto n = boundedSum(part))
      return *n;
    if (auto n = allButOne(part))
      return *n;
    return enumerate(part);
  }

private:
  /// Counts under one constraint on a sum that is a mixed radix of all
  /// variables.
  std::optional<Count> boundedSum(const System &part) {
    if (part.constraints.size() != 1)
      return std::nullopt;
    const Constraint &c = part.constraints[0];
    auto digits = SumDigits::of(arena, arena.linear(c.expr), part);
    if (!digits || digits->list.size() != part.vars.size() ||
        !digits->isRadix())
      return std::nullopt;
    return exactly(digits->countIn(c.bounds));
  }

  /// The use of a variable x by a constraint: coefficient * x + rest lies in
  /// the bounds, or (modulus > 0) is congruent to their single value.
  struct Use {
    int64_t coefficient, modulus;
    Interval bounds;
    Expr rest;
  };

  /// Nothing if the constraint uses x in any other way.
  std::optional<Use> useOf(const Constraint &c, Var x) {
    Expr e = c.expr;
    int64_t modulus = 0;
    if (arena.kind(e) == ExprKind::Remainder && arena.divisor(e) > 0 &&
        c.bounds.isPoint()) {
      modulus = arena.divisor(e);
      e = arena.lhs(e);
    }
    LinearCopy sum = arena.linearCopy(e);
    Use use{0, modulus, c.bounds, Expr()};
    llvm::SmallVector<Term, 8> rest;
    for (const Term &t : sum.terms) {
      if (arena.kind(t.expr) == ExprKind::Variable && arena.var(t.expr) == x)
        use.coefficient = t.coefficient;
      else if (arena.uses(t.expr, x))
        return std::nullopt;
      else
        rest.push_back(t);
    }
    use.rest = arena.sum(rest, sum.constant);
    return use;
  }

  /// The bounds on x that `coefficient * x + rest in bounds` implies.
  static std::optional<Interval> solve(const Use &use, int64_t rest) {
    Int128 lower = static_cast<Int128>(use.bounds.lower) - rest,
           upper = static_cast<Int128>(use.bounds.upper) - rest,
           k = use.coefficient;
    bool hasLower = use.bounds.hasLower(), hasUpper = use.bounds.hasUpper();
    if (k < 0) {
      std::swap(lower, upper);
      std::swap(hasLower, hasUpper);
      lower = -lower;
      upper = -upper;
      k = -k;
    }
    auto floorDiv = [](Int128 a, Int128 b) { return a / b - (a % b < 0); };
    lower = -floorDiv(-lower, k);
    upper = floorDiv(upper, k);
    if (hasLower && hasUpper && lower > upper)
      return Interval::empty();
    constexpr Int128 kMin = Interval::kMin, kMax = Interval::kMax;
    if ((hasLower && (lower <= kMin || lower >= kMax)) ||
        (hasUpper && (upper <= kMin || upper >= kMax)))
      return std::nullopt;
    return Interval{hasLower ? static_cast<int64_t>(lower) : Interval::kMin,
                    hasUpper ? static_cast<int64_t>(upper) : Interval::kMax};
  }

  /// The variable with the largest bounds that all constraints use linearly.
  std::optional<size_t> variableToSolve(const System &part) {
    std::optional<size_t> best;
    for (size_t i = 0; i < part.vars.size(); ++i) {
      auto isEligible = [&](const Constraint &c) {
        return useOf(c, part.vars[i]).has_value();
      };
      if (!llvm::all_of(part.constraints, isEligible))
        continue;
      auto size = [&](size_t k) {
        return part.bounds[k].size().value_or(Interval::kMax);
      };
      if (!best || size(i) > size(*best))
        best = i;
    }
    return best;
  }

  /// Enumerates the other variables, and counts x for each choice.
  std::optional<Count> allButOne(const System &part) {
    std::optional<size_t> chosen = variableToSolve(part);
    if (!chosen)
      return std::nullopt;
    System others;
    for (size_t i = 0; i < part.vars.size(); ++i)
      if (i != *chosen) {
        others.vars.push_back(part.vars[i]);
        others.bounds.push_back(part.bounds[i]);
      }
    llvm::SmallVector<Use, 4> uses;
    llvm::SmallVector<Expr, 4> rests;
    for (const Constraint &c : part.constraints) {
      Use use = *useOf(c, part.vars[*chosen]);
      if (use.coefficient == 0) {
        others.constraints.push_back(c);
        continue;
      }
      uses.push_back(use);
      rests.push_back(use.rest);
    }
    Int128 total = 0;
    bool infinite = false, lost = false;
    PointWalk walk(arena, others, rests);
    Budget left = budget;
    auto end = walk.run(left, [&](auto, llvm::ArrayRef<int64_t> values) {
      Interval x = part.bounds[*chosen];
      std::optional<Residue> residue = Residue::everything();
      for (size_t i = 0; i < uses.size() && residue; ++i) {
        if (uses[i].modulus == 0) {
          auto solved = solve(uses[i], values[i]);
          if (!solved)
            return !(lost = true);
          x = x.intersect(*solved);
          continue;
        }
        int64_t target;
        auto congruence = std::optional<Residue>();
        if (__builtin_sub_overflow(uses[i].bounds.lower, values[i], &target))
          return !(lost = true);
        if (uses[i].bounds.lower >= 0 && uses[i].bounds.lower < uses[i].modulus)
          congruence =
              solveCongruence(uses[i].coefficient, target, uses[i].modulus);
        Int128 product = congruence ? static_cast<Int128>(residue->modulus) *
                                          congruence->modulus
                                    : 0;
        if (product > Interval::kMax)
          return !(lost = true); // intersect() might over-approximate
        residue = congruence ? residue->intersect(*congruence) : std::nullopt;
      }
      if (!residue)
        return true;
      Count n = sizeOf(x, *residue);
      infinite |= n.kind == Count::Kind::Infinite;
      lost |= n.kind == Count::Kind::TooLarge;
      total += n.value;
      return !lost;
    });
    if (lost || end != PointWalk::End::Complete)
      return std::nullopt;
    return infinite ? Count{Count::Kind::Infinite} : exactly(total);
  }

  Count enumerate(const System &part) {
    PointWalk walk(arena, part);
    int64_t n = 0;
    Budget left = budget;
    auto end = walk.run(left, [&](auto, auto) { return ++n; });
    return end == PointWalk::End::Complete ? exactly(n)
                                           : Count::unknown(reasonOf(end));
  }

  Arena &arena;
  Budget budget;
};
} // namespace

Count countPart(Arena &arena, const System &part, Budget budget) {
  return PointCounter(arena, budget).count(part);
}

} // namespace mercator::indexing
