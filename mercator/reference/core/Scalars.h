// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Functions of numbers that several dialects have.
///
/// Integers of every type are computed in 64 bits: the low bits are
/// right, and Element::round keeps these. `..Int` functions read them as two's
/// complement, `..UInt` functions as natural numbers. What dialects leave open
/// is as XLA has it: x / 0 has all bits set, x % 0 is x, and the lowest integer
/// divided by -1 is itself.

#ifndef MERCATOR_REFERENCE_CORE_SCALARS_H
#define MERCATOR_REFERENCE_CORE_SCALARS_H

#include "mercator/reference/core/Element.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>

namespace mercator::reference {

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// The bits of an integer of this type, without what extends its sign.
inline uint64_t bitsOf(const Element &element, Scalar value) {
  return uint64_t(value.integer) & (~uint64_t(0) >> (64 - element.bits));
}

inline int64_t addInt(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) + uint64_t(b));
}
inline int64_t subtractInt(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) - uint64_t(b));
}
inline int64_t multiplyInt(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) * uint64_t(b));
}
inline int64_t negateInt(int64_t a) { return subtractInt(0, a); }
inline int64_t absInt(int64_t a) { return a < 0 ? negateInt(a) : a; }
inline int64_t sameInt(int64_t a) { return a; }
inline int64_t signInt(int64_t a) { return a < 0 ? -1 : a > 0; }

inline int64_t divideInt(int64_t a, int64_t b) {
  if (b == 0)
    return -1;
  return b == -1 ? negateInt(a) : a / b;
}
inline int64_t divideUInt(int64_t a, int64_t b) {
  return b == 0 ? -1 : int64_t(uint64_t(a) / uint64_t(b));
}
inline int64_t remainderInt(int64_t a, int64_t b) {
  if (b == 0)
    return a;
  return b == -1 ? 0 : a % b;
}
inline int64_t remainderUInt(int64_t a, int64_t b) {
  return b == 0 ? a : int64_t(uint64_t(a) % uint64_t(b));
}

inline int64_t powerUInt(int64_t base, int64_t exponent) {
  uint64_t result = 1, square = uint64_t(base);
  for (uint64_t left = uint64_t(exponent); left; left >>= 1) {
    if (left & 1)
      result *= square;
    square *= square;
  }
  return int64_t(result);
}
/// For a negative exponent this is the quotient 1 / base^|exponent| without its
/// fraction; 0 for the base 0.
inline int64_t powerInt(int64_t base, int64_t exponent) {
  if (exponent >= 0)
    return powerUInt(base, exponent);
  if (base == -1)
    return exponent % 2 ? -1 : 1;
  return base == 1;
}

inline int64_t andInt(int64_t a, int64_t b) { return a & b; }
inline int64_t orInt(int64_t a, int64_t b) { return a | b; }
inline int64_t xorInt(int64_t a, int64_t b) { return a ^ b; }
inline int64_t notInt(int64_t a) { return ~a; }

inline int64_t maxInt(int64_t a, int64_t b) { return std::max(a, b); }
inline int64_t minInt(int64_t a, int64_t b) { return std::min(a, b); }
inline int64_t maxUInt(int64_t a, int64_t b) {
  return uint64_t(a) < uint64_t(b) ? b : a;
}
inline int64_t minUInt(int64_t a, int64_t b) {
  return uint64_t(b) < uint64_t(a) ? b : a;
}

inline uint64_t magnitudeOf(int64_t a) {
  return a < 0 ? 0 - uint64_t(a) : uint64_t(a);
}

