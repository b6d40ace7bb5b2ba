// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Removes control flow, which a graph of GE's operators does not have here:
///
///   - a loop whose number of iterations follows from constants becomes its
///     iterations, one after the other, with constants for its counters:
///       while (i < 3) { x = x * x; i = i + 1 }  ->  x * x, squared twice more
///   - an `if` or a `case` becomes its branches, and a selection between their
///     results. With a constant index, only one branch remains.
///
/// Both branches are computed, so the result is the same, and the work is that
/// of all branches.

#ifndef MERCATOR_TARGETS_ASCEND_PREPARE_CONTROLFLOW_H
#define MERCATOR_TARGETS_ASCEND_PREPARE_CONTROLFLOW_H

#include "mlir/IR/BuiltinOps.h"

namespace mercator::ascend {

/// The most operations that the loops of a program become.
inline constexpr int64_t kMostUnrolled = 1 << 16;

/// Linear in the size of the result. Loops that are left are not changed.
void removeControlFlow(mlir::ModuleOp module);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_PREPARE_CONTROLFLOW_H
