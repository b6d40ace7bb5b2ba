// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Independent parts of a domain, and the depth-first walk over its points.
//
// The split is a union-find over the variables, joined by constraints. The walk
// is backtracking search without learning: subexpressions and constraints are
// sorted by the last variable that they use, and are evaluated when that
// variable gets its value.

#include "mercator/indexing/map/System.h"

#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"

namespace mercator::indexing {

System System::of(const Domain &domain) {
  System s;
  domain.forEachVar([&](Var v) {
    s.vars.push_back(v);
    s.bounds.push_back(domain.bounds(v));
  });
  s.constraints.assign(domain.constraints.begin(), domain.constraints.end());
  return s;
}

std::optional<int64_t> System::boxSize() const {
  int64_t product = 1;
  bool fits = true;
  for (Interval i : bounds) {
    if (i.isEmpty())
      return 0;
    std::optional<int64_t> n = i.size();
    fits = fits && n && !__builtin_mul_overflow(product, *n, &product);
  }
  return fits ? std::optional(product) : std::nullopt;
}

llvm::SmallVector<Var, 8> usedVars(const Arena &arena, Expr e) {
  llvm::SmallVector<Var, 8> result;
  VarSet set = arena.vars(e);
  if (!set.isExact()) {
    arena.forEachPostOrder(e, [&](Expr x) {
      if (arena.kind(x) == ExprKind::Variable)
        result.push_back(arena.var(x));
    });
    return result;
  }
  for (uint64_t bits = set.bits; bits; bits &= bits - 1) {
    uint32_t i = __builtin_ctzll(bits);
    if (i < VarSet::kDims)
      result.push_back({VarKind::Dim, i});
    else if (i < VarSet::kDims + VarSet::kRanges)
      result.push_back({VarKind::Range, i - VarSet::kDims});
    else
      result.push_back({VarKind::Runtime, i - VarSet::kDims - VarSet::kRanges});
  }
  return result;
}

uint32_t slotOf(const Domain &domain, Var v) {
  switch (v.kind) {
  case VarKind::Dim:
    return v.index;
  case VarKind::Range:
    return domain.dims.size() + v.index;
  case VarKind::Runtime:
    break;
  }
  return domain.dims.size() + domain.ranges.size() + v.index;
}

llvm::SmallVector<System, 4> independentParts(const Arena &arena,
                                              const System &system,
                                              llvm::ArrayRef<Expr> together) {
  size_t n = system.vars.size();
  llvm::IntEqClasses classes(n);
  /// A variable of the system that e uses, joined with the others of e; n for
  /// none.
  auto join = [&](Expr e) {
    size_t first = n;
    for (Var v : usedVars(arena, e)) {
      size_t i = llvm::find(system.vars, v) - system.vars.begin();
      if (first == n)
        first = i;
      else if (i != n)
        classes.join(first, i);
    }
    return first;
  };
  llvm::SmallVector<size_t, 8> used;
  for (const Constraint &c : system.constraints)
    used.push_back(join(c.expr));
  for (Expr e : together)
    (void)join(e);

  classes.compress();
  llvm::SmallVector<System, 4> parts(classes.getNumClasses());
  for (size_t i = 0; i < n; ++i) {
    parts[classes[i]].vars.push_back(system.vars[i]);
    parts[classes[i]].bounds.push_back(system.bounds[i]);
  }
  for (auto [i, c] : llvm::zip_equal(used, system.constraints))
    if (i != n)
      parts[classes[i]].constraints.push_back(c);
  return parts;
}

} // namespace mercator::indexing
