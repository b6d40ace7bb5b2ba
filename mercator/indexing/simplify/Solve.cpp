// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elimination of range variables by equations.
//
// The idea is the elimination of equalities in the Omega test (W. Pugh, "The
// Omega test: a fast and practical integer programming algorithm for dependence
// analysis", 1991), restricted to steps that need no new variables except for
// `split`, and extended by the step `digits`: an equation whose coefficients
// are the weights of a mixed radix system determines all its digits. That step
// is our own; it is what makes inverses of reshapes and windows readable.
// Solve.h lists the steps. Fourier-Motzkin elimination is not used: over the
// integers it is exact only with further case splits.

#include "mercator/indexing/simplify/Solve.h"
#include "mercator/indexing/map/IntervalAnalysis.h"

#include "mercator/indexing/simplify/Simplify.h"

#include "llvm/ADT/DenseMap.h"

namespace mercator::indexing {

namespace {
class RangeSolver {
public:
  explicit RangeSolver(const Map &given)
      : arena(*given.arena), map(given),
        alive(given.domain.ranges.size(), true) {}

  Map run() {
    unsigned splits = 0;
    while (!map.domain.knownEmpty &&
           (one() || residue() || digits() || tidy() ||
            (splits < kMaxSplits && split(splits)) || unit())) {
    }
    if (!map.domain.knownEmpty)
      compact();
    return std::move(map);
  }

private:
  /// 0 = constant + sum of terms: a constraint whose bounds are one value.
  struct Equation {
    unsigned constraint;
    llvm::SmallVector<Term, 8> bare;   ///< coefficient * range variable
    llvm::SmallVector<Term, 8> nested; ///< other terms that use range variables
    llvm::SmallVector<Term, 8> rest;
    int64_t constant;
  };

  bool usesRange(Expr e) const {
    constexpr uint64_t kMask = ((uint64_t(1) << VarSet::kRanges) - 1)
                               << VarSet::kDims;
    return arena.vars(e).bits & kMask;
  }
  bool isRange(Expr e) const {
    return arena.kind(e) == ExprKind::Variable &&
           arena.var(e).kind == VarKind::Range;
  }

  llvm::SmallVector<Equation, 8> equations() const {
    llvm::SmallVector<Equation, 8> result;
    for (unsigned i = 0; i < map.domain.constraints.size(); ++i) {
      const Constraint &c = map.domain.constraints[i];
      if (!c.bounds.isPoint() || !usesRange(c.expr))
        continue;
      Linear l = arena.linear(c.expr);
      Equation e{i, {}, {}, {}, 0};
      if (__builtin_sub_overflow(l.constant, c.bounds.lower, &e.constant))
        continue;
      bool fits = true;
      for (const Term &t : l.terms) {
        fits &= t.coefficient != Interval::kMin;
        (isRange(t.expr)     ? e.bare
         : usesRange(t.expr) ? e.nested
                             : e.rest)
            .push_back(t);
      }
      if (fits)
        result.push_back(std::move(e));
    }
    return result;
  }

  Interval boundsOf(Expr range) {
    return IntervalAnalysis(arena, map.domain).interval(range);
  }

  /// True if the bounds times k do not overflow. Interval drops a bound that
  /// overflows, which is not exact.
  static bool isTame(Interval i, int64_t k = 1) {
    auto tame = [&](int64_t x) {
      int64_t r;
      return !__builtin_mul_overflow(x, k, &r) && r > Interval::kMin / 4 &&
             r < Interval::kMax / 4;
    };
    return (!i.hasLower() || tame(i.lower)) && (!i.hasUpper() || tame(i.upper));
  }

  /// -(constant + rest), or no expression if it leaves int64.
  Expr negatedRest(const Equation &e) {
    llvm::SmallVector<Term, 8> terms = e.rest;
    for (Term &t : terms)
      t.coefficient = -t.coefficient;
    if (e.constant == Interval::kMin)
      return Expr();
    Expr r = arena.sum(terms, -e.constant);
    return arena.kind(r) == ExprKind::Wide ? Expr() : r;
  }

  void dropConstraint(unsigned i) {
    map.domain.constraints.erase(map.domain.constraints.begin() + i);
  }

