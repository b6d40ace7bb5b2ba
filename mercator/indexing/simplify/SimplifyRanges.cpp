// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules on range variables. A range variable is bound by "there is", so a map
// may have other range variables that give the same elements:
//
//   (d0)[s0] -> (s0), d0 - s0 in [0, 0]
//     => (d0) -> (d0)
//   (d0)[s0, s1] -> (s0 * 4 + s1), s1 in [0, 3]
//     => (d0)[s0] -> (s0)
//   (d0)[s0] -> (s0 / 4), s0 in [0, 31]
//     => (d0)[s0] -> (s0), s0 in [0, 7]
//   (d0)[s0] -> (s0 / 6), s0 mod 6 in [0, 0]
//     => (d0)[s0] -> (s0)
//
// A candidate map is taken if it is not larger than the map.

#include "mercator/indexing/map/System.h"
#include "mercator/indexing/simplify/Simplifier.h"
#include "mercator/indexing/simplify/Solve.h"

#include "llvm/ADT/DenseSet.h"

namespace mercator::indexing {

namespace {
bool isRange(const Arena &arena, Expr e) {
  return arena.kind(e) == ExprKind::Variable &&
         arena.var(e).kind == VarKind::Range;
}

/// The uses of a range variable.
struct RangeUses {
  /// The sums with the variable as a term, and its coefficients.
  llvm::SmallVector<Term, 4> sums;
  /// The greatest common divisor of the constants that divide the variable.
  int64_t divisor = 0;
  /// Whether there is any other use.
  bool otherwise = false;

  [[nodiscard]] bool onlySums() const {
    return !sums.empty() && divisor == 0 && !otherwise;
  }
  [[nodiscard]] bool onlyQuotients() const {
    return divisor > 1 && sums.empty() && !otherwise;
  }
};

class RangeRewriter {
public:
  explicit RangeRewriter(const Map &map)
      : arena(*map.arena), map(map), uses(map.domain.ranges.size()) {
    for (uint32_t i = 0; i < uses.size(); ++i)
      ranges = ranges | VarSet::of({VarKind::Range, i});
    for (Expr e : map.results)
      visitRoot(e);
    for (const Constraint &c : map.domain.constraints)
      visitRoot(c.expr);
    for (const RuntimeVariable &v : map.domain.runtimes)
      for (Expr e : v.index)
        visitRoot(e);
  }

  /// A rewrite that gives a smaller map, if one applies.
  std::optional<Map> merged() const {
    for (uint32_t high = 0; high < uses.size(); ++high)
      for (uint32_t low = 0; low < uses.size(); ++low)
        if (high != low)
          if (auto m = merged(high, low))
            return m;
    return std::nullopt;
  }

  /// A range variable s that becomes factor * s + offset, with new bounds.
  struct Rescaled {
    uint32_t range;
    Expr by;
    Interval bounds;
    std::optional<size_t> constraint; ///< that the new bounds replace
  };
  /// One for each range variable that is only divided.
  llvm::SmallVector<Rescaled, 4> divided() const {
    llvm::SmallVector<Rescaled, 4> list;
    for (uint32_t i = 0; i < uses.size(); ++i) {
      Interval b = map.domain.ranges[i].bounds;
      int64_t c = uses[i].divisor;
      if (uses[i].onlyQuotients() && !b.isEmpty())
        addScaled(list, i, c, 0, b.floorDiv(c), std::nullopt);
    }
    return list;
  }

  /// One for each constraint of the form `s mod c in [k, k]`.
  llvm::SmallVector<Rescaled, 4> byCongruences() const {
    llvm::SmallVector<Rescaled, 4> list;
    for (size_t i = 0; i < map.domain.constraints.size(); ++i)
      addCongruence(list, i);
    return list;
  }

