// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Loops that compute on numbers and touch tensors one element at a time, such
/// as a sort or a scatter. Each outermost one becomes a dispatch:
///
///   %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %0) -> tensor<8xf32> {
///     %x = tensor.extract %a[%i] : tensor<8xf32>
///     %y = arith.mulf %x, %x : f32
///     %u = tensor.insert %y into %t[%i] : tensor<8xf32>
///     scf.yield %u : tensor<8xf32>
///   }
///
/// On the host each access would be an operation of its own. A loop with
/// operations on whole tensors stays on the host, with dispatches in its body.

#ifndef MERCATOR_TRANSFORMS_FLOW_OPERATIONS_SCALARLOOPS_H
#define MERCATOR_TRANSFORMS_FLOW_OPERATIONS_SCALARLOOPS_H

#include "mlir/IR/Operation.h"

namespace mercator::flow {

/// Whether `op`, an scf.for, scf.while or scf.if outside of dispatches, is such
/// a loop and can be a dispatch: it writes elements, its results are tensors
/// that a dispatch can give, and their extents are known before it runs.
[[nodiscard]] bool isScalarLoop(mlir::Operation *op);

/// The tensor that a loop or a conditional updates element by element to make its
/// result; null if there may be no such tensor. The result has its shape.
[[nodiscard]] mlir::Value updatedByLoop(mlir::OpResult result);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_OPERATIONS_SCALARLOOPS_H
