// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/linalg/AffineValue.h"

#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;

namespace mercator::reference {

std::optional<int64_t> affineValue(AffineExpr expr, ArrayRef<int64_t> dims,
                                   ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  std::optional<int64_t> a = affineValue(binary.getLHS(), dims, symbols),
                         b = affineValue(binary.getRHS(), dims, symbols);
  if (!a || !b)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add)
    return llvm::checkedAdd(*a, *b);
  if (expr.getKind() == AffineExprKind::Mul)
    return llvm::checkedMul(*a, *b);
  if (*b <= 0)
    return std::nullopt;
  int64_t rest = *a % *b < 0 ? *a % *b + *b : *a % *b;
  int64_t floor = *a / *b - (*a % *b < 0);
  switch (expr.getKind()) {
  case AffineExprKind::Mod:
    return rest;
  case AffineExprKind::FloorDiv:
    return floor;
  default:
    return floor + (rest != 0);
  }
}

} // namespace mercator::reference
