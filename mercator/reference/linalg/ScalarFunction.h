// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The function of an operation of `arith`, `math` or `complex` on elements.
///
/// ```cpp (mlir::Operation *op, Scalar a, Scalar b)
/// std::optional<ElementFunction> add = scalarFunction(op);
/// Scalar operands[] = {a, b};
/// if (add)
///   (void)(*add)(operands); // rounded to the result's type
/// ```
///
/// Signless integers are read as the operation requires: as two's complement or
/// as natural numbers; `true` is -1 or 1. If an operation is undefined (a
/// division by zero, a shift by the width or more), the result is a fixed value
/// that no operation of StableHLO gives there: a program that uses it differs
/// from its source. Elementary functions are those of the C library in double, rounded
/// once. MLIR folds those of f32 with the library's functions of f32, so a
/// folded value can differ in the last digit.
///
/// Source: the definitions of the dialects, mlir.llvm.org/docs/Dialects.

#ifndef MERCATOR_REFERENCE_LINALG_SCALARFUNCTION_H
#define MERCATOR_REFERENCE_LINALG_SCALARFUNCTION_H

#include "mercator/reference/core/ElementFunction.h"
#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

/// Nothing for an operation of other dialects, with several results, or with an
/// element type that tensors cannot have. Operands and result may be numbers or
/// tensors of numbers.
[[nodiscard]] std::optional<ElementFunction>
scalarFunction(mlir::Operation *op);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_LINALG_SCALARFUNCTION_H
