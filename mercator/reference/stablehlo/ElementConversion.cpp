// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Conversions between element types, and reduced precision.

#include "mercator/reference/stablehlo/ElementFamilies.h"

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Scalars.h"

#include "llvm/ADT/TypeSwitch.h"

#include <bit>
#include <cmath>

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference::families {

//===----------------------------------------------------------------------===//
// Convert
//===----------------------------------------------------------------------===//

static double toReal(const Element &from, int64_t value, const Element &to) {
  if (from.kind == ElementKind::SignedInt)
    return realOfInteger(magnitudeOf(value), value < 0, to);
  return realOfInteger(uint64_t(value), false, to);
}

/// A float without its fraction, clamped to the type; NaN becomes 0. The
/// specification leaves both open; this is XLA's behavior.
static int64_t toInteger(double value, const Element &to) {
  if (std::isnan(value))
    return 0;
  double whole = std::trunc(value);
  // The highest value plus 1 is a power of two, which a double can hold.
  double beyond = std::ldexp(
      1.0, int(to.kind == ElementKind::SignedInt ? to.bits - 1 : to.bits));
  if (whole >= beyond)
    return to.highest();
  if (to.kind != ElementKind::SignedInt)
    return whole <= 0 ? 0 : int64_t(uint64_t(whole));
  return whole < -beyond ? to.lowest() : int64_t(whole);
}

static Scalar convert(const ElementFunction &self, const Scalar *x) {
  const Element &from = self.operand, &to = self.result;
  bool fromWhole = !from.isReal() && !from.isComplex();
  if (to.kind == ElementKind::Boolean)
    return Scalar::whole(fromWhole ? x->integer != 0 : x->re != 0);
  if (to.isInteger())
    return fromWhole ? to.round(*x) : Scalar::whole(toInteger(x->re, to));
  double re = fromWhole ? toReal(from, x->integer, to) : x->re;
  double im = from.isComplex() && to.isComplex() ? x->im : 0;
  return to.round(Scalar::complex(re, im));
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static Scalar realPart(const ElementFunction &, const Scalar *x) {
  return Scalar::real(x->re);
}
static Scalar imaginaryPart(const ElementFunction &self, const Scalar *x) {
  return Scalar::real(self.operand.isComplex() ? x->im : 0);
}
static Scalar complexOf(const ElementFunction &, const Scalar *x) {
  return Scalar::complex(x[0].re, x[1].re);
}
static Scalar isFinite(const ElementFunction &, const Scalar *x) {
  return Scalar::whole(std::isfinite(x->re));
}

//===----------------------------------------------------------------------===//
// Reduced precision
//===----------------------------------------------------------------------===//

static double roundAway(double x) { return std::round(x); }

/// Rounds to a float with detail[0] bits of exponent and detail[1] of mantissa.
/// A narrower exponent has no subnormal numbers.
static Scalar reducePrecision(const ElementFunction &self, const Scalar *x) {
  const llvm::fltSemantics &format = *self.operand.format;
  int64_t exponentBits = self.detail[0], mantissaBits = self.detail[1];
  double value = x->re;
  if (std::isnan(value) && mantissaBits == 0)
    // Without a mantissa there is only infinity.
    return self.result.round(Scalar::real(std::copysign(INFINITY, value)));
  if (!std::isfinite(value) || value == 0)
    return *x;

  int64_t ownMantissa = llvm::APFloat::semanticsPrecision(format) - 1;
  if (mantissaBits < ownMantissa) {
    int exponent = std::max<int>(std::ilogb(value),
                                 llvm::APFloat::semanticsMinExponent(format));
    int lastDigit = exponent - int(mantissaBits);
    value =
        std::ldexp(std::nearbyint(std::ldexp(value, -lastDigit)), lastDigit);
  }
  int64_t ownExponent = int64_t(self.operand.bits) - ownMantissa -
                        llvm::APFloat::semanticsHasSignedRepr(format);
  if (exponentBits < ownExponent && value != 0) {
    int64_t bias = (int64_t(1) << (exponentBits - 1)) - 1;
    int exponent = std::ilogb(value);
    if (exponent > bias)
      value = std::copysign(INFINITY, value);
    else if (exponent < 1 - bias)
      value = std::copysign(0.0, value);
  }
  return self.result.round(Scalar::real(value));
}

/// Whatever the rounding mode is (Perturbation.h).
static double roundEven(double a) { return __builtin_roundeven(a); }

Call conversion(Operation *op, const Element &operand) {
  if (isa<ConvertOp>(op))
    return convert;
  if (!operand.isReal() && !operand.isComplex())
    return nullptr;
  Call any = llvm::TypeSwitch<Operation *, Call>(op)
                 .Case([](RealOp) { return realPart; })
                 .Case([](ImagOp) { return imaginaryPart; })
                 .Default(nullptr);
  if (any || !operand.isReal())
    return any;
  return llvm::TypeSwitch<Operation *, Call>(op)
      .Case<ComplexOp, chlo::BroadcastComplexOp>([](auto) { return complexOf; })
      .Case([](IsFiniteOp) { return isFinite; })
      .Case([](FloorOp) { return call<floorReal>; })
      .Case([](CeilOp) { return call<ceilReal>; })
      .Case([](RoundOp) { return call<roundAway>; })
      .Case([](RoundNearestEvenOp) { return call<roundEven>; })
      .Case([](ReducePrecisionOp) { return reducePrecision; })
      .Default(nullptr);
}

} // namespace mercator::reference::families
