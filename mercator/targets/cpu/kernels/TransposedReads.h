// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Elementwise operations of which an operand is transposed.
///
///   y[i, j] = x[i, j] + x[j, i]    for tiles of 64 x 64
///                                    t[i, j] = x[j, i]              in registers, squares
///                                    y[i, j] = x[i, j] + t[i, j]    rows
///
/// Problem. A row of y reads a column of x: an element of each of 4096 cache lines, all
/// of them of one set if the extent is a power of two. A matrix of 4096x4096 took 110
/// ms, a tenth of which is enough to move it.
///
/// Decision. A tile of the operand is transposed as in TransposeCode.h, into memory
/// that stays in the first-level cache. A tile at the border begins earlier, so that all
/// have one size, and computes some elements again.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_TRANSPOSEDREADS_H
#define MERCATOR_TARGETS_CPU_KERNELS_TRANSPOSEDREADS_H

#include "mercator/targets/cpu/machine/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::cpu {

/// Replaces such operations of a kernel on buffers of known shapes, where the operand
/// does not fit into half of the first-level cache.
void tileTransposedReads(mlir::func::FuncOp kernel, const Machine &machine);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_TRANSPOSEDREADS_H
