// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Operations of a kernel that pass over the same rows, in one loop over the rows.
///
///   m[i]    = max over j of x[i, j]          for blocks of rows i:
///   s[i]    = sum over j of exp(x[i,j]-m[i])    all three, for these rows
///   y[i, j] = exp(x[i, j] - m[i]) / s[i]
///
/// So x[i, :] is read from memory once, and from the cache twice. The *row
/// dimension* of an operation is a parallel loop. Operations are joined if their
/// row dimensions have one extent, and each buffer that one of them writes is
/// accessed by all of them in the same row: its index maps have the row dimension,
/// alone, at one place.
///
/// A buffer of the kernel's own then has only the rows of a block, and stays in the
/// cache.
///
/// RowSchedule.h says how many rows a block has. Short rows are computed side by side
/// (ShortRows.h).
///
/// Groups with enough work are divided into parts (ParallelLoops.h). Elements are
/// computed as before, so results keep their bits.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_ROWLOOPS_H
#define MERCATOR_TARGETS_CPU_KERNELS_ROWLOOPS_H

#include "mercator/targets/cpu/kernels/ScheduleNotes.h"
#include "mercator/targets/cpu/machine/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::cpu {

/// Joins the rows of the linalg operations on buffers in the body of a kernel: those
/// that their attributes name, and others where that pays. Fails after an error if a
/// named group cannot be joined.
llvm::LogicalResult joinRows(mlir::func::FuncOp kernel, const Machine &machine,
                             ScheduleNotes &notes);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_ROWLOOPS_H
