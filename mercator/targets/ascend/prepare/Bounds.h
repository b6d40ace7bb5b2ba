// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Bounds of unknown extents.
///
///   func.func @main(%x: tensor<?x4xf32, #stablehlo.bounds<8, ?>>)
///
/// becomes
///
///   func.func @main(%x: tensor<?x4xf32> {ascend.bounds = array<i64: 8, -1>})
///
/// GE has ranges of extents at the inputs of a graph. The types of all other
/// values lose their bounds. If a broadcast_in_dim, an iota or a reshape of the
/// module has bounds in its result, all types keep them, and the operations are
/// not converted.

#ifndef MERCATOR_TARGETS_ASCEND_PREPARE_BOUNDS_H
#define MERCATOR_TARGETS_ASCEND_PREPARE_BOUNDS_H

#include "mlir/IR/BuiltinOps.h"

namespace mercator::ascend {

/// The attribute of a parameter with bounds: the largest extent of each
/// dimension, or -1 for no limit.
inline constexpr llvm::StringLiteral kBoundsName = "ascend.bounds";

/// Linear in the size of the program.
void moveBounds(mlir::ModuleOp module);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_PREPARE_BOUNDS_H
