// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of affine expressions, node by node.

#include "mercator/analysis/maps/AffineBridge.h"

using namespace mercator;
using namespace mercator::indexing;
using mlir::AffineExprKind;

Expr mercator::fromAffine(Arena &arena, mlir::AffineExpr expr,
                          llvm::ArrayRef<Expr> dims) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr))
    return arena.constant(constant.getValue());
  if (auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  auto binary = llvm::dyn_cast<mlir::AffineBinaryOpExpr>(expr);
  if (!binary)
    return {};
  Expr lhs = fromAffine(arena, binary.getLHS(), dims);
  Expr rhs = fromAffine(arena, binary.getRHS(), dims);
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
