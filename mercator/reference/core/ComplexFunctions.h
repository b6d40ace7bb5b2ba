// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Functions of complex numbers, principal branches. Callers evaluate them in a
/// wider float than the argument has, so intermediate overflow does not matter.
/// The formulas avoid cancellation.
///
/// Source: Kahan, "Branch cuts for complex elementary functions", 1987. The
/// values at infinities and NaN are those of XLA for exp, log, sqrt, sin, cos,
/// tan, tanh and functions composed of them, and those of Annex G of the C
/// standard for the others. XLA's are NaN in both parts where Annex G defines
/// one of them.

#ifndef MERCATOR_REFERENCE_CORE_COMPLEXFUNCTIONS_H
#define MERCATOR_REFERENCE_CORE_COMPLEXFUNCTIONS_H

#include <cmath>
#include <complex>
#include <limits>

namespace mercator::reference {

template <typename T> std::complex<T> complexNaN() {
  T nan = std::numeric_limits<T>::quiet_NaN();
  return {nan, nan};
}
template <typename T> bool hasNaN(std::complex<T> z) {
  return std::isnan(z.real()) || std::isnan(z.imag());
}

/// The sign of a zero imaginary part is ignored: the root of a negative number
/// is on the positive imaginary axis.
template <typename T> std::complex<T> complexSqrt(std::complex<T> z) {
  if (hasNaN(z))
    return complexNaN<T>();
  if (z.real() < 0 && z.imag() == 0)
    return std::sqrt(std::complex<T>(z.real(), 0));
  return std::sqrt(z);
}
template <typename T> std::complex<T> complexExp(std::complex<T> z) {
  return std::isfinite(z.imag()) ? std::exp(z) : complexNaN<T>();
}
template <typename T> std::complex<T> complexLog(std::complex<T> z) {
  return hasNaN(z) ? complexNaN<T>() : std::log(z);
}
template <typename T> std::complex<T> complexSin(std::complex<T> z) {
  return std::isfinite(z.real()) ? std::sin(z) : complexNaN<T>();
}
template <typename T> std::complex<T> complexCos(std::complex<T> z) {
  return std::isfinite(z.real()) ? std::cos(z) : complexNaN<T>();
}
template <typename T> std::complex<T> complexTan(std::complex<T> z) {
  return z.imag() == 0 && !std::isfinite(z.real()) ? complexNaN<T>()
                                                   : std::tan(z);
}
template <typename T> std::complex<T> complexTanh(std::complex<T> z) {
  return z.real() == 0 && !std::isfinite(z.imag()) ? complexNaN<T>()
                                                   : std::tanh(z);
}

template <typename T> std::complex<T> complexAcos(std::complex<T> z) {
  return std::acos(z);
}
template <typename T> std::complex<T> complexAcosh(std::complex<T> z) {
  return std::acosh(z);
}
template <typename T> std::complex<T> complexAsin(std::complex<T> z) {
  return std::asin(z);
}
template <typename T> std::complex<T> complexAsinh(std::complex<T> z) {
  return std::asinh(z);
}
template <typename T> std::complex<T> complexAtan(std::complex<T> z) {
  return std::atan(z);
}
template <typename T> std::complex<T> complexAtanh(std::complex<T> z) {
  return std::atanh(z);
}
template <typename T> std::complex<T> complexCosh(std::complex<T> z) {
  return std::cosh(z);
}
template <typename T> std::complex<T> complexSinh(std::complex<T> z) {
  return std::sinh(z);
}

/// Infinities of equal magnitude cancel.
template <typename T> std::complex<T> complexSquare(std::complex<T> z) {
  T x = z.real(), y = z.imag();
  return {std::fabs(x) == std::fabs(y) ? 0 : (x - y) * (x + y), 2 * x * y};
}

template <typename T> std::complex<T> complexReciprocalSqrt(std::complex<T> z) {
  if (z == std::complex<T>(0))
    return {std::numeric_limits<T>::infinity(),
            std::numeric_limits<T>::quiet_NaN()};
  return std::complex<T>(1) / std::sqrt(z);
}

template <typename T> std::complex<T> complexCbrt(std::complex<T> z) {
  if (z.imag() == 0 && z.real() >= 0)
    return {std::cbrt(z.real()), z.imag()};
  return std::polar(std::cbrt(std::abs(z)), std::arg(z) / 3);
}

/// exp(x) cos(y) - 1 = expm1(x) cos(y) - 2 sin(y/2)^2
template <typename T> std::complex<T> complexExpMinusOne(std::complex<T> z) {
  T x = z.real(), y = z.imag(), half = std::sin(y / 2);
  if (y == 0)
    return {std::expm1(x), y};
  return {std::expm1(x) * std::cos(y) - 2 * half * half,
          std::exp(x) * std::sin(y)};
}

/// a + b as the nearest sum and its rounding error (Knuth).
template <typename T> void twoSum(T a, T b, T &sum, T &rest) {
  sum = a + b;
  T part = sum - a;
  rest = (a - (sum - part)) + (b - part);
}

/// The modulus of 1 + z is near 1 if x^2 + y^2 + 2x is near 0. That sum is
/// computed with twice the precision.
template <typename T> std::complex<T> complexLogPlusOne(std::complex<T> z) {
  if (hasNaN(z))
    return complexNaN<T>();
  T x = z.real(), y = z.imag(), angle = std::atan2(y, 1 + x);
  // 1 + x is exact between -2 and -1/2.
  if (!(std::fabs(x) < 4 && std::fabs(y) < 4) || (x >= -2 && x <= -0.5))
    return {complexLog(std::complex<T>(1 + x, y)).real(), angle};
  T xx = x * x, xxRest = std::fma(x, x, -xx);
  T yy = y * y, yyRest = std::fma(y, y, -yy);
  T sum, rest, total, totalRest;
  twoSum(2 * x, std::fmax(xx, yy), sum, rest);
  twoSum(sum, std::fmin(xx, yy), total, totalRest);
  total += totalRest + rest + xxRest + yyRest;
  return {std::log1p(total) / 2, angle};
}

/// 1 / (1 + exp(-z)), written so that the exponential does not overflow.
template <typename T> std::complex<T> complexLogistic(std::complex<T> z) {
  std::complex<T> one = 1;
  if (z.real() >= 0)
    return one / (one + complexExp(-z));
  std::complex<T> small = complexExp(z);
  return small / (one + small);
}

/// The w with asin(z) = atan2(x, w.real) + i sign(y) w.imag for z = x + iy.
/// With a = (|z + 1| + |z - 1|) / 2 we have cos(Re acos(z)) = x / a, so w.real
/// = a sin(Re acos(z)); w.imag is |Im acos(z)|.
template <typename T> std::complex<T> asinAcosKernel(std::complex<T> z) {
  T a = (std::hypot(z.real() + 1, z.imag()) +
         std::hypot(z.real() - 1, z.imag())) /
        2;
  // acos(-z) is pi - acos(z). The smaller angle has the more accurate sine.
  std::complex<T> angle = std::acos(z.real() < 0 ? -z : z);
  return {a * std::sin(angle.real()), std::abs(angle.imag())};
}

/// -i log(w / sqrt(w v)) for w = x + iy and v = x - iy, whose product is x^2 + y^2.
/// Its imaginary part is log(|v| / |w|) / 2, where |v|^2 - |w|^2 = 4 (x.re y.im - x.im
/// y.re). Its real part is half of the angle of w / v, or half a turn from that: what
/// is nearer to the angle of w / sqrt(w v). NaN for operands that are not finite.
template <typename T>
std::complex<T> complexAtan2(std::complex<T> y, std::complex<T> x) {
  auto isFinite = [](std::complex<T> z) {
    return std::isfinite(z.real()) && std::isfinite(z.imag());
  };
  std::complex<T> zero = 0;
  if (!isFinite(x) || !isFinite(y) || (x == zero && y == zero))
    return complexNaN<T>();
  std::complex<T> w(x.real() - y.imag(), x.imag() + y.real()),
      v(x.real() + y.imag(), x.imag() - y.real());
  T difference = 4 * (x.real() * y.imag() - x.imag() * y.real());
  T ratio = std::fabs(difference) / std::norm(difference > 0 ? w : v);
  T height = ratio < 1 ? std::copysign(std::log1p(ratio) / 4, difference)
                       : (std::log(std::abs(v)) - std::log(std::abs(w))) / 2;
  T half = std::atan2(2 * (x.real() * y.real() + x.imag() * y.imag()),
                      std::norm(x) - std::norm(y)) /
           2;
  T turned = std::arg(w * std::conj(complexSqrt(w * v)));
  if (std::fabs(turned - half) >= 1.5)
    half += std::acos(T(-1)) * (half <= 0 ? 1 : -1);
  return {half, height};
}

/// exp(y log(x)); 1 if y is 0. Powers of 0 are 0 if the real part of y is positive,
/// and otherwise have no limit: NaN, as numpy has them.
template <typename T>
std::complex<T> complexPower(std::complex<T> x, std::complex<T> y) {
  if (y == std::complex<T>(0))
    return 1;
  if (x == std::complex<T>(0))
    return y.real() > 0 ? std::complex<T>(0) : complexNaN<T>();
  // 0 stays 0 where the other factor is infinite.
  auto times = [](T zero, T x) { return zero == 0 ? zero : zero * x; };
  std::complex<T> log = complexLog(x);
  T modulus =
        std::exp(times(y.real(), log.real()) - times(y.imag(), log.imag())),
    angle = times(y.real(), log.imag()) + times(y.imag(), log.real());
  if (modulus == 0)
    return 0;
  return {times(std::cos(angle), modulus), times(std::sin(angle), modulus)};
}

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_COMPLEXFUNCTIONS_H
