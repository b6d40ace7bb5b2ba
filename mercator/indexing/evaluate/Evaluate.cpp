// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of an expression by definition: each node once, operands first,
// with checked arithmetic.

#include "mercator/indexing/evaluate/Evaluate.h"
#include "mercator/indexing/expr/CheckedArithmetic.h"

#include "llvm/ADT/DenseMap.h"

namespace mercator::indexing {

using Value = std::optional<int64_t>;
using Values = llvm::SmallDenseMap<uint32_t, Value, 32>;

static int64_t coordinate(const Domain &domain, llvm::ArrayRef<int64_t> point,
                          Var v) {
  size_t slot = v.index;
  if (v.kind != VarKind::Dim)
    slot += domain.dims.size();
  if (v.kind == VarKind::Runtime)
    slot += domain.ranges.size();
  return point[slot];
}

static Value evaluateSum(llvm::ArrayRef<Term> terms, int64_t constant,
                         const Values &values) {
  CheckedSum sum(constant);
  for (const Term &t : terms) {
    Value x = values.lookup(t.expr.getId());
    if (!x)
      return std::nullopt;
    sum.add(*x, t.coefficient);
  }
  return sum.value();
}

static Value evaluateProduct(llvm::ArrayRef<Term> factors,
                             const Values &values) {
  CheckedProduct product;
  for (const Term &t : factors) {
    Value x = values.lookup(t.expr.getId());
    if (!x)
      return std::nullopt;
    product.multiply(*x, t.coefficient);
  }
  return product.value();
}

std::optional<int64_t> evaluate(const Arena &arena, Expr root,
                                const Domain &domain,
                                llvm::ArrayRef<int64_t> point) {
  assert(point.size() == domain.numVars());
  Values values;
  arena.forEachPostOrder(root, [&](Expr e) {
    Value &value = values[e.getId()];
    switch (arena.kind(e)) {
    case ExprKind::Constant:
      value = arena.constantValue(e);
      return;
    case ExprKind::Variable:
      value = coordinate(domain, point, arena.var(e));
      return;
    case ExprKind::Sum: {
      Linear l = arena.linear(e);
      value = evaluateSum(l.terms, l.constant, values);
      return;
    }
    case ExprKind::Product:
      value = evaluateProduct(arena.factors(e), values);
      return;
    default:
      Value x = values.lookup(arena.lhs(e).getId());
      Value y = values.lookup(arena.rhs(e).getId());
      ExprKind kind = arena.kind(e);
      bool wideIsSum = kind == ExprKind::Wide && arena.wideIsSum(e);
      value = x && y ? checkedBinary(kind, wideIsSum, *x, *y) : std::nullopt;
    }
  });
  return values.lookup(root.getId());
}

bool contains(const Arena &arena, const Domain &domain,
              llvm::ArrayRef<int64_t> point) {
  assert(point.size() == domain.numVars());
  bool inside = true;
  size_t i = 0;
  domain.forEachVar(
      [&](Var v) { inside &= domain.bounds(v).contains(point[i++]); });
  if (!inside)
    return false;
  for (const Constraint &c : domain.constraints) {
    Value x = evaluate(arena, c.expr, domain, point);
    if (!x || !c.bounds.contains(*x))
      return false;
  }
  return true;
}

} // namespace mercator::indexing
