// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Dispatched functions on buffers: the *kernels* of a program.
///
///   func.func @f(%a: !flow.dispatch.tensor<readonly:tensor<4xf32>>,
///                %r: !flow.dispatch.tensor<writeonly:tensor<4xf32>>)
///
/// becomes
///
///   func.func @f(%a: memref<4xf32>, %r: memref<4xf32>)
///
/// A kernel has a parameter for each argument of its dispatches, then one for
/// each result that is not tied to an argument. A tied result is the argument's
/// buffer. Buffers are contiguous and row-major, and no two of them overlap.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_KERNELS_H
#define MERCATOR_TARGETS_CPU_KERNELS_KERNELS_H

#include "mercator/dialects/flow/Flow.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mercator::cpu {

/// Rewrites one dispatched function in place. Fails with an error for a program
/// that uses an operation that CPU kernels do not support, such as a store inside a
/// loop.
llvm::LogicalResult bufferizeKernel(mlir::func::FuncOp function);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_KERNELS_H
