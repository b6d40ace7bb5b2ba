// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The idea: simplify, drop unused ranges, then number the ranges in the order in
// which a walk over the results and constraints meets them. The walk visits the
// terms of a sum by coefficient, because the order of their handles depends on
// the old numbers. Renumbered sums may have another order of terms, so the map is
// simplified once more.

#include "mercator/indexing/decide/Canonical.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "llvm/ADT/DenseSet.h"

namespace mercator::indexing {

namespace {
/// The range variables in the order of their first use by the results, then by
/// the constraints; in a sum, by coefficient.
class RangeOrder {
public:
  explicit RangeOrder(const Map &m) : arena(*m.arena) {
    for (Expr e : m.results)
      visit(e);
    for (const Constraint &c : m.domain.constraints)
      visit(c.expr);
    for (uint32_t i = 0; i < m.domain.ranges.size(); ++i)
      add({VarKind::Range, i});
  }

  llvm::SmallVector<uint32_t, 4> order;

private:
  void add(Var v) {
    if (v.kind == VarKind::Range && !llvm::is_contained(order, v.index))
      order.push_back(v.index);
  }

  void visit(Expr e) {
    constexpr unsigned kHigh = 64;
    if (!seen.insert(e.getId()).second)
      return;
    if (arena.height(e) > kHigh) {
      arena.forEachPostOrder(e, [&](Expr x) {
        if (arena.kind(x) == ExprKind::Variable)
          add(arena.var(x));
      });
      return;
    }
    if (arena.kind(e) == ExprKind::Variable)
      return add(arena.var(e));
    if (arena.kind(e) == ExprKind::Sum) {
      LinearCopy l = arena.linearCopy(e);
      auto isVariable = [&](const Term &t) {
        return arena.kind(t.expr) == ExprKind::Variable;
      };
      llvm::sort(l.terms, [&](const Term &x, const Term &y) {
        return std::tuple(!isVariable(x), x.coefficient, x.expr) <
               std::tuple(!isVariable(y), y.coefficient, y.expr);
      });
      for (const Term &t : l.terms)
        visit(t.expr);
      return;
    }
    llvm::SmallVector<Expr, 4> operands;
    arena.operands(e, operands);
    for (Expr op : operands)
      visit(op);
  }

  Arena &arena;
  llvm::DenseSet<uint32_t> seen;
};

Map withRangesInOrder(Map m) {
  llvm::SmallVector<uint32_t, 4> order = RangeOrder(m).order;
  if (llvm::is_sorted(order))
    return m;
  llvm::SmallVector<Expr, 4> by(order.size());
  llvm::SmallVector<Variable, 4> ranges;
  for (uint32_t i = 0; i < order.size(); ++i) {
    by[order[i]] = m.arena->range(i);
    ranges.push_back(m.domain.ranges[order[i]]);
  }
  m.domain.ranges = std::move(ranges);
  substitute(m, {.dims = {}, .ranges = by, .runtimes = {}});
  return m;
}
} // namespace

Map canonical(const Map &given) {
  auto tidy = [](const Map &m) {
    return removeUnused(
        simplify(m,
                 {.foldPoints = true, .dropUnused = false, .normalForm = true}),
        UnusedVars::Ranges);
  };
  Map m = withRangesInOrder(tidy(given));
  if (m.isKnownEmpty())
    return m;
  m = tidy(m);
  llvm::sort(m.domain.constraints,
             [](const Constraint &x, const Constraint &y) {
               return std::tuple(x.expr, x.bounds.lower, x.bounds.upper) <
                      std::tuple(y.expr, y.bounds.lower, y.bounds.upper);
             });
  return m;
}

bool sameText(const Map &a, const Map &b) {
  auto sameBounds = [](const auto &x, const auto &y) {
    return llvm::equal(x, y, [](const auto &v, const auto &w) {
      return v.bounds == w.bounds;
    });
  };
  return a.results == b.results && a.domain.knownEmpty == b.domain.knownEmpty &&
         sameBounds(a.domain.dims, b.domain.dims) &&
         sameBounds(a.domain.ranges, b.domain.ranges) &&
         sameBounds(a.domain.runtimes, b.domain.runtimes) &&
         a.domain.constraints == b.domain.constraints;
}

} // namespace mercator::indexing
