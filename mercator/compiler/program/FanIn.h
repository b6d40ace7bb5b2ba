// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How many terms are added up where a tensor is a factor of a product. Internal.

#ifndef MERCATOR_COMPILER_PROGRAM_FANIN_H
#define MERCATOR_COMPILER_PROGRAM_FANIN_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace mercator {

/// The number of terms in the sums of a dot or a convolution that has the value as a
/// factor; of several, the largest number; without any, 1. The value may reach it
/// through operations that only move elements: reshapes, slices, calls, loops. If
/// both factors are parameters or constants, only the second one counts. `path`
/// selects a member of a tuple.
///
/// Complexity: linear in the uses that are followed.
[[nodiscard]] int64_t fanInOf(mlir::Value value, llvm::ArrayRef<int64_t> path);

} // namespace mercator

#endif // MERCATOR_COMPILER_PROGRAM_FANIN_H
