// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Reductions over small windows, such as pooling, as elementwise operations.
///
///   y[i] = max over k < 3 of x[2 * i + k]
///                              =>
///   y[i] = max(y[i], max(max(x0[i], x1[i]), x2[i]))    x0 = x[0:..:2], x1 = x[1:..:2], ..
///
/// Each element of a window becomes an operand of its own, a view of x. So vectors run
/// along the rows of y, also where windows are several elements apart, and the result
/// of a window stays in a register. The elements are combined in the order of the loops,
/// as by the loops of Loops.h.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_WINDOWS_H
#define MERCATOR_TARGETS_CPU_KERNELS_WINDOWS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::cpu {

/// Replaces such reductions, of at most 32 elements, in a kernel on buffers of known
/// shapes; not those in tiles of cells, whose views move.
void unrollWindows(mlir::func::FuncOp kernel);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_WINDOWS_H
