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
/// A *room* is memory that somebody else will fill: a result of the program, in the
/// caller's memory. Until then it holds buffers, which the arena does not hold:
///
/// ```cpp
/// using mercator::cpu::ArenaPlan;
/// std::vector<mercator::cpu::Room> rooms = {{2, 5, 8192}}; // of a result written at 2
/// ArenaPlan plan = mercator::cpu::planArena({{0, 1, 8192}, {1, 2, 8192}}, rooms);
/// assert(plan.rooms == (std::vector<int64_t>{0, ArenaPlan::kArena}));
/// assert(plan.bytes == 8192);
/// ```
///
/// The address of a room is known when the program runs. It is a multiple of the
/// room's alignment, and so are the addresses of its buffers. Scratch, and buffers of
/// less than a page, which would save nothing, lie in the arena.
///
/// Larger buffers are placed first, and scratch last, each in the smallest room that has a
/// place for it, or else in the arena, at the lowest offset that is free
/// (best for large buffers, Pisarchyk and Lee, "Efficient Memory Management for
/// Deep Neural Net Inference", 2020: "greedy by size"). O(n^2) in the worst
/// case; above 4,000 buffers they are placed in order of time and in the arena
/// instead, which is O(n log n).

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
  /// Of its elements, in bytes. In the arena, every buffer is aligned to 64.
  int64_t alignment = 1;
};

/// Memory outside of the arena that is in use from time `first` through `last`.
struct Room {
  int64_t first, last;
  int64_t bytes;
  int64_t alignment = 1;
};

struct ArenaPlan {
  static constexpr int64_t kArena = -1;
  std::vector<int64_t> offsets; ///< of each buffer
  std::vector<int64_t> rooms;   ///< the number of each buffer's room, or kArena
  int64_t bytes = 0;            ///< of the arena
};

inline constexpr int64_t kAlignment = 64;

/// Requires: first <= last, and the sum of all bytes fits in int64_t.
[[nodiscard]] ArenaPlan planArena(const std::vector<Lifetime> &buffers,
                                  const std::vector<Room> &rooms = {});

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_MACHINE_ARENA_H
