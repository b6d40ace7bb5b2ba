// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What a way to compute something moves. The way of the least cost is taken.
///
/// Ways are compared by `weight`, in bytes. A node is worth kNodeBytes: a
/// device that moves about 1 TB/s moves this in the microsecond that starting a
/// node takes. A piece that an index picks moves at least kPieceBytes, since the
/// memory of the cores is organized in blocks of 32 bytes. Only the order of
/// magnitude of both numbers matters: they decide between plans of a few
/// kilobytes, not between these and a plan that moves a table. They are
/// assumptions, not measurements.

#ifndef MERCATOR_TARGETS_ASCEND_OPERATORS_COST_H
#define MERCATOR_TARGETS_ASCEND_OPERATORS_COST_H

#include <cstdint>

namespace mercator::ascend {

inline constexpr int64_t kNodeBytes = 1 << 20;
inline constexpr int64_t kPieceBytes = 32;

struct Cost {
  /// Bytes read and written by the steps that move something; a reshape and an
  /// input do not.
  int64_t bytes = 0;
  /// Elements of the indices that the gather itself takes.
  int64_t indexEntries = 0;
  /// Steps that move or compute something.
  int64_t nodes = 0;
  /// Whether the operand is transposed or sliced before it is gathered from.
  bool movesOperand = false;
  /// The number to compare, in bytes (see above).
  int64_t weight = 0;

  /// By weight, then by index entries, then whether the operand is moved.
  [[nodiscard]] bool operator<(const Cost &other) const;
};

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_OPERATORS_COST_H
