// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The body of an element-wise operation as code for vectors: what a product computes
/// of its operand (Prologue.h) and of its result (Epilogue.h).

#ifndef MERCATOR_TARGETS_CPU_KERNELS_ELEMENTBODY_H
#define MERCATOR_TARGETS_CPU_KERNELS_ELEMENTBODY_H

#include "mercator/targets/cpu/kernels/Contraction.h"

#include <string>

namespace mercator::cpu {

/// Whether the body is arithmetic of few operations, without functions, that vectors
/// compute in the same way. Conversions from narrow numbers are arithmetic.
[[nodiscard]] bool isVectorArithmetic(mlir::linalg::GenericOp op);

/// `addf, maximumf`.
[[nodiscard]] std::string namesOfBody(mlir::linalg::GenericOp op);

/// The body for vectors of `lanes` elements: `values` has one for each input.
[[nodiscard]] mlir::Value emitBody(mlir::OpBuilder &builder, mlir::Location loc,
                                   mlir::linalg::GenericOp op,
                                   llvm::ArrayRef<mlir::Value> values,
                                   int64_t lanes);

/// A loop over elements of a buffer, `stride` elements apart. It may pass over several
/// dimensions of the buffer, whose extents and strides are given. Finds the stride in
/// another buffer, which has the strides `own` in the same dimensions. False if its
/// addresses are not linear along the loop.
[[nodiscard]] bool isLinear(int64_t extent, int64_t stride,
                            llvm::ArrayRef<int64_t> extents,
                            llvm::ArrayRef<int64_t> strides,
                            llvm::ArrayRef<int64_t> own, int64_t &found);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_ELEMENTBODY_H
