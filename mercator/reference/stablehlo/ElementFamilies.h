// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The families of elementwise operations. Each gives the function of an
/// operation for a kind of element. Null if the operation is not in the family
/// or has no meaning for that kind. Only ElementwiseFunction.cpp and the
/// families themselves include this.

#ifndef MERCATOR_REFERENCE_STABLEHLO_ELEMENTFAMILIES_H
#define MERCATOR_REFERENCE_STABLEHLO_ELEMENTFAMILIES_H

#include "mercator/reference/core/ElementCalls.h"

#include "mlir/IR/Operation.h"

namespace mercator::reference::families {

/// Addition, division, extrema, signs.
Call arithmetic(mlir::Operation *op, const Element &operand);
/// Logic, shifts, counts.
Call bits(mlir::Operation *op, const Element &operand);
/// Comparisons, and choices between operands.
Call comparison(mlir::Operation *op, const Element &operand);
/// From one element type to another, and to fewer digits.
Call conversion(mlir::Operation *op, const Element &operand);
/// Roots, exponentials, logarithms, angles.
Call transcendental(mlir::Operation *op, const Element &operand);

/// The functions of the chlo dialect.
Call chlo(mlir::Operation *op, const Element &operand);

} // namespace mercator::reference::families

#endif // MERCATOR_REFERENCE_STABLEHLO_ELEMENTFAMILIES_H
