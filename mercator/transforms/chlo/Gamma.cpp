// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Large arguments use Stirling's series. Small ones are shifted to where a
// series holds, negative ones are reflected.

#include "mercator/transforms/chlo/Functions.h"

#include <cmath>

using namespace mlir;
using namespace mercator;
using namespace mercator::chlo;

static constexpr double kPi = 3.14159265358979323846;
static constexpr double kLogPi = 1.14472988584940017414;
static constexpr double kHalfLog2Pi = 0.91893853320467274178;

/// The terms of a series in 1/x^2 that matter for x >= 8, the smallest first.
static ArrayRef<double> terms(Num x, ArrayRef<double> series) {
  return isDouble(x) ? series : series.take_back(4);
}

static Num isWhole(Num x) { return x == floor(x); }

//===--- lgamma -----------------------------------------------------------===//

/// lgamma(2 + u) / (u (1 + u)) for |u| <= 1/2: interpolated at Chebyshev's
/// points, error below 2^-65 (2^-31 for floats).
static Num aroundTwo(Num u) {
  if (!isDouble(u))
    return polynomial(u, {-9.5188732894e-5, 0.00020866155284,
                          -0.000402985690454, 0.000909502833405,
                          -0.00210837695248, 0.00499917227404, -0.0123841844578,
                          0.0329649839294, -0.100317301713, 0.422784335182});
  return polynomial(u, {-1.3787731939542836538e-8, 2.8751305130734838973e-8,
                        -4.1107459074750145921e-8, 8.6207294749968226818e-8,
                        -1.9247784953296946701e-7, 4.0544712264449227202e-7,
                        -8.5278842612291835577e-7, 1.8077394654188716862e-6,
                        -3.8473455503842950996e-6, 8.2222380710203264594e-6,
                        -1.7661674694806337175e-5, 3.8168885242715939299e-5,
                        -8.309512638530256195e-5,  1.8255263928707144584e-4,
                        -4.057073975059781207e-4,  9.1537692224525857198e-4,
                        -2.1081308339558256188e-3, 4.998641164697409329e-3,
                        -1.2384192193371277794e-2, 3.2965000621155825295e-2,
                        -0.10031730167435392116,   0.42278433509846713939});
}

/// lgamma(x) for x >= 1/2.
static Num lgammaRight(Num x) {
  // Shifts down to [3/2, 5/2]; the product collects the steps.
  Num y = min(x, 8.0), product = constantLike(x, 1.0);
  for (int i = 0; i < 6; ++i) {
    Num above = y > 2.5;
    y = select(above, y - 1.0, y);
    product = select(above, product * y, product);
  }
  // Or shifts up, by log(x). Near x = 1 the sum is small because both terms
  // are.
  Num below = x < 1.5;
  Num u = select(below, x - 1.0, y - 2.0);
  Num near =
      u * (1.0 + u) * aroundTwo(u) + select(below, -log(x), log(product));

  Num reciprocal = 1.0 / max(x, 8.0);
  Num tail =
      reciprocal *
      polynomial(
          reciprocal * reciprocal,
          terms(x, {-0.02955065359477124183, 0.0064102564102564102564,
                    -0.0019175269175269175269, 0.00084175084175084175084,
                    -0.0005952380952380952381, 0.00079365079365079365079,
                    -0.0027777777777777777778, 0.083333333333333333333}));
  Num logX = log(x);
  Num far = x * (logX - 1.0) + (tail + kHalfLog2Pi - 0.5 * logX);
  return select(x <= 8.0, near, far);
}

// For x < 1/2: log(pi / |sin(pi x)|) - lgamma(1 - x).
Num chlo::lgamma(Num x) {
  Num reflects = x < 0.5;
  Num right = lgammaRight(select(reflects, 1.0 - x, x));
  Num a = abs(x), fraction = a - floor(a);
  fraction = select(fraction > 0.5, 1.0 - fraction, fraction);
  Num left = kLogPi - log(sin(fraction * kPi)) - right;
  Num result = select(reflects, left, right);
  return select(a == HUGE_VAL, a,
                select((x <= 0.0) & isWhole(x), HUGE_VAL, result));
}

