// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Quantized tensors: integers that express floats. The specification defines
/// an operation on them as the same operation on the floats:
///
///   FailureOr<Tensor> x = dequantize(step.tensor(0), emitError);
///   ..                       // the operation, on and into expressed types
///   FailureOr<Tensor> q = quantize(y, step.op->getResult(0).getType(), ..);
///
/// Both functions return tensors without quantization unchanged, so an
/// operation that also takes floats (a hybrid dot_general) can call them
/// always.
///
/// Source: the StableHLO specification, "Functions on quantized tensors".

#ifndef MERCATOR_REFERENCE_CORE_QUANTIZE_H
#define MERCATOR_REFERENCE_CORE_QUANTIZE_H

#include "mercator/reference/core/Tensor.h"

namespace mercator::reference {

/// Whether this is a tensor type with quantized elements.
[[nodiscard]] bool isQuantized(mlir::Type type);

/// The float type that a quantized type expresses; other types are unchanged.
/// Takes an element type or a tensor type.
[[nodiscard]] mlir::Type expressedElement(mlir::Type type);
[[nodiscard]] mlir::RankedTensorType expressedType(mlir::RankedTensorType type);

/// The expressed floats: (i - zero_point) * scale, with each step rounded to
/// the expressed type; the difference is exact. Fails with an error if the type
/// is not in the specification or does not have one scale for each slice.
llvm::FailureOr<Tensor> dequantize(const Tensor &tensor, EmitError emitError);

/// The nearest quantized value: x / scale + zero_point, clamped to the storage
/// bounds and rounded to the nearest integer, ties to even. Only the element
/// type of `type` is used; the shape is that of the tensor. Requires: `tensor`
/// has the element type that `type` expresses.
llvm::FailureOr<Tensor> quantize(const Tensor &tensor,
                                 mlir::RankedTensorType type,
                                 EmitError emitError);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_QUANTIZE_H
