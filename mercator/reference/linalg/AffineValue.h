// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The value of an affine expression, by its definition.
///
/// ```cpp (mlir::MLIRContext &context)
/// mlir::AffineExpr d0 = mlir::getAffineDimExpr(0, &context);
/// mlir::AffineExpr s0 = mlir::getAffineSymbolExpr(0, &context);
/// assert(affineValue(d0.floorDiv(4) + s0, {9}, {1}) == 3);
/// ```
///
/// Source: the definition of affine expressions, mlir.llvm.org/docs/Dialects/
/// Affine: floordiv rounds down, ceildiv rounds up, a mod b is from 0 to b - 1.

#ifndef MERCATOR_REFERENCE_LINALG_AFFINEVALUE_H
#define MERCATOR_REFERENCE_LINALG_AFFINEVALUE_H

#include "mlir/IR/AffineMap.h"

#include <optional>

namespace mercator::reference {

/// Nothing for a division by zero or by a negative number, and if the value
/// does not fit in 64 bits.
[[nodiscard]] std::optional<int64_t>
affineValue(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> dims,
            llvm::ArrayRef<int64_t> symbols);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_LINALG_AFFINEVALUE_H
