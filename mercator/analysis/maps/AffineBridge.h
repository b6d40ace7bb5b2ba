// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From MLIR's affine expressions to those of the algebra, at the edge where
// linalg hands over its maps:
//
//   affine_map<(d0, d1) -> (d0 * 2 + d1)>, for d0 := s0 and d1 := s1
//     becomes s0 * 2 + s1

#ifndef MERCATOR_ANALYSIS_MAPS_AFFINEBRIDGE_H
#define MERCATOR_ANALYSIS_MAPS_AFFINEBRIDGE_H

#include "mercator/indexing/expr/Expr.h"

#include "mlir/IR/AffineExpr.h"

namespace mercator {

/// The expression with dims[i] for d<i>. Ensures: the same value for all values
/// of the variables. No expression where it uses symbols, or divides by what is
/// no positive constant, which MLIR gives no meaning to.
/// Requires: dims for all that it uses.
[[nodiscard]] indexing::Expr fromAffine(indexing::Arena &arena,
                                        mlir::AffineExpr expr,
                                        llvm::ArrayRef<indexing::Expr> dims);

} // namespace mercator

#endif // MERCATOR_ANALYSIS_MAPS_AFFINEBRIDGE_H
