// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/ptx/Formats.h"

#include <algorithm>

namespace mercator::reference::ptx {

/// The bits of infinity, or of what is in its place.
static uint64_t infinityOf(const Format &format) {
  unsigned exponentBits = format.bits - 1 - format.fraction;
  uint64_t exponent = (uint64_t(1) << exponentBits) - 1;
  return exponent << format.fraction;
}

/// The bits of the largest finite number.
static uint64_t largestOf(const Format &format) {
  return format.hasInfinity
             ? infinityOf(format) - 1
             : infinityOf(format) | (uint64_t(1) << format.fraction) - 2;
}

uint64_t encode(const Format &format, Exact value, Rounding rounding,
                bool isFinite) {
  uint64_t sign = uint64_t(std::signbit(value.high)) << (format.bits - 1);
  uint64_t notANumber = (uint64_t(1) << (format.bits - 1)) - 1;
  if (std::isnan(value.high))
    return notANumber;
  bool isNegative = sign != 0;
  double high = std::fabs(value.high);
  double low = isNegative ? -value.low : value.low;
  if (std::isinf(high)) {
    if (isFinite)
      return sign | largestOf(format);
    return format.hasInfinity ? sign | infinityOf(format) : notANumber | sign;
  }
  if (high == 0)
    return sign;
  int exponent = std::ilogb(high);
  // A power of two minus a little has the exponent below.
  if (low < 0 && high == std::ldexp(1.0, exponent))
    --exponent;
  int least = 1 - format.bias;
  int unit = std::max(exponent, least) - int(format.fraction);
  double scaled = std::ldexp(high, -unit); // exact, or far below 1
  double whole = std::floor(scaled), rest = scaled - whole;
  double tail = low;
  if (rest == 0 && tail < 0) {
    whole -= 1;
    rest = 1; // a little below 1
  }
  auto isOdd = std::fmod(whole, 2) != 0;
  bool isUp = false;
  switch (rounding) {
  case Rounding::Nearest:
    isUp = rest > 0.5 || (rest == 0.5 && (tail > 0 || (tail == 0 && isOdd)));
    break;
  case Rounding::NearestAway:
    isUp = rest > 0.5 || (rest == 0.5 && tail >= 0);
    break;
  case Rounding::Zero:
    break;
  case Rounding::Down:
    isUp = isNegative && (rest > 0 || tail > 0);
    break;
  case Rounding::Up:
    isUp = !isNegative && (rest > 0 || tail > 0);
    break;
  }
  auto steps = uint64_t(std::min(whole, 1e18)) + isUp;
  // Steps of one unit: numbers of one exponent follow those of the exponent below.
  uint64_t bits = steps;
  if (exponent >= least)
    bits += uint64_t(exponent - least) << format.fraction;
  if (bits > largestOf(format) || exponent > format.bias + 1) {
    bool isTowardZero = rounding == Rounding::Zero ||
                        (rounding == Rounding::Down && !isNegative) ||
                        (rounding == Rounding::Up && isNegative);
    if (isFinite || isTowardZero)
      bits = largestOf(format);
    else
      bits = format.hasInfinity ? infinityOf(format) : notANumber;
  }
  return sign | bits;
}

double decode(const Format &format, uint64_t bits) {
  uint64_t magnitude = bits & ((uint64_t(1) << (format.bits - 1)) - 1);
  bool isNegative = bits >> (format.bits - 1) & 1;
  double value;
  if (magnitude > largestOf(format)) {
    value = format.hasInfinity && magnitude == infinityOf(format)
                ? INFINITY
                : std::numeric_limits<double>::quiet_NaN();
  } else {
    auto exponent = int(magnitude >> format.fraction);
    uint64_t fraction = magnitude & ((uint64_t(1) << format.fraction) - 1);
    if (exponent != 0)
      fraction |= uint64_t(1) << format.fraction;
    value = std::ldexp(double(fraction), std::max(exponent, 1) - format.bias -
                                             int(format.fraction));
  }
  return isNegative ? -value : value;
}

} // namespace mercator::reference::ptx
