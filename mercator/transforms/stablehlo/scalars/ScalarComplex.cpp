// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions of complex numbers that the complex dialect does not have.

#include "mercator/transforms/stablehlo/scalars/ScalarFamilies.h"

using namespace mlir;
using arith::CmpFPredicate;

namespace mercator::stablehlo::families {

static Value either(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::OrIOp::create(b, x, y);
}
static Value both(ImplicitLocOpBuilder &b, Value x, Value y) {
  return arith::AndIOp::create(b, x, y);
}

Value complexOrder(ImplicitLocOpBuilder &b, Value x, Value y,
                   CmpFPredicate strict, CmpFPredicate last) {
  Value xRe = realPart(b, x), yRe = realPart(b, y);
  Value isTie =
      both(b, compareReals(b, CmpFPredicate::OEQ, xRe, yRe),
           compareReals(b, last, imaginaryPart(b, x), imaginaryPart(b, y)));
  return either(b, compareReals(b, strict, xRe, yRe), isTie);
}

/// x if it is a NaN, else y if that is a NaN or `before` x.
static Value extremum(ImplicitLocOpBuilder &b, Value x, Value y,
                      CmpFPredicate before) {
  Value xIsNumber =
      compareReals(b, CmpFPredicate::ORD, realPart(b, x), imaginaryPart(b, x));
  Value yIsNaN =
      compareReals(b, CmpFPredicate::UNO, realPart(b, y), imaginaryPart(b, y));
  Value isSecond = both(
      b, xIsNumber, either(b, yIsNaN, complexOrder(b, y, x, before, before)));
  return choose(b, isSecond, y, x);
}

Value complexMaximum(ImplicitLocOpBuilder &b, Value x, Value y) {
  return extremum(b, x, y, CmpFPredicate::OGT);
}
Value complexMinimum(ImplicitLocOpBuilder &b, Value x, Value y) {
  return extremum(b, x, y, CmpFPredicate::OLT);
}

/// Of 0, 0 without a sign; complex.sign would keep that of each part.
Value complexSign(ImplicitLocOpBuilder &b, Value z) {
  Value none = zero(b, z.getType());
  Value isZero = complex::EqualOp::create(b, z, none);
  return choose(b, isZero, none, complex::SignOp::create(b, z.getType(), z));
}

/// |z|^(1/3) at a third of the angle. A real number keeps the sign of each zero. Of a
/// large one, |z / 8| is computed, which does not overflow.
Value complexCbrt(ImplicitLocOpBuilder &b, Value z) {
  Value re = realPart(b, z), im = imaginaryPart(b, z);
  Type part = re.getType();
  Value nought = number(b, part, 0);
  Value isReal = both(b, compareReals(b, CmpFPredicate::OEQ, im, nought),
                      compareReals(b, CmpFPredicate::OGE, re, nought));
  auto isLarge = [&](Value x) {
    return compareReals(b, CmpFPredicate::OGT, math::AbsFOp::create(b, x),
                        number(b, part, part.isF32() ? 0x1p125 : 0x1p1021));
  };
  Value mustScale = either(b, isLarge(re), isLarge(im));
  Value one = number(b, part, 1);
  Value factor = choose(b, mustScale, number(b, part, 0.125), one);
  auto scaled = [&](Value x) -> Value {
    return arith::MulFOp::create(b, x, factor);
  };
  Value modulus =
      complex::AbsOp::create(b, part, complexOf(b, scaled(re), scaled(im)));
  Value root = math::CbrtOp::create(b, choose(b, isReal, scaled(re), modulus));
  root = arith::MulFOp::create(b, root,
                               choose(b, mustScale, number(b, part, 2), one));
  Value angle = arith::DivFOp::create(
      b, complex::AngleOp::create(b, part, z).getResult(), number(b, part, 3));
  Value x = arith::MulFOp::create(b, root, math::CosOp::create(b, angle));
  Value y = arith::MulFOp::create(b, root, math::SinOp::create(b, angle));
  return complexOf(b, choose(b, isReal, root, x), choose(b, isReal, im, y));
}

/// 1 / (1 + exp(-z)), written so that the exponential does not overflow.
Value complexLogistic(ImplicitLocOpBuilder &b, Value z) {
  Type type = z.getType();
  Value re = realPart(b, z);
  Value isRight =
      compareReals(b, CmpFPredicate::OGE, re, number(b, re.getType(), 0));
  Value turned = choose(b, isRight, complex::NegOp::create(b, type, z), z);
  Value small = complex::ExpOp::create(b, type, turned);
  Value one = number(b, type, 1);
  return complex::DivOp::create(b, choose(b, isRight, one, small),
                                complex::AddOp::create(b, one, small));
}

} // namespace mercator::stablehlo::families
