// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of MLIR's affine expressions to the expressions of the algebra,
// for the indexing maps of linalg:
//
//   affine_map<(d0, d1) -> (d0 * 2 + d1)>, for d0 := s0 and d1 := s1
//     becomes s0 * 2 + s1

#ifndef MERCATOR_ANALYSIS_MAPS_AFFINEBRIDGE_H
#define MERCATOR_ANALYSIS_MAPS_AFFINEBRIDGE_H

#include "mercator/indexing/expr/Expr.h"

#include "mlir/IR/AffineExpr.h"

namespace mercator {

/// The expression with dims[i] for d<i>. No expression if `expr` uses symbols,
/// or divides by anything but a positive constant, which MLIR leaves undefined.
/// Requires: dims has an entry for each dimension that `expr` uses.
/// Ensures: the same value for all values of the variables.
[[nodiscard]] indexing::Expr fromAffine(indexing::Arena &arena,
                                        mlir::AffineExpr expr,
                                        llvm::ArrayRef<indexing::Expr> dims);

} // namespace mercator

#endif // MERCATOR_ANALYSIS_MAPS_AFFINEBRIDGE_H
