// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of complex numbers, computed on their parts. Inverse sine and
// cosine after Hull, Fairgrieve and Tang, "Implementing the complex arcsine and
// arccosine functions using exception handling" (1997).

#include "mercator/transforms/chlo/Functions.h"

#include <cmath>

using namespace mlir;
using namespace mercator;
using namespace mercator::chlo;

static constexpr double kHalfPi = 1.5707963267948966192;
static constexpr double kLogOfTwo = 0.69314718055994530942;

namespace {
/// The parts of the arc sine and cosine of z = x + iy:
///   asin = (atan2(x, side), +-height), acos = (atan2(side, x), -+height)
struct Kernel {
  Num side, height;
};
} // namespace

/// sqrt(a^2 + b^2) without overflow of the squares.
static Num hypot(Num a, Num b) { return abs(complexOf(a, b)); }

// The foci of the ellipses of constant height are -1 and 1. r and s are the
// distances from them, and a = (r + s) / 2. If the terms of one formula cancel,
// another formula is used.
static Kernel kernel(Num re, Num im) {
  Num x = abs(re), y = abs(im);
  Num r = hypot(x + 1.0, y), s = hypot(x - 1.0, y);
  Num a = 0.5 * (r + s), square = y * y;
  Num inside = x <= 1.0, rx = r + (x + 1.0);

  // a - x; the side is sqrt((a + x)(a - x)).
  Num ax = a + x;
  Num sideInside = sqrt(0.5 * ax * (square / rx + (s + (1.0 - x))));
  Num sideOutside = y * sqrt(0.5 * (ax / rx + ax / (s + (x - 1.0))));

  // m = a - 1; the height is log(1 + m + sqrt(m (m + 2))). Next to the right focus
  // 2m is the least number that is not subnormal.
  Num toRight = s + (1.0 - x);
  Num twice = select(x < 1.0, square / rx + square / toRight,
                     square / rx + (s + (x - 1.0)));
  Num height = log1p(0.5 * twice + sqrt(twice * (0.5 * (a + 1.0))));
  // Between the foci m is about the square of the height, and may be zero.
  double tiny = isDouble(x) ? 1e-12 : 1e-5;
  Num thin = (x < 1.0) & (y < tiny * (1.0 - x));
  height = select(thin, y / sqrt((1.0 - x) * (1.0 + x)), height);

  // Far away the foci coincide.
  Num larger = max(x, y), smaller = min(x, y);
  Num ratio = select(larger == smaller, 1.0, smaller / larger);
  Num far = larger > (isDouble(x) ? 1e150 : 1e17);
  Num farHeight = log(larger) + kLogOfTwo + 0.5 * log1p(ratio * ratio);
  return {select(far, y, select(inside, sideInside, sideOutside)),
          select(far, farHeight, height)};
}

Num chlo::asinAcosKernel(Num z) {
  Kernel k = kernel(real(z), imag(z));
  return complexOf(k.side, k.height);
}

Num chlo::complexAsin(Num z) {
  Num x = real(z), y = imag(z);
  Kernel k = kernel(x, y);
  return complexOf(atan2(x, k.side), withSignOf(k.height, y));
}

Num chlo::complexAcos(Num z) {
  Num x = real(z), y = imag(z);
  Kernel k = kernel(x, y);
  return complexOf(atan2(k.side, x), withSignOf(k.height, -y));
}

// +-i acos(z), with a real part >= 0.
Num chlo::complexAcosh(Num z) {
  Num x = real(z), y = imag(z);
  Kernel k = kernel(x, y);
  return complexOf(k.height, withSignOf(atan2(k.side, x), y));
}

// -i asin(i z).
Num chlo::complexAsinh(Num z) {
  Num x = real(z), y = imag(z);
  Kernel k = kernel(-y, x);
  return complexOf(withSignOf(k.height, x), atan2(y, k.side));
}

/// The inverse of tanh at x + iy, as its parts:
///   1/4 log1p(4x / ((1 - x)^2 + y^2)),  1/2 atan2(2y, (1 - x)(1 + x) - y^2).
static std::pair<Num, Num> atanhParts(Num re, Num im) {
  Num x = abs(re), y = abs(im), square = y * y, gap = 1.0 - x;
  Num near = 0.25 * log1p(4.0 * x / (gap * gap + square));
  // Next to the pole the squares are too small.
  Num distance = hypot(gap, y);
  near = select(distance < (isDouble(x) ? 1e-10 : 1e-5),
                0.25 * log(4.0 * x) - 0.5 * log(distance), near);
  Num angle = 0.5 * atan2(2.0 * y, gap * (1.0 + x) - square);
  // Far away: about 1/z, with an angle of pi/2.
  Num larger = max(x, y), ratio = min(x, y) / larger;
  Num far = larger > (isDouble(x) ? 1e16 : 1e8);
  Num reciprocal = (x / larger) / (1.0 + ratio * ratio) / larger;
  reciprocal = select(larger == HUGE_VAL, 0.0, reciprocal);
  return {withSignOf(select(far, reciprocal, near), re),
          withSignOf(select(far, kHalfPi, angle), im)};
}

Num chlo::complexAtanh(Num z) {
  auto [re, im] = atanhParts(real(z), imag(z));
  return complexOf(re, im);
}

// -i atanh(i z).
Num chlo::complexAtan(Num z) {
  auto [re, im] = atanhParts(-imag(z), real(z));
  return complexOf(im, -re);
}

/// f.first * f.second * angle. An angle of 0 gives 0 even for an infinite
/// factor.
static Num times(Factors f, Num angle) {
  return select(angle == 0.0, angle * sign(f.first),
                f.first * angle * f.second);
}

Num chlo::complexCosh(Num z) {
  Num x = real(z), y = imag(z);
  return complexOf(times(coshFactors(x), cos(y)),
                   times(sinhFactors(x), sin(y)));
}

Num chlo::complexSinh(Num z) {
  Num x = real(z), y = imag(z);
  return complexOf(times(sinhFactors(x), cos(y)),
                   times(coshFactors(x), sin(y)));
}
