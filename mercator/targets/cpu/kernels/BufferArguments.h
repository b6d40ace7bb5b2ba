// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Buffers as arguments of functions.
///
/// MLIR passes the whole descriptor of a buffer: two addresses, an offset, and an extent
/// and a stride for each dimension. The type says most of them. Functions of kernels get
/// only the rest:
///
///   memref<7x768xf32>                                  its address
///   memref<?x16xf32, strided<[?, 1], offset: ?>>       the address of its first element,
///                                                      an extent, a stride
///
/// Other values are passed unchanged.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_BUFFERARGUMENTS_H
#define MERCATOR_TARGETS_CPU_KERNELS_BUFFERARGUMENTS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace mercator::cpu {

/// Appends the operands that pass a value.
void passValue(mlir::OpBuilder &builder, mlir::Location loc,
               const mlir::LLVMTypeConverter &types, mlir::Value value,
               llvm::SmallVectorImpl<mlir::Value> &operands);

/// A value of a type from the first of the arguments, which are dropped.
[[nodiscard]] mlir::Value receiveValue(mlir::OpBuilder &builder,
                                       mlir::Location loc,
                                       const mlir::LLVMTypeConverter &types,
                                       mlir::Type type,
                                       mlir::ValueRange &arguments);

/// Passes buffers to all kernels of a module in this way.
void passBuffersToKernels(mlir::ModuleOp module);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_BUFFERARGUMENTS_H
