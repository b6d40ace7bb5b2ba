// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Facts about the elements of a value in a graph of GE.
///
///   %c = ascend.Const dense<7> : tensor<i32>
///   %x = ascend.BroadcastTo(%c, ..)             knownRange(%x) is [7, 7]
///   %y = ascend.Cast(%u8) {dst_type = 3}        knownRange(%y) is [0, 255]
///
/// A short look at the producers of the value, not a full analysis: it looks
/// through a few operators and examines constants of at most a few thousand
/// elements.

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

/// The range of an integer type. Nothing for a range that int64 cannot hold
/// (ui64), and for other types.
[[nodiscard]] std::optional<Bounds> rangeOf(mlir::Type element);

/// The range of all elements of the value; at worst the range of its type.
[[nodiscard]] std::optional<Bounds> knownRange(mlir::Value value);

/// Whether no element can be NaN, for example in a constant without NaN.
[[nodiscard]] bool isNeverNaN(mlir::Value value);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_LOWERING_KNOWN_H
