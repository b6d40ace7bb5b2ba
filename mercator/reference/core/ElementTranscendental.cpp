// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Roots, exponentials, logarithms, angles. Floats are computed in double,
// complex numbers in the next wider float, so that intermediate overflow and
// cancellation do not matter.

#include "mercator/reference/core/ElementFamilies.h"

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/ComplexFunctions.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference::families {

static double reciprocalSqrt(double x) { return 1 / std::sqrt(x); }

// 1 / (1 + exp(-x)), written so that exp(-x) does not overflow.
static double logistic(double x) {
  double small = std::exp(-std::fabs(x));
  return (x < 0 ? small : 1) / (1 + small);
}

static double cbrtReal(double x) { return std::cbrt(x); }
static double cosReal(double x) { return std::cos(x); }
static double expReal(double x) { return std::exp(x); }
static double expm1Real(double x) { return std::expm1(x); }
static double logReal(double x) { return std::log(x); }
static double log1pReal(double x) { return std::log1p(x); }
static double sinReal(double x) { return std::sin(x); }
static double sqrtReal(double x) { return std::sqrt(x); }
static double tanReal(double x) { return std::tan(x); }
static double tanhReal(double x) { return std::tanh(x); }
static double atan2Real(double y, double x) { return std::atan2(y, x); }
static double powerReal(double x, double y) { return std::pow(x, y); }

static Call ofReals(Operation *op) {
  return llvm::TypeSwitch<Operation *, Call>(op)
      .Case([](CbrtOp) { return call<cbrtReal>; })
      .Case([](CosineOp) { return call<cosReal>; })
      .Case([](ExpOp) { return call<expReal>; })
      .Case([](Expm1Op) { return call<expm1Real>; })
      .Case([](LogOp) { return call<logReal>; })
      .Case([](Log1pOp) { return call<log1pReal>; })
      .Case([](LogisticOp) { return call<logistic>; })
      .Case([](RsqrtOp) { return call<reciprocalSqrt>; })
      .Case([](SineOp) { return call<sinReal>; })
      .Case([](SqrtOp) { return call<sqrtReal>; })
      .Case([](TanOp) { return call<tanReal>; })
      .Case([](TanhOp) { return call<tanhReal>; })
      .Case<Atan2Op, chlo::BroadcastAtan2Op>(
          [](auto) { return call<atan2Real>; })
      .Case<PowOp, chlo::BroadcastPowOp>([](auto) { return call<powerReal>; })
      .Default(nullptr);
}

template <typename Wide> static Call ofComplexes(Operation *op) {
  return llvm::TypeSwitch<Operation *, Call>(op)
      .Case([](CbrtOp) { return apply<Wide, complexCbrt>; })
      .Case([](CosineOp) { return apply<Wide, complexCos>; })
      .Case([](ExpOp) { return apply<Wide, complexExp>; })
      .Case([](Expm1Op) { return apply<Wide, complexExpMinusOne>; })
      .Case([](LogOp) { return apply<Wide, complexLog>; })
      .Case([](Log1pOp) { return apply<Wide, complexLogPlusOne>; })
      .Case([](LogisticOp) { return apply<Wide, complexLogistic>; })
      .Case([](RsqrtOp) { return apply<Wide, complexReciprocalSqrt>; })
      .Case([](SineOp) { return apply<Wide, complexSin>; })
      .Case([](SqrtOp) { return apply<Wide, complexSqrt>; })
      .Case([](TanOp) { return apply<Wide, complexTan>; })
      .Case([](TanhOp) { return apply<Wide, complexTanh>; })
      .template Case<Atan2Op, chlo::BroadcastAtan2Op>(
          [](auto) { return apply2<Wide, complexAtan2>; })
      .template Case<PowOp, chlo::BroadcastPowOp>(
          [](auto) { return apply2<Wide, complexPower>; })
      .Default(nullptr);
}

Call transcendental(Operation *op, const Element &operand) {
  if (operand.isReal())
    return ofReals(op);
  if (!operand.isComplex())
    return nullptr;
  return operand.bits == 32 ? ofComplexes<double>(op)
                            : ofComplexes<long double>(op);
}

} // namespace mercator::reference::families
