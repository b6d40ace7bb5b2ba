// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How tensors lie in memory: contiguous, row by row, in whole bytes.

#ifndef MERCATOR_TARGETS_CPU_MACHINE_BUFFERS_H
#define MERCATOR_TARGETS_CPU_MACHINE_BUFFERS_H

#include "mercator/analysis/device/Device.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace mercator::cpu {

/// The type of a tensor; null for what is none.
[[nodiscard]] inline mlir::RankedTensorType tensorType(mlir::Value value) {
  return llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
}

/// The contiguous row-major buffer of a tensor.
[[nodiscard]] mlir::MemRefType bufferOf(mlir::RankedTensorType type);

/// The bytes of an element in memory; bool and small integers take one.
[[nodiscard]] int64_t elementBytes(mlir::Type type);

/// The bytes of the smallest result that is written past the caches: half of the last
/// cache, which holds little of it when the next operation reads it. At most 16 MiB,
/// since other programs share a larger cache.
[[nodiscard]] int64_t streamedBytes(const Device &device);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_MACHINE_BUFFERS_H
