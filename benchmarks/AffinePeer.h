// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same maps as mlir::AffineMap, to time it on them.

#ifndef MERCATOR_BENCHMARKS_AFFINEPEER_H
#define MERCATOR_BENCHMARKS_AFFINEPEER_H

#include "mercator/indexing/map/Map.h"

#include "mlir/IR/AffineMap.h"

#include <optional>

namespace mercator::bench {

/// The same function over dimensions, and symbols for ranges, then runtime
/// variables. None for min and max, which AffineExpr does not have.
/// Requires: no Wide expression.
[[nodiscard]] std::optional<mlir::AffineExpr>
toAffine(mlir::MLIRContext *context, const indexing::Map &map,
         indexing::Expr e);

/// The results of the map, without its domain: an AffineMap has none.
/// Requires: no result has min or max.
[[nodiscard]] mlir::AffineMap toAffine(mlir::MLIRContext *context,
                                       const indexing::Map &map);

} // namespace mercator::bench

#endif // MERCATOR_BENCHMARKS_AFFINEPEER_H
