// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Vector code for contractions (Contraction.h).
///
/// The innermost loops compute a *tile* of c, some rows by some vectors of
/// columns, whose elements stay in registers through the whole sum: each step
/// loads one vector of b for each vector of columns, one element of a for each
/// row, and adds their products. b is copied first to *panels*, in the order in
/// which tiles read it, where this pays.
///
/// Source of the structure: Goto and van de Geijn, "Anatomy of High-Performance
/// Matrix Multiplication", 2008.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_CONTRACTIONCODE_H
#define MERCATOR_TARGETS_CPU_KERNELS_CONTRACTIONCODE_H

#include "mercator/targets/cpu/kernels/ScheduleNotes.h"
#include "mercator/targets/cpu/machine/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::cpu {

/// Replaces the contractions of a kernel on buffers. An operation with a schedule
/// (ContractionSchedule.h) is computed as it says. Fails after an error if it cannot be.
/// Requires: the machine has vectors.
llvm::LogicalResult emitContractions(mlir::func::FuncOp kernel,
                                     const Machine &machine,
                                     ScheduleNotes &notes);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_CONTRACTIONCODE_H