  void constrain(Expr e, Interval bounds) {
    if (bounds == Interval::everything() || e == Expr())
      return;
    if (arena.isConstant(e)) {
      map.domain.knownEmpty |= !bounds.contains(arena.constantValue(e));
      return;
    }
    map.domain.addConstraint(e, bounds);
  }

  /// Replaces range variable i by `by[i]` in the whole map.
  void replace(llvm::ArrayRef<Expr> by) {
    substitute(map, {.dims = {}, .ranges = by, .runtimes = {}});
  }

  void replace(llvm::ArrayRef<std::pair<uint32_t, Expr>> by) {
    dirty = true;
    llvm::SmallVector<Expr, 8> list(map.domain.ranges.size());
    for (auto [index, e] : by) {
      list[index] = e;
      alive[index] = false;
    }
    replace(list);
  }

  /// Simplifies once after each replacement: the new terms often cancel in
  /// other equations. Returns true if equations changed.
  bool tidy() {
    if (!dirty)
      return false;
    dirty = false;
    Map before = map;
    map = simplify(
        map, {.foldPoints = false, .dropUnused = false, .normalForm = true});
    return !(map == before);
  }

  bool one() {
    for (const Equation &e : equations()) {
      if (e.bare.size() != 1 || !e.nested.empty())
        continue;
      Expr r = negatedRest(e);
      if (!r)
        continue;
      auto [s, c] = e.bare[0];
      if (c < 0) {
        r = arena.neg(r);
        c = -c;
      }
      uint32_t index = arena.var(s).index;
      Interval bounds = boundsOf(s);
      if (!isTame(bounds, c))
        continue;
      dropConstraint(e.constraint);
      constrain(arena.mod(r, c), Interval::point(0));
      // c*l <= r <= c*u instead of r floordiv c in [l, u]: a linear constraint.
      constrain(r, bounds * c);
      replace({{index, arena.floorDiv(r, c)}});
      return true;
    }
    return false;
  }

  /// A variable with coefficient 1 or -1 and at most g values, where all other
  /// coefficients are multiples of g: its residue modulo g determines it. If
  /// the signs agree, `digits` gives shorter expressions.
  bool residue() {
    for (const Equation &e : equations()) {
      if (e.bare.size() < 2 || !e.nested.empty())
        continue;
      const Term *low = nullptr;
      int64_t g = 0;
      for (const Term &t : e.bare) {
        if (std::abs(t.coefficient) == 1 && !low) {
          low = &t;
          continue;
        }
        g = std::gcd(g, t.coefficient);
      }
      if (!low || g < 2 || (low->coefficient < 0) == isNegative(e))
        continue;
      Interval i = boundsOf(low->expr);
      std::optional<int64_t> size = i.size();
      Expr r = negatedRest(e);
      if (!size || *size > g || !isTame(i) || !r)
        continue;
      r = arena.add(arena.scale(r, low->coefficient), -i.lower);
      if (arena.kind(r) == ExprKind::Wide)
        continue;
      Expr digit = arena.mod(r, g);
      constrain(digit, {0, *size - 1});
      replace({{arena.var(low->expr).index, arena.add(digit, i.lower)}});
      return true;
    }
    return false;
  }

  /// True if the largest coefficient is negative: then the equation is solved
  /// after multiplication by -1.
  static bool isNegative(const Equation &e) {
    const Term *top = &e.bare[0];
    for (const Term &t : e.bare)
      if (std::abs(t.coefficient) > std::abs(top->coefficient))
        top = &t;
    return top->coefficient < 0;
  }

  struct Digit {
    uint32_t index;
    int64_t weight; ///< positive
    bool negative;
    Interval bounds;
    std::optional<int64_t> size; ///< number of values
  };

