// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/chlo/Functions.h"

#include <cmath>

using namespace mlir;
using namespace mercator;
using namespace mercator::chlo;

static constexpr double kLog2 = 0.69314718055994530942;

// From here on x^2 + 1 rounds to x^2.
static double large(Num x) { return isDouble(x) ? 1e9 : 1e5; }

//===--- Inverse trigonometric --------------------------------------------===//

// Both factors are exact near 1, where 1 - x^2 is not. Outside [-1, 1] the root
// is NaN.
Num chlo::acos(Num x) { return 2.0 * atan2(sqrt(1.0 - x), sqrt(1.0 + x)); }
Num chlo::asin(Num x) { return atan2(x, sqrt((1.0 - x) * (1.0 + x))); }
Num chlo::atan(Num x) { return atan2(x, constantLike(x, 1.0)); }

//===--- Inverse hyperbolic -----------------------------------------------===//

// With y = x - 1: log(1 + y + sqrt(y (y + 2))).
Num chlo::acosh(Num x) {
  Num y = x - 1.0;
  Num near = log1p(y + sqrt(y) * sqrt(y + 2.0));
  return select(x > large(x), log(x) + kLog2, near);
}

// log(x + sqrt(x^2 + 1)) = log1p(x + x^2 / (1 + sqrt(x^2 + 1))).
Num chlo::asinh(Num x) {
  Num a = abs(x), square = a * a;
  Num near = log1p(a + square / (1.0 + sqrt(square + 1.0)));
  return withSignOf(select(a > large(x), log(a) + kLog2, near), x);
}

// The sum of two terms with the same sign.
Num chlo::atanh(Num x) { return 0.5 * (log1p(x) - log1p(-x)); }

//===--- Hyperbolic -------------------------------------------------------===//

/// From here on exp(-x) is negligible relative to exp(x).
static Num isFar(Num magnitude) {
  return magnitude > (isDouble(magnitude) ? 22.0 : 10.0);
}

// exp(|x|) may be infinite although cosh(x) is not: (exp(|x|/2) / 2)
// exp(|x|/2).
static Factors factors(Num magnitude, Num near) {
  Num far = isFar(magnitude), root = exp(0.5 * magnitude);
  return {select(far, 0.5 * root, near), select(far, root, 1.0)};
}

Factors chlo::coshFactors(Num x) {
  Num a = abs(x), e = exp(a);
  return factors(a, 0.5 * (e + 1.0 / e));
}

Factors chlo::sinhFactors(Num x) {
  Num a = abs(x), e = expm1(a);
  Factors f = factors(a, 0.5 * (e + e / (e + 1.0)));
  return {withSignOf(f.first, x), f.second};
}

Num chlo::cosh(Num x) {
  Factors f = coshFactors(x);
  return f.first * f.second;
}

Num chlo::sinh(Num x) {
  Factors f = sinhFactors(x);
  return f.first * f.second;
}

//===--- Neighbors --------------------------------------------------------===//

/// Towards `y`. As an integer without its sign bit, the next larger float is larger
/// by `step`.
static Num steppedTowards(Num x, Num y, double step) {
  Emitter &e = *x.emitter;
  unsigned width = x.element().getIntOrFloatBitWidth();
  Type integer = e.builder.getIntegerType(width);
  Num bits = bitcast(x, integer);
  Num signBit = e.constant(integer, APInt::getSignMask(width));
  Num towardsZero =
      (abs(x) > abs(y)) | ((bits & signBit) != (bitcast(y, integer) & signBit));
  Num stepped = bits + select(towardsZero, -step, e.constant(integer, step));
  const llvm::fltSemantics &format =
      cast<FloatType>(x.element()).getFloatSemantics();
  // Without -0, its bits are NaN.
  if (APFloat::getZero(format, /*Negative=*/true).isNegative() == false)
    stepped = select(stepped == signBit, 0.0, stepped);
  Num fromZero = (bitcast(y, integer) & signBit) | step;
  return bitcast(select(x == 0.0, fromZero, stepped), x.element());
}

static Num neighbor(Num x, Num y) {
  Emitter &e = *x.emitter;
  auto type = cast<FloatType>(x.element());
  const llvm::fltSemantics &format = type.getFloatSemantics();
  if (!APFloat::semanticsHasSignedRepr(format)) {
    Type integer = e.builder.getIntegerType(type.getWidth());
    Num step = select(x < y, 1.0, e.constant(integer, -1.0));
    return bitcast(bitcast(x, integer) + step, type);
  }
  if (type.getWidth() != 6)
    return steppedTowards(x, y, 1);
  // StableHLO has no integers of 6 bits. With the exponents of f8E4M3, the
  // subnormal numbers are subnormal there too: their codes have the same order.
  auto wide = Float8E4M3Type::get(e.builder.getContext());
  const llvm::fltSemantics &wideFormat = wide.getFloatSemantics();
  double scale = std::ldexp(1, APFloat::semanticsMinExponent(wideFormat) -
                                   APFloat::semanticsMinExponent(format));
  double step = std::ldexp(1, int(APFloat::semanticsPrecision(wideFormat)) -
                                  int(APFloat::semanticsPrecision(format)));
  Num next =
      steppedTowards(convert(x, wide) * scale, convert(y, wide) * scale, step);
  return convert(next * (1 / scale), type);
}

Num chlo::nextAfter(Num x, Num y) {
  return select((x != x) | (y != y), x + y, select(x == y, y, neighbor(x, y)));
}