//===--- digamma ----------------------------------------------------------===//

/// digamma(x) for x >= 1/2.
static Num digammaRight(Num x) {
  // Shifts up to where Stirling's series holds.
  Num y = x, steps = constantLike(x, 0.0);
  for (int i = 0; i < 8; ++i) {
    Num below = y < 8.0;
    steps = select(below, steps + 1.0 / y, steps);
    y = select(below, y + 1.0, y);
  }
  Num reciprocal = 1.0 / y, square = reciprocal * reciprocal;
  Num tail =
      square *
      polynomial(
          square,
          terms(x, {-0.44325980392156862745, 0.083333333333333333333,
                    -0.021092796092796092796, 0.0075757575757575757576,
                    -0.0041666666666666666667, 0.003968253968253968254,
                    -0.0083333333333333333333, 0.083333333333333333333}));
  return log(y) - 0.5 * reciprocal - tail - steps;
}

// For x < 1/2: digamma(1 - x) - pi / tan(pi x), with the angle reduced to one
// period.
Num chlo::digamma(Num x) {
  Num reflects = x < 0.5;
  Num right = digammaRight(select(reflects, 1.0 - x, x));
  Num fraction = x - floor(x + 0.5);
  Num result = select(reflects, right - kPi / tan(kPi * fraction), right);
  return select((x <= 0.0) & isWhole(x), std::nan(""), result);
}

//===--- zeta, polygamma --------------------------------------------------===//

// The Euler-Maclaurin formula: n terms of the sum, then the integral and
// correction terms; term k has the factor B(2k) / (2k)!.
Num chlo::zeta(Num x, Num q) {
  constexpr int n = 10;
  static constexpr double factors[] = {
      1.0 / 12,          -1.0 / 720,
      1.0 / 30240,       -1.0 / 1209600,
      1.0 / 47900160,    -691.0 / 1307674368000.0,
      1.0 / 74724249600, -3617.0 / 10670622842880000.0};
  Num sum = pow(q, -x);
  Num last = q;
  for (int i = 1; i < n; ++i) {
    last = last + 1.0;
    sum = sum + pow(last, -x);
  }
  Num y = last + 1.0, power = pow(y, -x);
  Num corrections = constantLike(x, 0.5);
  Num factor = x / y; // x (x + 1) .. (x + 2k - 2) / y^(2k - 1)
  for (int k = 0; k < 8; ++k) {
    corrections = corrections + factor * factors[k];
    if (k != 7)
      factor = factor * ((x + double(2 * k + 1)) / y) *
               ((x + double(2 * k + 2)) / y);
  }
  // If the power underflows, so does the product.
  Num tail =
      power * (y / (x - 1.0)) + select(power == 0.0, 0.0, power * corrections);
  Num result = sum + tail;
  Num isPole = (q <= 0.0) & isWhole(q);
  Num isUndefined = (x < 1.0) | ((q <= 0.0) & (x != floor(x)));
  result = select(q == HUGE_VAL, 0.0, result);
  result = select(isUndefined, std::nan(""), result);
  result = select((x == 1.0) | (isPole & (x > 1.0)), HUGE_VAL, result);
  return select((x != x) | (q != q), std::nan(""), result);
}

// (-1)^(n + 1) n! zeta(n + 1, x).
Num chlo::polygamma(Num n, Num x) {
  Num isOdd = (n - 2.0 * floor(0.5 * n)) == 1.0;
  Num logFactorial = lgamma(n + 1.0), factorial = exp(logFactorial),
      sum = zeta(n + 1.0, x);
  // The factorial overflows where the product does not.
  Num magnitude = select(factorial == HUGE_VAL, exp(logFactorial + log(sum)),
                         factorial * sum);
  Num result = select(isOdd, magnitude, -magnitude);
  result = select(n == 0.0, digamma(x), result);
  return select((n < 0.0) | (n != floor(n)), std::nan(""), result);
}
