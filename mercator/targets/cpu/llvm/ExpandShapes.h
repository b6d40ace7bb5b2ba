// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Buffers that get more dimensions, with unknown extents.
///
/// `memref.expand_shape` has all extents of its result as operands. MLIR's lowering
/// does not read them: it divides the extent of the source by the known extents of
/// the group. With two unknown extents in a group it crashes, and with a known
/// extent of 0 it divides by 0. Here the result is described by the operands:
///
///     tensor<?xf32> into tensor<?x?xf32>, output_shape [%a, %b]
///     offset as the source, sizes [%a, %b], strides [%b * s, s]

#ifndef MERCATOR_TARGETS_CPU_LLVM_EXPANDSHAPES_H
#define MERCATOR_TARGETS_CPU_LLVM_EXPANDSHAPES_H

#include "mlir/IR/BuiltinOps.h"

namespace mercator::cpu {

/// Replaces every `memref.expand_shape` with unknown extents by a
/// `memref.reinterpret_cast`.
void describeExpandedShapes(mlir::ModuleOp module);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_LLVM_EXPANDSHAPES_H
