// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AffinePeer.h"

#include "mlir/IR/MLIRContext.h"

using namespace mercator;
using namespace mercator::indexing;
using mlir::AffineExpr;

static AffineExpr variable(mlir::MLIRContext *context, const Map &map, Var v) {
  switch (v.kind) {
  case VarKind::Dim:
    return mlir::getAffineDimExpr(v.index, context);
  case VarKind::Range:
    return mlir::getAffineSymbolExpr(v.index, context);
  case VarKind::Runtime:
    break;
  }
  return mlir::getAffineSymbolExpr(map.domain.ranges.size() + v.index, context);
}

std::optional<AffineExpr> bench::toAffine(mlir::MLIRContext *context,
                                          const Map &map, Expr e) {
  const Arena &arena = *map.arena;
  auto operand = [&](Expr x) { return toAffine(context, map, x); };
  switch (arena.kind(e)) {
  case ExprKind::Constant:
    return mlir::getAffineConstantExpr(arena.constantValue(e), context);
  case ExprKind::Variable:
    return variable(context, map, arena.var(e));
  case ExprKind::Sum: {
    LinearCopy sum = arena.linearCopy(e);
    AffineExpr total = mlir::getAffineConstantExpr(sum.constant, context);
    for (Term term : sum.terms) {
      std::optional<AffineExpr> x = operand(term.expr);
      if (!x)
        return std::nullopt;
      total = total + *x * term.coefficient;
    }
    return total;
  }
  case ExprKind::Product: {
    AffineExpr total = mlir::getAffineConstantExpr(1, context);
    for (Term factor : arena.factors(e)) {
      std::optional<AffineExpr> x = operand(factor.expr);
      if (!x)
        return std::nullopt;
      for (int64_t i = 0; i < factor.coefficient; ++i)
        total = total * *x;
    }
    return total;
  }
  case ExprKind::Quotient:
  case ExprKind::Remainder:
  case ExprKind::CeilDiv: {
    std::optional<AffineExpr> x = operand(arena.lhs(e)),
                              y = operand(arena.rhs(e));
    if (!x || !y)
      return std::nullopt;
    if (arena.kind(e) == ExprKind::Quotient)
      return x->floorDiv(*y);
    return arena.kind(e) == ExprKind::Remainder ? *x % *y : x->ceilDiv(*y);
  }
  case ExprKind::Min:
  case ExprKind::Max:
  case ExprKind::Wide:
    break;
  }
  return std::nullopt;
}

mlir::AffineMap bench::toAffine(mlir::MLIRContext *context, const Map &map) {
  llvm::SmallVector<AffineExpr, 6> results;
  for (Expr e : map.results)
    results.push_back(*toAffine(context, map, e));
  return mlir::AffineMap::get(
      map.numDims(), map.domain.ranges.size() + map.domain.runtimes.size(),
      results, context);
}
