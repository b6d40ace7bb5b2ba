// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Writes convolutions and reductions of windows with simpler operations of
/// StableHLO, for those that GE's operators cannot express (ConvertWindows.h):
///
///   - a reduction of windows: a padding, then one dimension after the other.
///     Windows of 2, 4, 8, .. elements are built from two of half the size, and
///     a window of any size from those. A cumulative sum of 1,000 elements is
///     ten additions.
///   - a convolution: a padding, a slice for each position of the kernel,
///     a concatenation of the slices, and one product with the kernel as a
///     matrix. The concatenation has as many elements as the operand for each
///     position of the kernel.
///
/// Source: StableHLO specification, "reduce_window" and "convolution".

#ifndef MERCATOR_TARGETS_ASCEND_PREPARE_SPELLWINDOWS_H
#define MERCATOR_TARGETS_ASCEND_PREPARE_SPELLWINDOWS_H

#include "mlir/IR/BuiltinOps.h"

namespace mercator::ascend {

/// Convolutions with batch groups or with kernels of more than 1,024 positions,
/// and reductions by a body of several operations, stay. Linear in the number of
/// operations.
void spellWindows(mlir::ModuleOp module);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_PREPARE_SPELLWINDOWS_H
