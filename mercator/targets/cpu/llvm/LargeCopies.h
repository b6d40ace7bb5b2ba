// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Copies of large tensors, such as of the table that a scatter adds to, are calls of
/// the runtime: in several threads, and past the caches where results are.

#ifndef MERCATOR_TARGETS_CPU_LLVM_LARGECOPIES_H
#define MERCATOR_TARGETS_CPU_LLVM_LARGECOPIES_H

#include "mercator/analysis/device/Device.h"

#include "mlir/IR/BuiltinOps.h"

namespace mercator::cpu {

/// Replaces each `memref.copy` of 2 MiB and more between contiguous buffers of known
/// extents by a call of mercator_copy (runtime/Abi.h).
void callLargeCopies(mlir::ModuleOp module, const Device &device);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_LLVM_LARGECOPIES_H
