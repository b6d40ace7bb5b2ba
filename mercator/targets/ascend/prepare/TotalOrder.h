// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The total order of floats, which GE's comparisons and sorts do not have.
///
/// JAX makes operands canonical before it compares them in a total order:
///
///   %z = stablehlo.compare EQ, %x, %zero, FLOAT
///   %0 = stablehlo.select %z, %zero, %x       // -0 becomes +0
///   %n = stablehlo.compare NE, %x, %x, FLOAT
///   %1 = stablehlo.select %n, %nan, %0        // all NaNs become one
///
/// NaN is the greatest of such values, and all others are ordered as numbers.

#ifndef MERCATOR_TARGETS_ASCEND_PREPARE_TOTALORDER_H
#define MERCATOR_TARGETS_ASCEND_PREPARE_TOTALORDER_H

#include "mlir/IR/BuiltinOps.h"

namespace mercator::ascend {

/// A value, and what is known of it.
struct Canonical {
  /// The value before the selections above.
  mlir::Value source;
  /// No zero has a sign, and there is one NaN at most.
  bool isCanonical = false;
};
[[nodiscard]] Canonical canonicalOf(mlir::Value value);

/// Writes each comparison of canonical floats in the total order with
/// comparisons of numbers and tests for NaN. Comparators of sorts stay. Linear
/// in the number of operations.
void spellTotalOrder(mlir::ModuleOp module);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_PREPARE_TOTALORDER_H
