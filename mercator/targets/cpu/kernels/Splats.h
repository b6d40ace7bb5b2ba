// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Constants whose elements are equal. They take no room in machine code,
/// whatever their size.
///
///   %c = arith.constant dense<1.0> : tensor<1000000000xf32>
///
/// In a kernel, what reads the constant reads one element with strides of 0; no
/// buffer has the elements. What updates the constant, or stores it, fills a
/// buffer first:
///
///   %one = memref.get_global @__constant_f32 : memref<f32>
///   memref.reinterpret_cast %one to offset: [0], sizes: [1000000000], strides: [0]
///
/// In the host program, each operation that updates the constant or passes it on
/// has a tensor of its own, which it fills when it runs. Operations that only
/// read it share one tensor. The same holds for tensors that the program fills itself.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_SPLATS_H
#define MERCATOR_TARGETS_CPU_KERNELS_SPLATS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::cpu {

/// Smaller constants are data.
inline constexpr int64_t kLeastSplatBytes = 1024;

/// Replaces the constants of a host program. `updated` gives the tensor that an
/// operation updates to make its result, or null.
void fillSplats(mlir::func::FuncOp host,
                llvm::function_ref<mlir::Value(mlir::OpResult)> updated);

/// Replaces the constants of a kernel on tensors.
llvm::LogicalResult viewSplats(mlir::func::FuncOp kernel);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_SPLATS_H
