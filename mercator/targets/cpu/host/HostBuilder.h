// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Calls of the runtime (runtime/Abi.h) and views of memory, as operations.
/// Internal.

#ifndef MERCATOR_TARGETS_CPU_HOST_HOSTBUILDER_H
#define MERCATOR_TARGETS_CPU_HOST_HOSTBUILDER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace mercator::cpu {

class HostBuilder {
public:
  HostBuilder(mlir::ModuleOp module, mlir::OpBuilder &builder)
      : module(module), builder(builder), loc(module.getLoc()) {}

  mlir::OpBuilder &operator*() { return builder; }

  mlir::Value index(int64_t value);
  mlir::Value integer(int64_t value);
  mlir::Value toInteger(mlir::Value index);
  mlir::Type pointer();

  /// Memory at a pointer, of unknown size: memref<?xi8>.
  mlir::Value bytesAt(mlir::Value pointer);
  /// A buffer in bytes(), at an offset.
  mlir::Value view(mlir::MemRefType type, mlir::Value bytes, int64_t offset,
                   mlir::ValueRange dims);
  /// The pointer to the first element.
  mlir::Value pointerTo(mlir::Value buffer);
  /// The size of a buffer in bytes.
  mlir::Value byteSize(mlir::MemRefType type, mlir::ValueRange dims);

  mlir::Value addressOf(llvm::StringRef symbol);
  mlir::Value at(mlir::Value pointer, int64_t bytes);
  mlir::Value load(mlir::Type type, mlir::Value pointer, int64_t bytes);
  void store(mlir::Value value, mlir::Value pointer, int64_t bytes);
  /// Bytes on the stack, of the whole function.
  mlir::Value stack(mlir::func::FuncOp function, int64_t bytes);

  /// Calls a C function, which is declared once.
  mlir::Value call(llvm::StringRef name, mlir::Type result,
                   mlir::ValueRange operands);
  /// Leaves the function with the status unless it is 0. The insertion point
  /// moves to the block after it.
  void check(mlir::Value status);
  /// Leaves the function if a pointer is null: there is no memory.
  void checkMemory(mlir::Value pointer);

private:
  mlir::ModuleOp module;
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_HOST_HOSTBUILDER_H
