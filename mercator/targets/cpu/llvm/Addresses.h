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
/// The address of an access in a loop with vectors is made in steps. Each step adds what
/// depends on one more loop around the access, and the last one a constant, which is part
/// of the instruction. LLVM moves each step out of the loops that it does not depend on:
///
///     %row = llvm.getelementptr %start[%i * 64]    in the loop over %i
///     %term = llvm.getelementptr %row[%k]          in the loop over %k
///     %at = llvm.getelementptr %term[192]          the row %i + 3
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