  Map rescaled(llvm::ArrayRef<Rescaled> list) const {
    llvm::SmallVector<Expr, 4> by(uses.size());
    for (const Rescaled &r : list)
      by[r.range] = r.by;
    Map m = map;
    substitute(m, {.dims = {}, .ranges = by, .runtimes = {}});
    for (const Rescaled &r : llvm::reverse(list)) {
      m.domain.ranges[r.range].bounds = r.bounds;
      if (r.constraint)
        m.domain.constraints.erase(m.domain.constraints.begin() +
                                   *r.constraint);
    }
    return m;
  }

private:
  void addCongruence(llvm::SmallVectorImpl<Rescaled> &list, size_t i) const {
    const Constraint &c = map.domain.constraints[i];
    if (arena.kind(c.expr) != ExprKind::Remainder || !c.bounds.isPoint() ||
        arena.divisor(c.expr) == 0 || !isRange(arena, arena.lhs(c.expr)))
      return;
    uint32_t range = arena.var(arena.lhs(c.expr)).index;
    int64_t m = arena.divisor(c.expr), k = c.bounds.lower;
    Interval b = map.domain.ranges[range].bounds, x = b - Interval::point(k);
    if (b.hasLower() != x.hasLower() || b.hasUpper() != x.hasUpper() ||
        llvm::any_of(list, [&](const Rescaled &r) { return r.range == range; }))
      return;
    x = {x.hasLower() ? ceilDivPositive(x.lower, m) : Interval::kMin,
         x.hasUpper() ? floorDivPositive(x.upper, m) : Interval::kMax};
    if (!x.isEmpty())
      addScaled(list, range, m, k, x, i);
  }

  /// Replaces s by c*s + k.
  void addScaled(llvm::SmallVectorImpl<Rescaled> &list, uint32_t i, int64_t c,
                 int64_t k, Interval bounds,
                 std::optional<size_t> constraint) const {
    Expr by = arena.add(arena.scale(arena.range(i), c), k);
    if (arena.kind(by) != ExprKind::Wide)
      list.push_back({i, by, bounds, constraint});
  }

  void visitRoot(Expr root) {
    if (isRange(arena, root)) {
      uses[arena.var(root).index].otherwise = true;
      return;
    }
    if (!arena.vars(root).mayIntersect(ranges))
      return;
    // Every expression that uses a range variable, once.
    llvm::SmallVector<Expr, 16> stack{root};
    llvm::SmallVector<Expr, 8> operands;
    while (!stack.empty()) {
      Expr e = stack.pop_back_val();
      if (!arena.vars(e).mayIntersect(ranges) ||
          arena.kind(e) == ExprKind::Variable || !seen.insert(e.getId()).second)
        continue;
      operands.clear();
      arena.operands(e, operands);
      visit(e, operands);
      llvm::append_range(stack, operands);
    }
  }

  void visit(Expr e, llvm::ArrayRef<Expr> operands) {
    switch (arena.kind(e)) {
    case ExprKind::Sum:
      for (const Term &t : arena.linear(e).terms)
        if (isRange(arena, t.expr))
          uses[arena.var(t.expr).index].sums.push_back({e, t.coefficient});
      return;
    case ExprKind::Quotient:
      if (isRange(arena, arena.lhs(e)) && arena.divisor(e) > 0) {
        int64_t &d = uses[arena.var(arena.lhs(e)).index].divisor;
        d = std::gcd(d, arena.divisor(e));
        return;
      }
      break;
    default:
      break;
    }
    for (Expr op : operands)
      if (isRange(arena, op))
        uses[arena.var(op).index].otherwise = true;
  }

  /// Replaces c*s0 + s1 by s1, if both are used in such sums only.
  std::optional<Map> merged(uint32_t high, uint32_t low) const {
    const RangeUses &h = uses[high], &l = uses[low];
    if (!h.onlySums() || !l.onlySums() || h.sums.size() != l.sums.size())
      return std::nullopt;
    int64_t c = 0;
    for (auto [x, y] : llvm::zip(h.sums, l.sums)) {
      if (x.expr != y.expr || x.coefficient == Interval::kMin ||
          y.coefficient == Interval::kMin || x.coefficient % y.coefficient != 0)
        return std::nullopt;
      int64_t ratio = x.coefficient / y.coefficient;
      if (c != 0 && ratio != c)
        return std::nullopt;
      c = ratio;
    }
    // The values of c*s0 + s1 have no gaps if s1 has at least |c| values.
    Interval ofHigh = map.domain.ranges[high].bounds,
             ofLow = map.domain.ranges[low].bounds;
    std::optional<int64_t> size = ofLow.size();
    if (!ofHigh.isBounded() || ofHigh.isEmpty() || !size || *size < std::abs(c))
      return std::nullopt;
    Interval both = ofHigh * c + ofLow;
    if (!both.isBounded())
      return std::nullopt;
    llvm::SmallVector<Expr, 4> by(uses.size());
    by[high] = arena.constant(0);
    for (uint32_t i = high + 1; i < uses.size(); ++i)
      by[i] = arena.range(i - 1);
    Map m = map;
    substitute(m, {.dims = {}, .ranges = by, .runtimes = {}});
    m.domain.ranges[low].bounds = both;
    m.domain.ranges.erase(m.domain.ranges.begin() + high);
    return m;
  }

