// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between MLIR's affine expressions and those of the algebra, at the edges:
// linalg hands over its maps, a lowering to linalg wants some.
//
//   affine_map<(d0)[s0] -> (d0 * 2 + s0)>  <->  (d0)[s0] -> (d0 * 2 + s0)
//
// An affine map has no domain, no min and no max. Its symbols are the range
// variables of a map, then the runtime variables.
//
// Complexity: linear in the expression written out as a tree.

#ifndef MERCATOR_ANALYSIS_MAPS_AFFINEBRIDGE_H
#define MERCATOR_ANALYSIS_MAPS_AFFINEBRIDGE_H

#include "mercator/indexing/map/Map.h"

#include "mlir/IR/AffineMap.h"

#include <optional>

namespace mercator {

/// The expression with dims[i] for d<i> and symbols[i] for s<i>. Ensures: the
/// same value for all values of the variables. No expression where a symbol has
/// none, or a divisor is not a positive constant: MLIR gives that no meaning.
/// Requires: an expression for each dimension that it uses.
[[nodiscard]] indexing::Expr
fromAffine(indexing::Arena &arena, mlir::AffineExpr expr,
           llvm::ArrayRef<indexing::Expr> dims,
           llvm::ArrayRef<indexing::Expr> symbols = {});

/// An expression over the variables of `map`. Ensures: the same value for all
/// values of the variables. None where it has a min, a max, a product of two
/// dimensions, or a divisor that is not a positive constant.
[[nodiscard]] std::optional<mlir::AffineExpr>
toAffine(mlir::MLIRContext *context, const indexing::Map &map,
         indexing::Expr expr);

/// The results of the map, without its domain. None where one of them is no
/// affine expression.
[[nodiscard]] std::optional<mlir::AffineMap>
toAffine(mlir::MLIRContext *context, const indexing::Map &map);

} // namespace mercator

#endif // MERCATOR_ANALYSIS_MAPS_AFFINEBRIDGE_H
