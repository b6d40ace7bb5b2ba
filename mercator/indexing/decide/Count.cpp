// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact counting of points and of images.
//
// The general answer is Barvinok's algorithm (A. Barvinok, 1994; implemented
// for parametric sets by S. Verdoolaege and others, "Counting integer points in
// parametric polytopes using Barvinok's rational functions", 2007), whose time
// grows steeply with the number of variables. The domains of tensor operations
// have many variables and few constraints, so we use closed forms of our own:
//
//   1. Normalize: propagate bounds, replace x = r (mod m) by m*k + r.
//   2. Split the domain into independent parts and multiply their counts.
//   3. Points of a part. No constraint: the product of the sides. One
//   constraint
//      on a mixed radix sum: count digit by digit. Otherwise enumerate all
//      variables but one; for each choice, the last one has an interval and a
//      congruence, whose size is a closed form.
//   4. Values of a part. Replace the tuple of results by a simpler one with as
//      many values. One result: its values are copies of an arithmetic
//      progression. Several: if the results determine the variables (Solve.h
//      eliminates all of them), count points.
//   5. Where no closed form applies, enumerate and sort.

#include "mercator/indexing/decide/Count.h"
#include "mercator/indexing/decide/Emptiness.h"
#include "mercator/indexing/evaluate/PointWalk.h"
#include "mercator/indexing/map/IntervalAnalysis.h"
#include "mercator/indexing/simplify/Digits.h"
#include "mercator/indexing/simplify/Simplify.h"
#include "mercator/indexing/simplify/Solve.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::indexing {

namespace {
using Int = __int128;

Count exactly(Int n) {
  if (n > Interval::kMax)
    return {Count::Kind::TooLarge};
  return {Count::Kind::Exact, static_cast<int64_t>(n)};
}

/// The count of a product of independent sets. Zero times unknown is zero.
void operator*=(Count &a, const Count &b) {
  using Kind = Count::Kind;
  if (a.kind == Kind::Exact && b.kind == Kind::Exact) {
    Int product = static_cast<Int>(a.value) * b.value;
    if (product > Interval::kMax)
      a = {Kind::TooLarge};
    else
      a.value = static_cast<int64_t>(product);
  } else if (b.exact() == 0) {
    a = b;
  } else if (a.exact() != 0 && a.kind != Kind::Unknown) {
    if (b.kind == Kind::Unknown)
      a = b;
    else
      a = {a.kind == Kind::Infinite || b.kind == Kind::Infinite
               ? Kind::Infinite
               : Kind::TooLarge};
  }
}

Count sizeOf(Interval i) {
  if (i.isEmpty())
    return exactly(0);
  if (!i.isBounded())
    return {Count::Kind::Infinite};
  return exactly(static_cast<Int>(i.upper) - i.lower + 1);
}

/// |{ x in i : x in r }|.
Count sizeOf(Interval i, Residue r) {
  if (i.isEmpty())
    return exactly(0);
  if (r.isConstant())
    return exactly(i.contains(r.remainder));
  if (!i.isBounded())
    return {Count::Kind::Infinite};
  i = r.clip(i);
  return i.isEmpty()
             ? exactly(0)
             : exactly((static_cast<Int>(i.upper) - i.lower) / r.modulus + 1);
}

/// A bounded variable of a sum, counted from the bound where its term is least:
/// weight * t with t in [0, size - 1].
struct Digit {
  Int weight;
  Int size;
};

struct Digits {
  llvm::SmallVector<Digit, 4> list; ///< by weight
  Int offset = 0;                   ///< the least value of the sum

