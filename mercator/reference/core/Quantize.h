// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Quantised tensors: integers that stand for floats. The specification defines
/// an operation on them as the same operation on the floats:
///
///   FailureOr<Tensor> x = dequantize(step.tensor(0), emitError);
///   ..                       // the operation, on and into expressed types
///   FailureOr<Tensor> q = quantize(y, step.op->getResult(0).getType(), ..);
///
/// Both leave a tensor alone where there is nothing quantised, so an operation
/// that also takes floats (a hybrid dot_general) need not ask.
///
/// Source: the StableHLO specification, "Functions on quantized tensors".

#ifndef MERCATOR_REFERENCE_CORE_QUANTIZE_H
#define MERCATOR_REFERENCE_CORE_QUANTIZE_H

#include "mercator/reference/core/Tensor.h"

namespace mercator::reference {

/// Whether this is a tensor type with quantised elements.
[[nodiscard]] bool isQuantized(mlir::Type type);

/// The type of the floats that a quantised type stands for; any other type is
/// its own. Of an element, or of a tensor.
[[nodiscard]] mlir::Type expressedElement(mlir::Type type);
[[nodiscard]] mlir::RankedTensorType expressedType(mlir::RankedTensorType type);

/// The floats that a tensor stands for: (i - zero_point) * scale, each step
/// rounded to the expressed type; the difference is exact. Fails, with an
/// error, where the type is none of the specification's, or has other than one
/// scale for each slice.
llvm::FailureOr<Tensor> dequantize(const Tensor &tensor, EmitError emitError);

/// The nearest that a quantised type has: x / scale + zero_point, clamped to
/// the storage bounds and rounded to the nearest integer, ties to even. Only
/// the element type of `type` counts, the shape is that of the tensor.
/// Requires: `tensor` has the element type that `type` expresses.
llvm::FailureOr<Tensor> quantize(const Tensor &tensor,
                                 mlir::RankedTensorType type,
                                 EmitError emitError);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_QUANTIZE_H