/// An integer as a double that is rounded once more. If a double cannot hold
/// it, its last digit is odd, so that the second rounding is correct (see
/// Element.cpp). For f64 itself there is no second rounding.
inline double realOfInteger(uint64_t magnitude, bool isNegative,
                            const Element &to) {
  unsigned length = 64 - unsigned(std::countl_zero(magnitude));
  if (to.bits < 64 && length > 53) {
    unsigned surplus = length - 53;
    uint64_t kept = magnitude >> surplus << surplus;
    magnitude = kept == magnitude ? kept : kept | (uint64_t(1) << surplus);
  }
  auto real = double(magnitude);
  return isNegative ? -real : real;
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

inline double addReal(double a, double b) { return a + b; }
inline double subtractReal(double a, double b) { return a - b; }
inline double multiplyReal(double a, double b) { return a * b; }
inline double divideReal(double a, double b) { return a / b; }
inline double remainderReal(double a, double b) { return std::fmod(a, b); }
inline double negateReal(double a) { return -a; }
inline double absReal(double a) { return std::fabs(a); }
/// -1, 0, -0 or 1; of a NaN, the NaN.
inline double signReal(double a) {
  return std::isnan(a) || a == 0 ? a : std::copysign(1, a);
}

/// IEEE 754-2019 maximum and minimum: NaN wins, and +0 is above -0.
inline double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? a : b;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a < b ? b : a;
}
inline double minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? a : b;
  if (a == b)
    return std::signbit(a) ? a : b;
  return b < a ? b : a;
}

inline double floorReal(double a) { return std::floor(a); }
inline double ceilReal(double a) { return std::ceil(a); }
inline double roundToEven(double a) { return std::nearbyint(a); }
inline double reciprocalSqrt(double a) { return 1 / std::sqrt(a); }
/// 1 / (1 + exp(-a)), with an exponential that does not overflow.
inline double logistic(double a) {
  double small = std::exp(-std::fabs(a));
  return (a < 0 ? small : 1) / (1 + small);
}

// Functions of the C library in double, with one address each.
inline double sqrtReal(double a) { return std::sqrt(a); }
inline double expReal(double a) { return std::exp(a); }
inline double expm1Real(double a) { return std::expm1(a); }
inline double logReal(double a) { return std::log(a); }
inline double log1pReal(double a) { return std::log1p(a); }
inline double sinReal(double a) { return std::sin(a); }
inline double cosReal(double a) { return std::cos(a); }
inline double tanReal(double a) { return std::tan(a); }
inline double tanhReal(double a) { return std::tanh(a); }
inline double atan2Real(double a, double b) { return std::atan2(a, b); }
inline double powerReal(double a, double b) { return std::pow(a, b); }

//===----------------------------------------------------------------------===//
// Complex numbers
//===----------------------------------------------------------------------===//

inline Scalar addComplex(Scalar a, Scalar b) {
  return Scalar::complex(a.re + b.re, a.im + b.im);
}
inline Scalar subtractComplex(Scalar a, Scalar b) {
  return Scalar::complex(a.re - b.re, a.im - b.im);
}
inline Scalar multiplyComplex(Scalar a, Scalar b) {
  return Scalar::complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
/// In a wider float: the quotient may be finite where its parts overflow.
inline Scalar divideComplex(Scalar a, Scalar b) {
  using Wide = std::complex<long double>;
  Wide quotient = Wide(a.re, a.im) / Wide(b.re, b.im);
  return Scalar::complex(double(quotient.real()), double(quotient.imag()));
}
inline Scalar negateComplex(Scalar a) { return Scalar::complex(-a.re, -a.im); }
inline Scalar absComplex(Scalar a) {
  return Scalar::real(std::hypot(a.re, a.im));
}

inline bool isNaNComplex(Scalar a) {
  return std::isnan(a.re) || std::isnan(a.im);
}

/// z / |z|, and 0 of 0.
inline Scalar signComplex(Scalar a) {
  if (isNaNComplex(a)) {
    double nan = std::numeric_limits<double>::quiet_NaN();
    return Scalar::complex(nan, nan);
  }
  if (a.re == 0 && a.im == 0)
    return Scalar::complex(0, 0);
  // Scaled, so that the modulus fits in a double.
  int exponent = 0;
  std::frexp(std::fmax(std::fabs(a.re), std::fabs(a.im)), &exponent);
  double re = std::ldexp(a.re, -exponent), im = std::ldexp(a.im, -exponent);
  double modulus = std::hypot(re, im);
  return Scalar::complex(re / modulus, im / modulus);
}

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_SCALARS_H