  /// The variables of the equation as digits, least first, if the sum
  /// determines them.
  std::optional<llvm::SmallVector<Digit, 4>> asDigits(const Equation &e) {
    llvm::SmallVector<Digit, 4> list;
    IntervalAnalysis bounds(arena, map.domain);
    bool flip = isNegative(e);
    for (const Term &t : e.bare) {
      Interval i = bounds.interval(t.expr);
      if (i.isEmpty() || !isTame(i, t.coefficient))
        return std::nullopt;
      list.push_back({arena.var(t.expr).index, std::abs(t.coefficient),
                      (t.coefficient < 0) != flip, i, i.size()});
    }
    llvm::sort(list, [](const Digit &a, const Digit &b) {
      return a.weight != b.weight ? a.weight < b.weight : a.index < b.index;
    });
    __int128 below = 0; // the greatest sum of the smaller digits
    for (const Digit &d : list) {
      if (d.weight <= below)
        return std::nullopt;
      if (&d == &list.back())
        break;
      if (!d.size)
        return std::nullopt;
      below += static_cast<__int128>(d.weight) * (*d.size - 1);
    }
    return list;
  }

  bool digits() {
    for (const Equation &e : equations()) {
      if (e.bare.size() < 2 || !e.nested.empty())
        continue;
      auto list = asDigits(e);
      Expr r = list ? negatedRest(e) : Expr();
      if (!r)
        continue;
      if (isNegative(e))
        r = arena.neg(r);
      // Subtract weight * (the value of the variable at digit zero) from r. The
      // highest digit may be unbounded; then it counts from zero.
      llvm::SmallVector<int64_t, 4> zeros;
      for (const Digit &d : *list) {
        bool bounded = d.negative ? d.bounds.hasUpper() : d.bounds.hasLower();
        zeros.push_back(!bounded     ? 0
                        : d.negative ? d.bounds.upper
                                     : d.bounds.lower);
        Expr shift = arena.scale(arena.constant(zeros.back()),
                                 d.negative ? d.weight : -d.weight);
        r = arena.add(r, shift);
      }
      if (arena.kind(r) == ExprKind::Wide)
        continue;
      dropConstraint(e.constraint);
      decode(r, *list, zeros);
      return true;
    }
    return false;
  }

  void decode(Expr r, llvm::ArrayRef<Digit> list,
              llvm::ArrayRef<int64_t> zeros) {
    llvm::SmallVector<std::pair<uint32_t, Expr>, 4> by;
    llvm::SmallVector<Constraint, 4> left;
    // If each weight divides the next, digits are taken from the whole number,
    // as in the maps of reshapes, so that equal digits have equal handles.
    Expr whole = r;
    bool isChain = true;
    for (size_t i = 0; i + 1 < list.size(); ++i)
      isChain &= list[i + 1].weight % list[i].weight == 0;
    for (size_t i = list.size(); i-- > 0;) {
      const Digit &d = list[i];
      Expr digit = arena.floorDiv(isChain ? whole : r, d.weight);
      if (isChain && i + 1 < list.size())
        digit = arena.mod(digit, list[i + 1].weight / d.weight);
      Interval range = d.negative ? Interval::point(zeros[i]) - d.bounds
                                  : d.bounds - Interval::point(zeros[i]);
      // The highest digit needs no remainder: its bound stays linear.
      if (i + 1 == list.size())
        left.push_back(
            {r,
             {range.hasLower() ? (range * d.weight).lower : Interval::kMin,
              (range * d.weight + Interval::point(d.weight - 1)).upper}});
      else
        left.push_back({digit, range});
      by.push_back({d.index, d.negative
                                 ? arena.sub(arena.constant(zeros[i]), digit)
                                 : arena.add(digit, zeros[i])});
      r = arena.mod(isChain ? whole : r, d.weight);
    }
    left.push_back({r, Interval::point(0)});
    for (const Constraint &c : left)
      constrain(c.expr, c.bounds);
    replace(by);
  }

  /// An innermost division by a constant below `e` that has a range variable.
  Expr innermostDivision(Expr e) const {
    Expr found;
    arena.forEachPostOrder(e, [&](Expr x) {
      ExprKind k = arena.kind(x);
      if ((k == ExprKind::Quotient || k == ExprKind::Remainder ||
           k == ExprKind::CeilDiv) &&
          arena.divisor(x) > 0 && usesRange(x) && !found)
        found = x;
    });
    return found;
  }

