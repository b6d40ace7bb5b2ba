// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Abi.h"

#include <algorithm>
#include <cmath>

namespace {
struct Format {
  explicit Format(uint32_t word)
      : width(int(word & 0xff)), precision(int(word >> 8 & 0xff)),
        least(int(word >> 16 & 0xfff) - 1024), hasInfinity(word >> 28 & 1),
        hasNan(word >> 29 & 1), isNanMinusZero(word >> 30 & 1),
        hasNoZero(word >> 31 & 1) {}

  int width, precision, least;
  bool hasInfinity, hasNan, isNanMinusZero, hasNoZero;

  [[nodiscard]] int fractionBits() const { return precision - 1; }
  /// All bits but the sign.
  [[nodiscard]] uint32_t magnitudeMask() const {
    return (uint32_t(1) << (width - (hasNoZero ? 0 : 1))) - 1;
  }
  [[nodiscard]] uint32_t signBit() const {
    return hasNoZero ? 0 : uint32_t(1) << (width - 1);
  }
  [[nodiscard]] uint32_t infinity() const {
    return magnitudeMask() >> fractionBits() << fractionBits();
  }
  [[nodiscard]] uint32_t nan() const {
    if (isNanMinusZero)
      return signBit();
    if (hasInfinity) // the first bit of the fraction
      return infinity() | uint32_t(1) << (fractionBits() - 1);
    return magnitudeMask();
  }
  /// The magnitude of the largest number.
  [[nodiscard]] uint32_t largest() const {
    if (hasInfinity)
      return infinity() - 1;
    return hasNan && !isNanMinusZero ? magnitudeMask() - 1 : magnitudeMask();
  }
};
} // namespace

uint32_t mercator_round_float(double value, uint32_t word) {
  Format format(word);
  uint32_t sign = std::signbit(value) ? format.signBit() : 0;
  if (std::isnan(value))
    return format.isNanMinusZero ? format.nan()
                                 : (format.hasNan ? sign | format.nan()
                                                  : sign | format.largest());
  double size = std::fabs(value);
  uint32_t beyond = format.hasInfinity ? format.infinity()
                    : format.hasNan    ? format.nan()
                                       : format.largest();
  auto withSign = [&](uint32_t magnitude) {
    if (format.isNanMinusZero && (magnitude == 0 || magnitude == format.nan()))
      return magnitude; // there is no minus zero
    return sign | magnitude;
  };
  if (std::isinf(value))
    return withSign(beyond);
  if (format.hasNoZero && (size == 0 || std::signbit(value)))
    return format.hasNan && value < 0 ? format.nan() : 0;
  int exponent = 0;
  std::frexp(size, &exponent); // size = f 2^exponent, 1/2 <= f < 1
  int own = size == 0 ? format.least : std::max(exponent - 1, format.least);
  // In units of the last place; ties go to even.
  double scaled = std::nearbyint(std::ldexp(size, format.fractionBits() - own));
  uint64_t units = uint64_t(scaled);
  uint64_t magnitude =
      format.hasNoZero
          ? uint64_t(own - format.least) + (units >= 2 ? 1 : 0)
          : (uint64_t(own - format.least) << format.fractionBits()) + units;
  if (magnitude > format.largest())
    return withSign(beyond);
  return withSign(uint32_t(magnitude));
}
