// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of affine expressions, node by node.

#include "mercator/analysis/maps/AffineBridge.h"

using namespace mercator;
using namespace mercator::indexing;
using mlir::AffineExpr;
using mlir::AffineExprKind;

Expr mercator::fromAffine(Arena &arena, AffineExpr expr,
                          llvm::ArrayRef<Expr> dims,
                          llvm::ArrayRef<Expr> symbols) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr))
    return arena.constant(constant.getValue());
  if (auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr))
    return symbol.getPosition() < symbols.size() ? symbols[symbol.getPosition()]
                                                 : Expr();
  auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
  Expr lhs = fromAffine(arena, binary.getLHS(), dims, symbols);
  Expr rhs = fromAffine(arena, binary.getRHS(), dims, symbols);
  if (!lhs || !rhs)
    return {};
  if (expr.getKind() == AffineExprKind::Add)
    return arena.add(lhs, rhs);
  if (expr.getKind() == AffineExprKind::Mul)
    return arena.mul(lhs, rhs);
  if (!arena.isConstant(rhs) || arena.constantValue(rhs) <= 0)
    return {};
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return arena.floorDiv(lhs, rhs);
  case AffineExprKind::CeilDiv:
    return arena.ceilDiv(lhs, rhs);
  case AffineExprKind::Mod:
    return arena.mod(lhs, rhs);
  default:
    return {};
  }
}

static AffineExpr toAffine(mlir::MLIRContext *context, const Map &map, Var v) {
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

/// x to the given power, times `by`; none where that is not affine.
static std::optional<AffineExpr> timesPower(AffineExpr by, AffineExpr x,
                                            int64_t power) {
  for (; power > 0; --power) {
    if (!by.isSymbolicOrConstant() && !x.isSymbolicOrConstant())
      return std::nullopt;
    by = by * x;
  }
  return by;
}

std::optional<AffineExpr> mercator::toAffine(mlir::MLIRContext *context,
                                             const Map &map, Expr e) {
  const Arena &arena = *map.arena;
  auto operand = [&](Expr x) { return toAffine(context, map, x); };
  switch (arena.kind(e)) {
  case ExprKind::Constant:
    return mlir::getAffineConstantExpr(arena.constantValue(e), context);
  case ExprKind::Variable:
    return ::toAffine(context, map, arena.var(e));
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
    std::optional<AffineExpr> total = mlir::getAffineConstantExpr(1, context);
    for (Term factor : arena.factors(e)) {
      std::optional<AffineExpr> x = operand(factor.expr);
      if (x)
        total = timesPower(*total, *x, factor.coefficient);
      if (!x || !total)
        return std::nullopt;
    }
    return total;
  }
  case ExprKind::Quotient:
  case ExprKind::Remainder:
  case ExprKind::CeilDiv: {
    std::optional<AffineExpr> x = operand(arena.lhs(e));
    auto divisor = static_cast<uint64_t>(arena.divisor(e));
    if (!x || divisor == 0)
      return std::nullopt;
    if (arena.kind(e) == ExprKind::Quotient)
      return x->floorDiv(divisor);
    return arena.kind(e) == ExprKind::Remainder ? *x % divisor
                                                : x->ceilDiv(divisor);
  }
  case ExprKind::Min:
  case ExprKind::Max:
  case ExprKind::Wide:
    break;
  }
  return std::nullopt;
}

std::optional<mlir::AffineMap> mercator::toAffine(mlir::MLIRContext *context,
                                                  const Map &map) {
  llvm::SmallVector<AffineExpr, 6> results;
  for (Expr e : map.results) {
    std::optional<AffineExpr> x = toAffine(context, map, e);
    if (!x)
      return std::nullopt;
    results.push_back(*x);
  }
  return mlir::AffineMap::get(
      map.numDims(), map.domain.ranges.size() + map.domain.runtimes.size(),
      results, context);
}
