// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of integers before the program runs. Internal.

#ifndef MERCATOR_DIALECTS_MAPS_CONSTANTS_H
#define MERCATOR_DIALECTS_MAPS_CONSTANTS_H

#include "mlir/IR/Value.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace mercator::maps {

/// The value that `value` merely copies: conversions of integers that keep
/// every value, copies, and reshapes of one element are looked through.
[[nodiscard]] mlir::Value lookThroughCopies(mlir::Value value);

/// The one value that all elements of an integer constant have; a number too
/// large for int64 is the largest int64.
[[nodiscard]] std::optional<int64_t> splatConstant(mlir::Value value);

/// The elements of a constant tensor of integers in row-major order, if there
/// are at most `most` of them.
[[nodiscard]] std::optional<llvm::SmallVector<int64_t>>
smallConstant(mlir::Value value, int64_t most);

/// element[i0, i1, ...] = constant + sum of coefficients[k] * ik.
struct Progression {
  int64_t constant = 0;
  llvm::SmallVector<int64_t> coefficients;
};

/// Slice `slot` along dimension `dim` of a tensor of integers (all of it where
/// there is no such dimension) as a progression over all of the tensor's
/// dimensions: of a constant, of an iota.
///
///   dense<[[0, 9], [2, 8], [4, 7]]>, dim 1     slot 0: 2 * i0,  slot 1: 9 - i0
///
/// Complexity: linear in the elements of a constant, up to 2^16; a constant
/// with more is not looked at.
[[nodiscard]] std::optional<Progression>
progressionOf(mlir::Value value, int64_t dim, int64_t slot);

} // namespace mercator::maps

#endif // MERCATOR_DIALECTS_MAPS_CONSTANTS_H
