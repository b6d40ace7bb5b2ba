// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of integers before the program runs. Internal.

#ifndef MERCATOR_ANALYSIS_VALUES_CONSTANTS_H
#define MERCATOR_ANALYSIS_VALUES_CONSTANTS_H

#include "mlir/IR/Value.h"

#include <optional>

namespace mercator::maps {

/// The value that `value` merely copies: conversions of integers that keep
/// every value, copies, and reshapes of one element are looked through.
[[nodiscard]] mlir::Value lookThroughCopies(mlir::Value value);

/// The one value that all elements of an integer constant have; a number too
/// large for int64 is the largest int64.
[[nodiscard]] std::optional<int64_t> splatConstant(mlir::Value value);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_VALUES_CONSTANTS_H
