// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls, replaced by what they call: a partitioned function stands alone.
// Composite operations count as calls of their decomposition. Internal.

#ifndef MERCATOR_TRANSFORMS_SPMD_INLINE_H
#define MERCATOR_TRANSFORMS_SPMD_INLINE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::spmd {

/// Fails with an error for recursion, for a callee of several blocks or without a
/// body, and if the program would have more than a million operations.
llvm::LogicalResult inlineCalls(mlir::func::FuncOp function);

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_INLINE_H
