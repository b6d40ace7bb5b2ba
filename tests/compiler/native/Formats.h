// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element types of StableHLO by their layout: how a pattern of bits is a number,
// and which pattern is nearest to a number. Written without the code that it is
// compared with.
//
//   {"bf16", 16, true, 8, 7, 127, Special::Ieee}
//     decode(0x3f80)     1
//     encode(1.00390625) 0x3f80: of two that are as near, the even one

#ifndef MERCATOR_TESTS_COMPILER_NATIVE_FORMATS_H
#define MERCATOR_TESTS_COMPILER_NATIVE_FORMATS_H

#include "mercator/reference/core/Value.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace mercator {

/// 64 digits: every number of every type below.
using Exact = long double;
static_assert(std::numeric_limits<Exact>::digits >= 64);

enum class Special : uint8_t {
  None,      ///< all codes are finite
  Ieee,      ///< the last exponent is for infinity and NaN
  LastIsNan, ///< all bits set but the sign
  MinusZero, ///< NaN is -0
};

/// A type by its layout: an integer if it has no exponent.
struct Format {
  const char *name;
  unsigned bits;
  bool isSigned;
  int exponentBits = 0, fractionBits = 0, bias = 0;
  Special special = Special::None;

  [[nodiscard]] bool isFloat() const { return exponentBits != 0; }
  [[nodiscard]] bool isPower() const { return isFloat() && !isSigned; }
  [[nodiscard]] uint64_t mask() const { return ~uint64_t(0) >> (64 - bits); }
  [[nodiscard]] uint64_t signBit() const { return uint64_t(1) << (bits - 1); }
  [[nodiscard]] uint64_t infinity() const {
    return ((uint64_t(1) << exponentBits) - 1) << fractionBits;
  }
  [[nodiscard]] uint64_t largest() const {
    if (special == Special::Ieee)
      return infinity() - 1;
    return signBit() - (special == Special::LastIsNan ? 2 : 1);
  }
  [[nodiscard]] uint64_t nan() const {
    switch (special) {
    case Special::Ieee:
      return infinity() | uint64_t(1) << (fractionBits - 1);
    case Special::LastIsNan:
      return isPower() ? 255 : signBit() - 1;
    default:
      return signBit();
    }
  }

  /// The number of a magnitude, as if no code were special.
  [[nodiscard]] Exact plain(uint64_t magnitude) const {
    auto exponent = int(magnitude >> fractionBits);
    uint64_t fraction = magnitude & ((uint64_t(1) << fractionBits) - 1);
    if (isPower())
      return std::ldexp(Exact(1), exponent - bias);
    if (exponent == 0)
      return std::ldexp(Exact(fraction), 1 - bias - fractionBits);
    return std::ldexp(Exact(fraction | uint64_t(1) << fractionBits),
                      exponent - bias - fractionBits);
  }

  [[nodiscard]] Exact decode(uint64_t code) const {
    code &= mask();
    if (!isFloat())
      return isSigned && (code & signBit()) ? Exact(int64_t(code | ~mask()))
                                            : Exact(code);
    if (isPower())
      return code == nan() ? Exact(NAN) : plain(code);
    uint64_t magnitude = code & ~signBit();
    if (special == Special::MinusZero && code == signBit())
      return NAN;
    if (special == Special::Ieee && magnitude >= infinity())
      return magnitude > infinity() ? NAN
             : code & signBit()     ? -INFINITY
                                    : INFINITY;
    if (special == Special::LastIsNan && magnitude == nan())
      return NAN;
    return code & signBit() ? -plain(magnitude) : plain(magnitude);
  }

