// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Sums and products of counts that stop at the largest int64.
///
/// ```cpp
/// int64_t most = std::numeric_limits<int64_t>::max();
/// assert(mercator::saturatingMul(1 << 20, 1 << 20) == int64_t(1) << 40);
/// assert(mercator::saturatingMul(most, 2) == most);
/// assert(mercator::saturatingAdd(most, 1) == most);
/// ```
///
/// Requires: no operand is negative.

#ifndef MERCATOR_SUPPORT_SATURATING_H
#define MERCATOR_SUPPORT_SATURATING_H

#include <cstdint>
#include <limits>

namespace mercator {

[[nodiscard]] inline int64_t saturatingMul(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product)
             ? std::numeric_limits<int64_t>::max()
             : product;
}

[[nodiscard]] inline int64_t saturatingAdd(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum)
             ? std::numeric_limits<int64_t>::max()
             : sum;
}

} // namespace mercator

#endif // MERCATOR_SUPPORT_SATURATING_H
