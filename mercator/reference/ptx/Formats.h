// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Floating-point formats, and rounding to them in each direction.
///
/// ```cpp
/// using namespace mercator::reference::ptx;
/// assert(encode(kF16, {1.0 / 3}, Rounding::Nearest) == 0x3555);
/// assert(encode(kF16, {1.0 / 3}, Rounding::Up) == 0x3556);
/// assert(decode(kBF16, 0x3FC0) == 1.5);
/// assert(encode(kE4M3, {1000}, Rounding::Nearest, /*isFinite=*/true) == 0x7E);
/// ```
///
/// A number to be rounded is a sum of two doubles, since the exact result of an addition
/// or a multiplication with addition need not be a double.
///
/// Law: decode(f, encode(f, {decode(f, b)}, r)) is decode(f, b), for all bits `b` of a
/// number and each rounding `r`.

#ifndef MERCATOR_REFERENCE_PTX_FORMATS_H
#define MERCATOR_REFERENCE_PTX_FORMATS_H

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace mercator::reference::ptx {

enum class Rounding : uint8_t {
  Nearest,     ///< .rn: ties to even
  Zero,        ///< .rz
  Down,        ///< .rm
  Up,          ///< .rp
  NearestAway, ///< .rna: ties away from zero
};

struct Format {
  unsigned bits;
  unsigned fraction; ///< bits after the leading one
  int bias;
  bool hasInfinity;
};
inline constexpr Format kF16 = {16, 10, 15, true};
inline constexpr Format kBF16 = {16, 7, 127, true};
inline constexpr Format kF32 = {32, 23, 127, true};
/// An f32 whose last 13 bits are zero.
inline constexpr Format kTF32 = {19, 10, 127, true};
/// No infinity; the largest number is 448 and only 0x7F is not a number.
inline constexpr Format kE4M3 = {8, 3, 7, false};
inline constexpr Format kE5M2 = {8, 2, 15, true};

/// The exact value high + low, |low| at most half a unit in the last place of `high`.
struct Exact {
  double high = 0;
  double low = 0;
};

/// a + b without an error. Requires: no overflow.
inline Exact sum(double a, double b) {
  double high = a + b, part = high - a;
  double low = (a - (high - part)) + (b - part);
  return {high, std::isfinite(high) ? low : 0};
}

/// The bits of the value that is rounded. Overflow gives infinity, or the largest number
/// where the direction says so, the format has no infinity or `isFinite`.
[[nodiscard]] uint64_t encode(const Format &format, Exact value,
                              Rounding rounding, bool isFinite = false);

/// The value of the bits.
[[nodiscard]] double decode(const Format &format, uint64_t bits);

inline constexpr uint32_t kNaN32 = 0x7FFFFFFF;

/// f32 rounded in any direction; faster than `encode`.
[[nodiscard]] inline float roundToFloat(Exact value, Rounding rounding) {
  float nearest = float(value.high);
  if (!std::isfinite(value.high))
    return nearest;
  if (rounding == Rounding::Nearest)
    return value.low == 0
               ? nearest
               : std::bit_cast<float>(uint32_t(encode(kF32, value, rounding)));
  bool isAbove =
      nearest > value.high || (nearest == value.high && value.low < 0);
  bool isBelow =
      nearest < value.high || (nearest == value.high && value.low > 0);
  bool isDown = rounding == Rounding::Down ||
                (rounding == Rounding::Zero && value.high > 0);
  if (isDown)
    return isAbove ? std::nextafter(nearest, -INFINITY) : nearest;
  return isBelow ? std::nextafter(nearest, INFINITY) : nearest;
}

} // namespace mercator::reference::ptx

#endif // MERCATOR_REFERENCE_PTX_FORMATS_H