  Arena &arena;
  const Map &map;
  llvm::SmallVector<RangeUses, 4> uses;
  VarSet ranges;
  llvm::SmallDenseSet<uint32_t, 32> seen;
};

/// True if an equation has a range variable as a term; solving others seldom
/// gives simpler maps. False if the index of a runtime variable uses a range
/// variable: with s0 - rt0 = 0 and rt0 read at s0, replacing s0 by rt0 would
/// make rt0 part of its own index.
bool hasEquation(const Map &map) {
  for (const RuntimeVariable &v : map.domain.runtimes)
    for (Expr e : v.index)
      for (Var used : usedVars(*map.arena, e))
        if (used.kind == VarKind::Range)
          return false;
  return llvm::any_of(map.domain.constraints, [&](const Constraint &c) {
    return c.bounds.isPoint() && map.arena->kind(c.expr) == ExprKind::Sum &&
           llvm::any_of(map.arena->linear(c.expr).terms, [&](const Term &t) {
             return isRange(*map.arena, t.expr);
           });
  });
}
} // namespace

bool simplifyRanges(Map &map, const SimplifyOptions &options) {
  bool tried = false;
  uint64_t size = 0; // of the map; 0: not known yet
  // Takes the candidate if it is not larger.
  auto take = [&](Rule rule, Map candidate) {
    RuleTrace steps;
    SimplifyOptions inner = options;
    inner.trace = options.trace ? &steps : nullptr;
    simplifyInPlace(candidate, inner);
    if (size == 0)
      size = sizeOf(map);
    tried = true;
    uint64_t candidateSize = sizeOf(candidate);
    if (candidateSize > size ||
        candidate.domain.ranges.size() > map.domain.ranges.size())
      return false;
    if (options.trace) {
      options.trace->push_back({rule, Expr(), Expr()});
      llvm::append_range(*options.trace, steps);
    }
    map = std::move(candidate);
    size = candidateSize;
    return true;
  };
  // Each turn leaves fewer range variables, fewer constraints, or smaller
  // divisors. The limit is a safeguard.
  constexpr unsigned kMaxTurns = 64;
  for (unsigned turn = 0; turn < kMaxTurns; ++turn) {
    if (map.isKnownEmpty() || map.domain.ranges.empty())
      break;
    if (hasEquation(map)) {
      tried = true;
      Map solved = solveRanges(map);
      if (solved.domain.ranges.size() < map.domain.ranges.size() &&
          take(Rule::RangeSolved, std::move(solved)))
        continue;
    }
    RangeRewriter rewriter(map);
    if (auto m = rewriter.merged();
        m && take(Rule::RangesMerged, std::move(*m)))
      continue;
    // All variables at once, or else the first that may be rescaled alone.
    auto takeRescaled = [&](llvm::ArrayRef<RangeRewriter::Rescaled> list) {
      if (list.size() > 1 && take(Rule::RangeRescaled, rewriter.rescaled(list)))
        return true;
      return llvm::any_of(list, [&](const RangeRewriter::Rescaled &r) {
        return take(Rule::RangeRescaled, rewriter.rescaled(r));
      });
    };
    if (!takeRescaled(rewriter.divided()) &&
        !takeRescaled(rewriter.byCongruences()))
      break;
  }
  return tried;
}

} // namespace mercator::indexing