  /// The sum as digits, or nothing if a term is not a bounded variable.
  static std::optional<Digits> of(const Arena &arena, Linear sum,
                                  const System &system) {
    Digits d;
    d.offset = sum.constant;
    for (const Term &t : sum.terms) {
      if (arena.kind(t.expr) != ExprKind::Variable)
        return std::nullopt;
      auto it = llvm::find(system.vars, arena.var(t.expr));
      if (it == system.vars.end())
        return std::nullopt;
      Interval i = system.bounds[it - system.vars.begin()];
      if (!i.isBounded() || i.isEmpty())
        return std::nullopt;
      Int c = t.coefficient;
      d.offset += c * (c > 0 ? i.lower : i.upper);
      d.list.push_back(
          {c > 0 ? c : -c, static_cast<Int>(i.upper) - i.lower + 1});
    }
    llvm::sort(d.list, [](const Digit &a, const Digit &b) {
      return a.weight != b.weight ? a.weight < b.weight : a.size < b.size;
    });
    // With this limit no number below overflows 128 bits.
    constexpr Int kLimit = static_cast<Int>(1) << 100;
    Int span = 0;
    for (const Digit &x : d.list) {
      if (x.weight * x.size > kLimit)
        return std::nullopt;
      span += x.weight * x.size;
    }
    return span > kLimit ? std::nullopt : std::optional(d);
  }

  /// True if each value of the sum has only one choice of digits.
  [[nodiscard]] bool isRadix() const {
    Int below = 0;
    for (const Digit &d : list) {
      if (d.weight <= below)
        return false;
      below += d.weight * (d.size - 1);
    }
    return true;
  }

  /// The number of choices of digits whose sum is at most `bound`.
  /// Requires: isRadix().
  [[nodiscard]] Int countUpTo(Int bound) const {
    bound -= offset;
    if (bound < 0)
      return 0;
    llvm::SmallVector<Int, 4> choices{1};
    for (const Digit &d : list)
      choices.push_back(choices.back() * d.size);
    Int n = 0;
    for (size_t i = list.size(); i-- > 0;) {
      Int top = bound / list[i].weight;
      if (top >= list[i].size)
        return n + choices[i + 1];
      n += top * choices[i];
      bound -= top * list[i].weight;
    }
    return n + 1;
  }

