// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The value of an affine expression, by its definition.
///
///   affineValue(d0 floordiv 4 + s0, {9}, {1})        // 3
///
/// Source: the definition of affine expressions, mlir.llvm.org/docs/Dialects/
/// Affine: floordiv rounds down, ceildiv up, a mod b is from 0 to b - 1.

#ifndef MERCATOR_REFERENCE_LINALG_AFFINEVALUE_H
#define MERCATOR_REFERENCE_LINALG_AFFINEVALUE_H

#include "mlir/IR/AffineMap.h"

#include <optional>

namespace mercator::reference {

/// Nothing where something is divided by zero or a negative number, or the
/// value is beyond 64 bits.
[[nodiscard]] std::optional<int64_t>
affineValue(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> dims,
            llvm::ArrayRef<int64_t> symbols);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_LINALG_AFFINEVALUE_H
