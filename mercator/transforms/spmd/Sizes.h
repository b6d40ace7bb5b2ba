// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of tensors, bytes of elements, and the work of an operation. Internal.
//
//   dot_general tensor<8x16xf32>, tensor<16x4xf32>      8 * 4 * 16 = 512

#ifndef MERCATOR_TRANSFORMS_SPMD_SIZES_H
#define MERCATOR_TRANSFORMS_SPMD_SIZES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace mercator::spmd {

/// Requires: the value is a tensor.
[[nodiscard]] inline mlir::RankedTensorType tensorOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// At least 1.
[[nodiscard]] int64_t bytesOfElement(mlir::Type element);

/// The elements that an operation computes, times the terms of a sum.
[[nodiscard]] double workOfOperation(mlir::Operation *op);

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_SIZES_H
