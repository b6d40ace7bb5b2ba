// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Buffers that are put together from copies are read where the copies come from.
///
///   copy a, t[0:3]              for b[0:3]:  y = a * 2
///   copy b, t[3:9]        =>    for b[3:9]:  y = b * 2
///   y = t * 2
///
/// Concatenations, pads, rolls and updates of slices become copies into parts of a
/// buffer. A *reader* of such a buffer is a copy, or an operation without reductions
/// whose loops are the dimensions of the buffer. It becomes one operation for each
/// part that it reads, and so on for the parts of its other operands. It may read every
/// second element, or every third. A part that was
/// filled with a number, such as the border of a pad, becomes this number. A copy without
/// readers is erased, and so is its buffer.
///
/// What stays as it is: a part whose source changes after the copy, views that are not
/// boxes of known extents, readers of more than 8 parts of an operand or 16 in all, and
/// an operation whose parts would be mostly too narrow for vectors, or whose result
/// another operation reads (it may be computed tile by tile with that one).
///
/// Elements are computed as before, so results keep their bits.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_COPIEDPARTS_H
#define MERCATOR_TARGETS_CPU_KERNELS_COPIEDPARTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::cpu {

/// Replaces the readers of copied parts in the body of a kernel on buffers.
void readCopiedParts(mlir::func::FuncOp kernel);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_COPIEDPARTS_H