  bool split(unsigned &splits) {
    for (const Equation &e : equations())
      for (const Term &t : e.nested)
        if (Expr division = innermostDivision(t.expr)) {
          ++splits;
          split(division);
          return true;
        }
    return false;
  }

  void split(Expr division) {
    Expr x = arena.lhs(division);
    int64_t c = arena.divisor(division);
    bool ceil = arena.kind(division) == ExprKind::CeilDiv;
    if (ceil)
      x = arena.add(x, c - 1);
    IntervalAnalysis bounds(arena, map.domain);
    Expr oldQ = ceil ? division : arena.floorDiv(x, c),
         oldR = ceil ? Expr() : arena.mod(x, c);
    Interval iq = bounds.interval(oldQ),
             ir = Interval{0, c - 1}.intersect(oldR ? bounds.interval(oldR)
                                                    : Interval::everything());
    Expr q = map.domain.addRange(arena, iq), r = map.domain.addRange(arena, ir);
    alive.resize(alive.size() + 2, true);
    auto rewrite = [&](Expr e) { return replaceNode(e, oldQ, q, oldR, r); };
    for (Expr &e : map.results)
      e = rewrite(e);
    for (Constraint &k : map.domain.constraints)
      k.expr = rewrite(k.expr);
    for (RuntimeVariable &v : map.domain.runtimes)
      for (Expr &e : v.index)
        e = rewrite(e);
    Term terms[] = {{x, 1}, {q, -c}, {r, -1}};
    map.domain.addConstraint(arena.sum(terms, 0), Interval::point(0));
  }

  /// e with all occurrences of two subexpressions replaced.
  Expr replaceNode(Expr root, Expr oldQ, Expr q, Expr oldR, Expr r) {
    llvm::SmallVector<Expr, 16> order;
    arena.forEachPostOrder(root, [&](Expr e) { order.push_back(e); });
    llvm::SmallDenseMap<uint32_t, Expr, 16> now;
    for (Expr e : order)
      now[e.getId()] = e == oldQ   ? q
                       : e == oldR ? r
                                   : arena.rebuild(e, [&](Expr op) {
                                       return now.find(op.getId())->second;
                                     });
    return now[root.getId()];
  }

  bool unit() {
    for (const Equation &e : equations()) {
      const Term *best = nullptr;
      Interval bestBounds;
      for (const Term &t : e.bare) {
        if (std::abs(t.coefficient) != 1 ||
            llvm::any_of(e.nested, [&](const Term &n) {
              return arena.uses(n.expr, arena.var(t.expr));
            }))
          continue;
        Interval i = boundsOf(t.expr);
        if (!best || (bestBounds.size() &&
                      (!i.size() || *i.size() > *bestBounds.size()))) {
          best = &t;
          bestBounds = i;
        }
      }
      if (!best)
        continue;
      llvm::SmallVector<Term, 8> others(e.rest);
      llvm::append_range(others, e.nested);
      for (const Term &t : e.bare)
        if (t.expr != best->expr)
          others.push_back(t);
      Expr value = arena.sum(others, e.constant);
      value = arena.scale(value, -best->coefficient);
      if (arena.kind(value) == ExprKind::Wide)
        continue;
      uint32_t index = arena.var(best->expr).index;
      dropConstraint(e.constraint);
      constrain(value, bestBounds);
      replace({{index, value}});
      return true;
    }
    return false;
  }

  /// Drops the solved variables and renumbers the others.
  void compact() {
    llvm::SmallVector<Expr, 8> by(alive.size());
    llvm::SmallVector<Variable, 4> kept;
    for (uint32_t i = 0; i < alive.size(); ++i)
      if (alive[i]) {
        by[i] = arena.range(kept.size());
        kept.push_back(map.domain.ranges[i]);
      }
    replace(by);
    map.domain.ranges = std::move(kept);
  }

  Arena &arena;
  Map map;
  llvm::SmallVector<bool, 8> alive;
  bool dirty = true; ///< true if not simplified since the last replacement
};
} // namespace

Map solveRanges(const Map &map) {
  if (map.isKnownEmpty() || map.domain.ranges.empty())
    return map;
  return RangeSolver(map).run();
}

} // namespace mercator::indexing
