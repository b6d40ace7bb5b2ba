// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer constants of the program. Internal.

#ifndef MERCATOR_ANALYSIS_VALUES_CONSTANTS_H
#define MERCATOR_ANALYSIS_VALUES_CONSTANTS_H

#include "mlir/IR/Value.h"

#include <optional>

namespace mercator::maps {

/// The value that `value` is a copy of, through copies, conversions of integers
/// that keep every value, and reshapes of one element.
[[nodiscard]] mlir::Value lookThroughCopies(mlir::Value value);

/// The common value of all elements of an integer constant; a number too large
/// for int64 is the largest int64.
[[nodiscard]] std::optional<int64_t> splatConstant(mlir::Value value);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_VALUES_CONSTANTS_H
