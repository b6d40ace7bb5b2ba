// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Roots, exponentials, logarithms, angles.

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/transforms/stablehlo/scalars/ScalarFamilies.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace mercator::stablehlo::families {

/// 1 / (1 + exp(-x)), with an exponential that does not overflow. Narrow types
/// are computed in f32.
static Value logistic(const ScalarCall &c) {
  if (c.kind == Kind::Complex)
    return complexLogistic(c.b, c.x[0]);
  if (c.kind != Kind::Real)
    return Value();
  Value x = atLeastF32(c.b, c.x[0]);
  Value one = number(c.b, x.getType(), 1);
  Value magnitude = math::AbsFOp::create(c.b, x);
  Value small = math::ExpOp::create(c.b, arith::NegFOp::create(c.b, magnitude));
  Value isNegative = compareReals(c.b, arith::CmpFPredicate::OLT, x,
                                  number(c.b, x.getType(), 0));
  Value quotient =
      arith::DivFOp::create(c.b, choose(c.b, isNegative, small, one),
                            arith::AddFOp::create(c.b, one, small));
  return toReal(c.b, quotient, c.result);
}

static Value cbrt(const ScalarCall &c) {
  if (c.kind == Kind::Complex)
    return complexCbrt(c.b, c.x[0]);
  return unary<math::CbrtOp, None>(c);
}

Value transcendental(const ScalarCall &c) {
  return llvm::TypeSwitch<Operation *, Value>(c.op)
      .Case([&](Atan2Op) {
        return binary<None, None, None, math::Atan2Op, complex::Atan2Op>(c);
      })
      .Case([&](CbrtOp) { return cbrt(c); })
      .Case([&](CosineOp) { return unary<math::CosOp, complex::CosOp>(c); })
      .Case([&](chlo::ErfOp) { return unary<math::ErfOp, None>(c); })
      .Case([&](chlo::ErfcOp) { return unary<math::ErfcOp, None>(c); })
      .Case([&](ExpOp) { return unary<math::ExpOp, complex::ExpOp>(c); })
      .Case([&](Expm1Op) { return unary<math::ExpM1Op, complex::Expm1Op>(c); })
      .Case([&](LogOp) { return unary<math::LogOp, complex::LogOp>(c); })
      .Case([&](Log1pOp) { return unary<math::Log1pOp, complex::Log1pOp>(c); })
      .Case([&](LogisticOp) { return logistic(c); })
      .Case([&](PowOp) {
        return binary<None, None, None, math::PowFOp, complex::PowOp>(c);
      })
      .Case([&](RsqrtOp) { return unary<math::RsqrtOp, complex::RsqrtOp>(c); })
      .Case([&](SineOp) { return unary<math::SinOp, complex::SinOp>(c); })
      .Case([&](SqrtOp) { return unary<math::SqrtOp, complex::SqrtOp>(c); })
      .Case([&](TanOp) { return unary<math::TanOp, complex::TanOp>(c); })
      .Case([&](TanhOp) { return unary<math::TanhOp, complex::TanhOp>(c); })
      .Default(Value());
}

} // namespace mercator::stablehlo::families
