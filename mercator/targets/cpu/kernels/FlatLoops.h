// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Operations that pass over whole buffers element by element, in one loop.
///
///   y[i, j] = exp(x[i, j])     8192 x 9      =>      y[k] = exp(x[k])     73728
///
/// A loop of 9 iterations fills half of a vector. The loops around a short innermost
/// loop are joined with it, as far as all buffers have their elements in one line.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_FLATLOOPS_H
#define MERCATOR_TARGETS_CPU_KERNELS_FLATLOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::cpu {

/// Joins loops of the elementwise operations of a kernel on buffers.
void flattenLoops(mlir::func::FuncOp kernel);

/// Joins the columns of reductions (SumCode.h), where the rows of all operands follow
/// each other:
///
///   y[i, j] += x[k, i, j]     395 x 9     =>     y[c] += x[k, c]     3555
void flattenColumns(mlir::func::FuncOp kernel);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_FLATLOOPS_H