  /// The nearest code, ties to even, by bisection.
  [[nodiscard]] uint64_t encode(Exact value) const {
    if (!isFloat())
      return encodeInteger(value);
    if (isPower())
      return encodePower(value);
    if (std::isnan(value))
      return nan();
    if (bits == 32)
      return std::bit_cast<uint32_t>(float(value));
    if (bits == 64)
      return std::bit_cast<uint64_t>(double(value));
    uint64_t sign = std::signbit(value) ? signBit() : 0;
    Exact size = std::fabs(value);
    uint64_t low = 0, high = largest() + 1; // plain(low) <= size < plain(high)
    if (size >= plain(high))
      low = high;
    while (high - low > 1) {
      uint64_t middle = low + (high - low) / 2;
      (plain(middle) <= size ? low : high) = middle;
    }
    if (low <= largest()) {
      // Exact: neither has more than 53 digits.
      Exact half = plain(low) + (plain(low + 1) - plain(low)) / 2;
      if (size > half || (size == half && low % 2 == 1))
        ++low;
    }
    if (low > largest())
      low = special == Special::None   ? largest()
            : special == Special::Ieee ? infinity()
                                       : nan();
    if (special == Special::MinusZero && (low == 0 || low == nan()))
      return low;
    return sign | low;
  }

private:
  [[nodiscard]] uint64_t encodePower(Exact value) const {
    if (!(value > 0))
      return nan();
    uint64_t code = 0;
    while (code < nan() && value >= plain(code) * Exact(1.5))
      ++code;
    return code;
  }
  /// Without the fraction, clamped.
  [[nodiscard]] uint64_t encodeInteger(Exact value) const {
    if (bits == 1)
      return std::isnan(value) || value != 0;
    if (std::isnan(value))
      return 0;
    Exact least = isSigned ? -Exact(signBit()) : 0;
    Exact most = isSigned ? Exact(signBit() - 1) : Exact(mask());
    Exact whole = std::fmin(std::fmax(std::trunc(value), least), most);
    return whole < 0 ? uint64_t(int64_t(whole)) & mask() : uint64_t(whole);
  }
};

inline const Format kFormats[] = {
    {"i1", 1, false},
    {"i2", 2, true},
    {"ui2", 2, false},
    {"i4", 4, true},
    {"ui4", 4, false},
    {"i8", 8, true},
    {"ui8", 8, false},
    {"i16", 16, true},
    {"ui16", 16, false},
    {"i32", 32, true},
    {"ui32", 32, false},
    {"i64", 64, true},
    {"ui64", 64, false},
    {"f4E2M1FN", 4, true, 2, 1, 1, Special::None},
    {"f6E2M3FN", 6, true, 2, 3, 1, Special::None},
    {"f6E3M2FN", 6, true, 3, 2, 3, Special::None},
    {"f8E3M4", 8, true, 3, 4, 3, Special::Ieee},
    {"f8E4M3", 8, true, 4, 3, 7, Special::Ieee},
    {"f8E5M2", 8, true, 5, 2, 15, Special::Ieee},
    {"f8E4M3FN", 8, true, 4, 3, 7, Special::LastIsNan},
    {"f8E4M3FNUZ", 8, true, 4, 3, 8, Special::MinusZero},
    {"f8E5M2FNUZ", 8, true, 5, 2, 16, Special::MinusZero},
    {"f8E4M3B11FNUZ", 8, true, 4, 3, 11, Special::MinusZero},
    {"f8E8M0FNU", 8, false, 8, 0, 127, Special::LastIsNan},
    {"f16", 16, true, 5, 10, 15, Special::Ieee},
    {"bf16", 16, true, 8, 7, 127, Special::Ieee},
    {"f32", 32, true, 8, 23, 127, Special::Ieee},
    {"f64", 64, true, 11, 52, 1023, Special::Ieee},
};

inline std::string tensorOf(const Format &format, size_t count) {
  return "tensor<" + std::to_string(count) + "x" + format.name + ">";
}

/// The bytes of an element.
inline uint64_t wordAt(const reference::Tensor &tensor, size_t i) {
  uint64_t word = 0;
  unsigned bytes = tensor.element().bytes;
  std::memcpy(&word, tensor.data() + i * bytes, bytes);
  return word;
}

} // namespace mercator

#endif // MERCATOR_TESTS_COMPILER_NATIVE_FORMATS_H
