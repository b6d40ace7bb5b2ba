// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Extents that a loop does not change.
///
///     %r = scf.for .. iter_args(%t = %init) -> (tensor<?xf32>) {
///       %n = tensor.dim %t, %c0                    // becomes %d
///       %1 = flow.dispatch @f(%t) .. -> tensor<?xf32>{%d}
///       scf.yield %1
///     }
///
/// where %d is the extent of %init. If %d is the extent of %t before a step, it
/// is the extent of the yielded value.

#ifndef MERCATOR_TRANSFORMS_FLOW_EXTENTS_LOOPEXTENTS_H
#define MERCATOR_TRANSFORMS_FLOW_EXTENTS_LOOPEXTENTS_H

#include "mlir/IR/Operation.h"

namespace mercator::flow {

/// Replaces each tensor.dim under `root` of a tensor carried by an scf.for by
/// the extent before the loop, if that is known and the loop keeps it. Each
/// carried tensor is examined once.
void resolveLoopExtents(mlir::Operation *root);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_EXTENTS_LOOPEXTENTS_H
