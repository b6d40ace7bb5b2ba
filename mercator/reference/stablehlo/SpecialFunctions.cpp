// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Series and asymptotic expansions: NIST Digital Library of Mathematical
// Functions, dlmf.nist.gov, sections 5.5, 5.11, 10.25, 10.40 and 25.11.

#include "mercator/reference/stablehlo/SpecialFunctions.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace mercator::reference {

using Wide = long double;

static constexpr Wide kPi = std::numbers::pi_v<Wide>;
static constexpr double kInfinity = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// The Bernoulli numbers B_2, B_4, .. B_24.
static constexpr Wide kBernoulli[] = {
    1.0L / 6,       -1.0L / 30,       1.0L / 42,       -1.0L / 30,
    5.0L / 66,      -691.0L / 2730,   7.0L / 6,        -3617.0L / 510,
    43867.0L / 798, -174611.0L / 330, 854513.0L / 138, -236364091.0L / 2730};

/// From this argument on, they give full precision.
static constexpr Wide kFar = 16;

double logGamma(double x) {
  int sign = 0;
  return double(::lgammal_r(x, &sign));
}

double digamma(double x) {
  if (std::isnan(x) || x == -kInfinity || (x <= 0 && x == std::floor(x)))
    return kNaN;
  if (x == kInfinity)
    return x;
  Wide at = x, sum = 0;
  if (at < 0) {
    // psi(x) = psi(1 - x) - pi / tan(pi x)
    sum = -kPi / std::tan(kPi * (at - std::nearbyint(at)));
    at = 1 - at;
  }
  for (; at < kFar; ++at)
    sum -= 1 / at;
  // log(x) - 1 / 2x - the sum of B_2k / (2k x^2k)
  Wide power = 1, tail = 0;
  for (int k = 1; k <= 12; ++k) {
    power /= at * at;
    tail += kBernoulli[k - 1] / (2 * k) * power;
  }
  return double(sum + std::log(at) - 1 / (2 * at) - tail);
}

/// For q > 0 and x > 1: some terms, then the Euler-Maclaurin formula.
static Wide zetaOfPositive(Wide x, Wide q) {
  Wide sum = 0;
  for (; q < kFar; ++q)
    sum += std::pow(q, -x);
  Wide power = std::pow(q, -x);
  sum += power * q / (x - 1) + power / 2;
  // The sum of B_2k / (2k)! x (x + 1) .. (x + 2k - 2) q^(-x - 2k + 1)
  Wide factor = x * power / q;
  for (int k = 1; k <= 12; ++k) {
    factor /= Wide(2 * k - 1) * Wide(2 * k);
    Wide term = kBernoulli[k - 1] * factor;
    sum += term;
    if (std::fabs(term) <= std::fabs(sum) * 1e-21L)
      break;
    factor *= (x + (2 * k - 1)) * (x + 2 * k) / (q * q);
  }
  return sum;
}

static Wide zeta(double x, double q) {
  if (std::isnan(x) || std::isnan(q) || x < 1)
    return kNaN;
  if (x == 1)
    return kInfinity;
  if (q <= 0 && q == std::floor(q))
    return kInfinity;
  if (q == kInfinity)
    return 0;
  if (x == kInfinity) // the largest term
    return q > 1 ? 0 : q == 1 ? 1 : kInfinity;
  if (q > 0)
    return zetaOfPositive(x, q);
  if (x != std::floor(x))
    return kNaN;
  // Terms from a fraction f upward, and those of f - 1, f - 2, .. q.
  Wide floor = std::floor(q), fraction = Wide(q) - floor;
  Wide below =
      zetaOfPositive(x, 1 - fraction) - zetaOfPositive(x, 1 - fraction - floor);
  return zetaOfPositive(x, fraction) +
         (std::fmod(x, 2.0) == 0 ? below : -below);
}

double hurwitzZeta(double x, double q) { return double(zeta(x, q)); }

double polygamma(double n, double x) {
  if (!(n >= 0) || n != std::floor(n) || std::isnan(x))
    return kNaN;
  if (n == 0)
    return digamma(x);
  Wide factorial = std::tgamma(Wide(n) + 1), sum = zeta(n + 1, x);
  // The factorial overflows where the product does not.
  Wide magnitude = std::isinf(factorial)
                       ? std::exp(std::lgamma(Wide(n) + 1) + std::log(sum))
                       : factorial * sum;
  return double(std::fmod(n, 2.0) == 0 ? -magnitude : magnitude);
}

double inverseErf(double y) {
  if (!(std::fabs(y) <= 1))
    return kNaN;
  if (std::fabs(y) == 1)
    return std::copysign(kInfinity, y);
  if (y == 0)
    return y;
  // Winitzki's approximation, then Halley's method; each step triples the
  // correct digits. The complement is exact where it is used.
  Wide target = std::fabs(y), rest = 1 - target;
  Wide x = target * std::sqrt(kPi) / 2;
  if (target > 0.1L) {
    Wide log = std::log(rest * (1 + target)), a = 0.147L;
    Wide half = 2 / (kPi * a) + log / 2;
    x = std::sqrt(std::sqrt(half * half - log / a) - half);
  }
  for (int step = 0; step < 4; ++step) {
    Wide error = target < 0.5L ? std::erf(x) - target : rest - std::erfc(x);
    Wide newton = error / (2 / std::sqrt(kPi) * std::exp(-x * x));
    x -= newton / (1 + x * newton);
  }
  return double(std::copysign(x, Wide(y)));
}

double scaledBesselI1(double x) {
  Wide size = std::fabs(Wide(x)), sum = 0;
  if (std::isnan(x))
    return x;
  if (std::isinf(x))
    return std::copysign(0.0, x);
  if (size < 40) {
    // The sum of (x/2)^(2k + 1) / (k! (k + 1)!)
    Wide half = size / 2, term = half;
    for (int k = 1; term > sum * 1e-21L; ++k) {
      sum += term;
      term *= half * half / (Wide(k) * (k + 1));
    }
    sum *= std::exp(-size);
  } else {
    // 1 - (4 - 1) / 8x + (4 - 1) (4 - 9) / 2! (8x)^2 - .., over sqrt(2 pi x)
    Wide term = 1;
    for (int k = 1; k < 40 && std::fabs(term) > 1e-21L; ++k) {
      sum += term;
      term *= -(4 - Wide(2 * k - 1) * (2 * k - 1)) / (k * 8 * size);
    }
    sum /= std::sqrt(2 * kPi * size);
  }
  return double(std::copysign(sum, Wide(x)));
}

} // namespace mercator::reference
