// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Accesses to buffers become accesses at addresses.
///
/// MLIR describes each part of a buffer by a structure of two pointers, an offset,
/// extents and strides, and takes the address of an access from it. Half of the code of
/// a kernel builds such structures, which LLVM removes again. Here the address follows
/// from the operations that made the part:
///
///     %part = memref.reinterpret_cast %base to offset: [%o], sizes: [8], strides: [4]
///     %x = memref.load %part[%i]
///
///     %start = llvm.getelementptr %pointer[%o]
///     %at = llvm.getelementptr %start[%i * 4]
///     %x = llvm.load %at
///
/// Parts that nothing else reads get no structure. Accesses of other kinds, and those of
/// elements that LLVM holds in another type, keep theirs.

#ifndef MERCATOR_TARGETS_CPU_LLVM_ADDRESSES_H
#define MERCATOR_TARGETS_CPU_LLVM_ADDRESSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace mercator::cpu {

/// For functions after expand-strided-metadata.
[[nodiscard]] std::unique_ptr<mlir::Pass> createAccessAddresses();

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_LLVM_ADDRESSES_H
