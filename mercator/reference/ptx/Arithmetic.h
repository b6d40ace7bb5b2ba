// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Parts of an opcode that say how a floating-point result is rounded, as flags of an
/// instruction, and what they mean.

#ifndef MERCATOR_REFERENCE_PTX_ARITHMETIC_H
#define MERCATOR_REFERENCE_PTX_ARITHMETIC_H

#include "mercator/reference/ptx/Decoder.h"
#include "mercator/reference/ptx/Formats.h"

#include <cmath>

namespace mercator::reference::ptx {

inline constexpr uint32_t kRoundingMask = 7; ///< a Rounding
inline constexpr uint32_t kFlush = 8; ///< .ftz: subnormal numbers are zero
inline constexpr uint32_t kSaturate =
    16; ///< .sat: to [0, 1], not a number to 0
inline constexpr uint32_t kNotNumber = 32;  ///< .NaN: min and max keep it
inline constexpr uint32_t kRelu = 64;       ///< .relu: at least 0
inline constexpr uint32_t kMagnitude = 128; ///< .abs of min and max
inline constexpr uint32_t kFirstFlag = 256; ///< from here on: of the family

/// Takes `.rn`, `.rz`, `.rm`, `.rp` and `.rna`, `.ftz`, `.sat`, `.relu`.
inline uint32_t takeRounding(Decoder &d) {
  int rounding = d.takeOne({"rn", "rz", "rm", "rp", "rna"});
  uint32_t flags = rounding < 0 ? 0 : uint32_t(rounding);
  if (d.take("ftz"))
    flags |= kFlush;
  if (d.take("sat"))
    flags |= kSaturate;
  if (d.take("relu"))
    flags |= kRelu;
  return flags;
}

inline Rounding roundingOf(uint32_t flags) {
  return Rounding(flags & kRoundingMask);
}

inline float flush(float a) {
  return std::fabs(a) < std::numeric_limits<float>::min()
             ? std::copysign(0.0f, a)
             : a;
}

/// The result of an instruction on f32 after rounding: `.ftz`, `.sat`, `.relu`, and the
/// canonical NaN.
inline float finish(float a, uint32_t flags) {
  if (flags & kFlush)
    a = flush(a);
  if (flags & kSaturate)
    return a > 0 ? std::fmin(a, 1.0f) : 0.0f;
  if (std::isnan(a))
    return std::bit_cast<float>(kNaN32);
  if (flags & kRelu && a < 0)
    return 0;
  return a;
}

/// min and max of PTX: a number wins over NaN unless `.NaN`; -0 is below 0.
template <typename T> T lesser(T a, T b, uint32_t flags, bool isMax) {
  if (std::isnan(a) || std::isnan(b)) {
    if (flags & kNotNumber || (std::isnan(a) && std::isnan(b)))
      return std::numeric_limits<T>::quiet_NaN();
    return std::isnan(a) ? b : a;
  }
  if (flags & kMagnitude) {
    a = std::fabs(a);
    b = std::fabs(b);
  }
  if (a == b)
    return std::signbit(a) == isMax ? b : a;
  return (a < b) == isMax ? b : a;
}

} // namespace mercator::reference::ptx

#endif // MERCATOR_REFERENCE_PTX_ARITHMETIC_H
