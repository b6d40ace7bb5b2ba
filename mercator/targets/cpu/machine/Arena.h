// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Places for buffers in one piece of memory, the *arena*. Two buffers that
/// live at the same time do not overlap; others may.
///
/// ```cpp
/// using mercator::cpu::Lifetime;
/// std::vector<Lifetime> buffers = {{0, 2, 100}, {1, 3, 10}, {3, 4, 64}};
/// mercator::cpu::ArenaPlan plan = mercator::cpu::planArena(buffers);
/// assert(plan.offsets == (std::vector<int64_t>{0, 128, 0}));
/// assert(plan.bytes == 192);
/// ```
///
/// Laws. Offsets are multiples of 64. Buffers whose lifetimes have a time in
/// common have no byte in common.
///
/// Larger buffers are placed first, and scratch last, each at the lowest offset that is free
/// (best for large buffers, Pisarchyk and Lee, "Efficient Memory Management for
/// Deep Neural Net Inference", 2020: "greedy by size"). O(n^2) in the worst
/// case; above 4,000 buffers they are placed in order of time instead, which is
/// O(n log n).

#ifndef MERCATOR_TARGETS_CPU_MACHINE_ARENA_H
#define MERCATOR_TARGETS_CPU_MACHINE_ARENA_H

#include <cstdint>
#include <vector>

namespace mercator::cpu {

/// A buffer that is needed from time `first` through `last`.
struct Lifetime {
  int64_t first, last;
  int64_t bytes;
  /// A run with few threads touches only the first bytes. It is placed after the others:
  /// tensors that live at the same time would lie behind bytes that no thread touches.
  bool isScratch = false;
};

struct ArenaPlan {
  std::vector<int64_t> offsets; ///< of each buffer
  int64_t bytes = 0;            ///< of the arena
};

inline constexpr int64_t kAlignment = 64;

/// Requires: first <= last, and the sum of all bytes fits in int64_t.
[[nodiscard]] ArenaPlan planArena(const std::vector<Lifetime> &buffers);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_MACHINE_ARENA_H