  [[nodiscard]] Int countIn(Interval i) const {
    if (i.isEmpty())
      return 0;
    Int all = 1;
    for (const Digit &d : list)
      all *= d.size;
    Int upTo = i.hasUpper() ? countUpTo(i.upper) : all;
    return upTo - (i.hasLower() ? countUpTo(static_cast<Int>(i.lower) - 1) : 0);
  }
};

/// { offset + step * k : 0 <= k < size }, in `copies` disjoint translates.
struct Progression {
  Int step = 1, size = 1, copies = 1;
};

/// The values of a sum with these digits, if their structure is regular.
///   8*a + 4*b + c, a in [0, 3], b in [0, 1], c in [0, 1]
///     {0, 1} + 4*k, k in [0, 7]: two translates of a progression of 8 values
/// The terms are added by increasing weight. A term continues the progression
/// if its weight is a multiple of the step and at most the length. A term
/// beyond the sum of all smaller ones starts a new progression, and makes
/// copies of the old values.
std::optional<Progression> valuesOf(const Digits &digits) {
  Progression p;
  Int span = 0; // the greatest value of the terms added
  for (const Digit &d : digits.list) {
    if (d.size == 1)
      continue;
    if (p.size == 1) {
      p.step = d.weight;
      p.size = d.size;
    } else if (d.weight % p.step == 0 && d.weight <= p.step * p.size) {
      p.size += d.weight / p.step * (d.size - 1);
    } else if (d.weight > span) {
      p.copies *= p.size;
      p.step = d.weight;
      p.size = d.size;
    } else {
      return std::nullopt;
    }
    span += d.weight * (d.size - 1);
  }
  return p;
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

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
    auto digits = Digits::of(arena, arena.linear(c.expr), part);
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
    Int lower = static_cast<Int>(use.bounds.lower) - rest,
        upper = static_cast<Int>(use.bounds.upper) - rest, k = use.coefficient;
    bool hasLower = use.bounds.hasLower(), hasUpper = use.bounds.hasUpper();
    if (k < 0) {
      std::swap(lower, upper);
      std::swap(hasLower, hasUpper);
      lower = -lower;
      upper = -upper;
      k = -k;
    }
    auto floorDiv = [](Int a, Int b) { return a / b - (a % b < 0); };
    lower = -floorDiv(-lower, k);
    upper = floorDiv(upper, k);
    if (hasLower && hasUpper && lower > upper)
      return Interval::empty();
    constexpr Int kMin = Interval::kMin, kMax = Interval::kMax;
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
    Int total = 0;
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
        Int product = congruence ? static_cast<Int>(residue->modulus) *
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

/// Normalizes a domain: propagates bounds, and replaces each variable that is r
/// modulo m by m*k + r, in the domain and in the expressions. Ensures: the same
/// number of points.
Domain normalize(Arena &arena, const Domain &given,
                 llvm::SmallVectorImpl<Expr> &exprs) {
  Map m(arena);
  m.domain = given;
  m.results.assign(exprs.begin(), exprs.end());
  auto tidy = [&] {
    m = simplify(m,
                 {.foldPoints = true, .dropUnused = false, .normalForm = true});
  };
  tidy();
  if (m.isKnownEmpty())
    return m.domain;
  IntervalAnalysis bounds(arena, m.domain);
  llvm::SmallVector<Expr, 8> by[3];
  bool rescales = false;
  Domain next = m.domain;
  next.forEachVar([&](Var v) {
    Expr x = arena.variable(v);
    Interval i = bounds.interval(x);
    Residue r = bounds.residue(x);
    Expr replacement = x;
    if (r.modulus > 1 && !i.isPoint() && !i.isEmpty()) {
      auto shift = [&](int64_t bound) {
        return floorDivPositive(bound - r.remainder, r.modulus);
      };
      Interval clipped = r.clip(i);
      // Bounds near the limits of int64 do not change.
      if (clipped.lower > Interval::kMin / 2 &&
          clipped.upper < Interval::kMax / 2 && !clipped.isEmpty()) {
        i = {shift(clipped.lower), shift(clipped.upper)};
        replacement = arena.add(arena.scale(x, r.modulus), r.remainder);
        rescales = true;
      }
    }
    next.bounds(v) = i;
    by[static_cast<int>(v.kind)].push_back(replacement);
  });
  m.domain = next;
  if (rescales) {
    substitute(m, {by[0], by[1], by[2]});
    tidy();
  }
  exprs.assign(m.results.begin(), m.results.end());
  return m.domain;
}

/// False if a constraint without variables fails.
bool constantsHold(const Arena &arena, const Domain &domain) {
  return llvm::all_of(domain.constraints, [&](const Constraint &c) {
    return !arena.isConstant(c.expr) ||
           c.bounds.contains(arena.constantValue(c.expr));
  });
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

class ImageCounter {
public:
  ImageCounter(Arena &arena, Budget budget) : arena(arena), budget(budget) {}

  Count count(const Map &map) {
    llvm::SmallVector<Expr, 8> results = numbersOf(map);
    Domain domain = normalize(arena, map.domain, results);
    if (domain.knownEmpty || !constantsHold(arena, domain))
      return exactly(0);
    reduce(results);
    Count n = exactly(1);
    for (const System &part :
         independentParts(arena, System::of(domain), results)) {
      llvm::SmallVector<Expr, 8> own;
      for (Expr e : results)
        if (llvm::any_of(part.vars, [&](Var v) { return arena.uses(e, v); }))
          own.push_back(e);
      n *= countPart(part, own);
    }
    return n;
  }

private:
  /// The results, with each group of digits replaced by its number.
  llvm::SmallVector<Expr, 8> numbersOf(const Map &map) {
    IntervalAnalysis bounds(arena, map.domain);
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

  Count countPart(const System &part, llvm::ArrayRef<Expr> results) {
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
      return PointCounter(arena, budget).count(part);
    return enumerate(part, results);
  }

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

  //===--- Fewer and simpler results -------------------------------------===//

  /// Replaces the tuple of results by a simpler one with as many values.
  void reduce(llvm::SmallVectorImpl<Expr> &results) {
    // Each round that changes something removes a result, a term or a division.
    for (bool changed = true; changed;) {
      changed = false;
      for (Expr &e : results) {
        Expr s = stripped(e);
        changed |= s != e;
        e = s;
      }
      llvm::sort(results);
      results.erase(llvm::unique(results), results.end());
      llvm::erase_if(results, [&](Expr e) { return arena.isConstant(e); });
      changed |= joinDigits(results) || subtractKnown(results);
    }
  }

  /// e without its constant and the common factor of its terms.
  Expr stripped(Expr e) {
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

  bool joinDigits(llvm::SmallVectorImpl<Expr> &results) {
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
            join(results, high, arena.pair(q),
                 arena.mod(arena.lhs(q), product)))
          return true;
      }
    }
    return false;
  }

  static bool join(llvm::SmallVectorImpl<Expr> &results, Expr a, Expr b,
                   Expr both) {
    if (!llvm::is_contained(results, b))
      return false;
    llvm::erase_if(results, [&](Expr e) { return e == a || e == b; });
    results.push_back(both);
    return true;
  }

  /// Subtracts a result from the sums that have it as a term, and drops results
  /// whose variables are all results.
  bool subtractKnown(llvm::SmallVectorImpl<Expr> &results) {
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
    auto digits = Digits::of(arena, arena.linear(x), part);
    if (!digits)
      return std::nullopt;
    auto p = valuesOf(*digits);
    if (!p)
      return std::nullopt;
    if (!divides)
      return countOf(*p);
    if (p->copies != 1)
      return std::nullopt;
    Int c = arena.divisor(e);
    if (kind == ExprKind::Remainder) {
      // step * k mod c repeats after c / gcd(step, c) values of k.
      Int period = c / std::gcd(static_cast<int64_t>(p->step % c),
                                static_cast<int64_t>(c));
      return exactly(std::min(p->size, period));
    }
    if (p->step >= c)
      return exactly(p->size); // all quotients differ
    auto floorDiv = [&](Int a) { return a / c - (a % c < 0); };
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
    auto digits = Digits::of(arena, arena.linear(c.expr), part);
    if (stripped(bare) != stripped(e) || !digits)
      return std::nullopt;
    auto p = valuesOf(*digits);
    if (!p || p->copies != 1)
      return std::nullopt;
    // The k with offset + step * k in the bounds.
    Digits line{{{p->step, p->size}}, digits->offset};
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

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Count &count) {
  switch (count.kind) {
  case Count::Kind::Exact:
    return os << count.value;
  case Count::Kind::TooLarge:
    return os << "more than int64";
  case Count::Kind::Infinite:
    return os << "infinite";
  case Count::Kind::Unknown:
    break;
  }
  return os << "unknown because of " << count.reason;
}

Count countPoints(Arena &arena, const Domain &given, Budget budget) {
  if (given.knownEmpty)
    return exactly(0);
  llvm::SmallVector<Expr, 8> none;
  Domain domain = normalize(arena, given, none);
  if (domain.knownEmpty || !constantsHold(arena, domain))
    return exactly(0);
  PointCounter counter(arena, budget);
  Count n = exactly(1);
  for (const System &part : independentParts(arena, System::of(domain)))
    n *= counter.count(part);
  return n;
}

Count countImage(const Map &map, Budget budget) {
  if (map.isKnownEmpty())
    return exactly(0);
  return ImageCounter(*map.arena, budget).count(map);
}

} // namespace mercator::indexing
