// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What is known of the elements of a value in a graph of GE.
///
///   %c = ascend.Const dense<7> : tensor<i32>
///   %x = ascend.BroadcastTo(%c, ..)             knownRange(%x) is [7, 7]
///   %y = ascend.Cast(%u8) {dst_type = 3}        knownRange(%y) is [0, 255]
///
/// A short look at where the value comes from, not an analysis: a few operators
/// far, and no further than constants of a few thousand elements.

#ifndef MERCATOR_TARGETS_ASCEND_LOWERING_KNOWN_H
#define MERCATOR_TARGETS_ASCEND_LOWERING_KNOWN_H

#include "mlir/IR/Value.h"

#include <optional>

namespace mercator::ascend {

struct Bounds {
  int64_t least, most;
  [[nodiscard]] bool isInside(Bounds other) const {
    return least >= other.least && most <= other.most;
  }
};

/// All numbers of a type of integers. Nothing for those that an int64 does not
/// hold (ui64), and for what is no integer.
[[nodiscard]] std::optional<Bounds> rangeOf(mlir::Type element);

/// Where all elements of the value lie: at worst where its type has them.
[[nodiscard]] std::optional<Bounds> knownRange(mlir::Value value);

/// Whether no element is a NaN, as in a constant without one.
[[nodiscard]] bool isNeverNaN(mlir::Value value);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_LOWERING_KNOWN_H
