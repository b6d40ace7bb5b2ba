// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Extents that a loop leaves as they are.
///
///     %r = scf.for .. iter_args(%t = %init) -> (tensor<?xf32>) {
///       %n = tensor.dim %t, %c0                    // becomes %d
///       %1 = flow.dispatch @f(%t) .. -> tensor<?xf32>{%d}
///       scf.yield %1
///     }
///
/// where %d is the extent of %init: if it is that of %t before a step, it is
/// that of what the step yields.

#ifndef MERCATOR_TRANSFORMS_FLOW_EXTENTS_LOOPEXTENTS_H
#define MERCATOR_TRANSFORMS_FLOW_EXTENTS_LOOPEXTENTS_H

#include "mlir/IR/Operation.h"

namespace mercator::flow {

/// Replaces each tensor.dim under `root` of a tensor that an scf.for carries by
/// the value that has the extent before the loop, where one is known and the
/// loop keeps it. Each carried tensor is looked at once.
void resolveLoopExtents(mlir::Operation *root);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_EXTENTS_LOOPEXTENTS_H
