// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How much a program touches between two uses of the same memory.
///
///   step 0   reads a (4 MB), writes t (1 MB)
///   step 1   reads t, writes b (1 MB)       t: 5 MB since it was written, with a and t
///                                           b: 6 MB since the last run of the program
///
/// The distance of a use is the number of bytes that are touched since the use before,
/// both included. What is not farther away than a cache is large is still in it. The
/// steps of a program repeat, since a program runs again and again.
///
/// Memory counts, not values: a buffer may be that of another value before.
///
/// Complexity: uses times different buffers.

#ifndef MERCATOR_TARGETS_CPU_ESTIMATE_REUSE_H
#define MERCATOR_TARGETS_CPU_ESTIMATE_REUSE_H

#include <cstdint>
#include <vector>

namespace mercator::cpu {

/// The bytes from `first` on of a piece of memory.
struct Touch {
  int64_t memory; ///< a number for each piece; negative: it is not known
  int64_t first, bytes;
};

/// For each touch of each step. Those of unknown memory are as far away as the whole
/// program.
[[nodiscard]] std::vector<std::vector<double>>
distancesOf(const std::vector<std::vector<Touch>> &steps);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_ESTIMATE_REUSE_H
