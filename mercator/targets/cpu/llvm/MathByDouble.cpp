// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of f32 that are computed in f64, where an error of 2^-30 is far below half
// a unit of the result: polynomials are short, and nothing has to be compensated.
//
// The polynomials are fits of the least greatest error.

#include "mercator/targets/cpu/llvm/MathCode.h"

#include <cmath>

using namespace mlir;
using namespace mercator;
using cpu::MathCode;

/// s / c, or -c / s in an odd quarter of the circle.
mlir::Value MathCode::tan(mlir::Value x) {
  MathCode wide = inDouble();
  Angle angle = reduceFloat(x);
  mlir::Value isSmall = less(abs(x), number(0.78539816));
  mlir::Value r = select(isSmall, widen(abs(x)), angle.rest);
  mlir::Value z = wide.mul(r, r);
  mlir::Value s =
      wide.polynomial(z, {0x1.6dbcfb4dee452p-19, -0x1.a013a455bd213p-13,
                          0x1.11110decc73fdp-7, -0x1.555555545d0dap-3});
  s = wide.fma(wide.mul(s, z), r, r);
  mlir::Value c =
      wide.polynomial(z, {-0x1.25239a9550aefp-22, 0x1.a015c25366932p-16,
                          -0x1.6c16bf534c9ebp-10, 0x1.55555555027adp-5});
  c = wide.fma(wide.mul(c, z), z, wide.fma(z, wide.number(-0.5), 1));
  mlir::Value isOdd = arith::AndIOp::create(
      builder, loc,
      arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ne,
          arith::AndIOp::create(builder, loc, angle.quarters, bits(1)),
          bits(0)),
      arith::XOrIOp::create(
          builder, loc, isSmall,
          arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true))));
  mlir::Value above = select(isOdd, arith::NegFOp::create(builder, loc, c), s);
  mlir::Value y =
      narrow(arith::DivFOp::create(builder, loc, above, select(isOdd, s, c)));
  y = select(isNegative(x), arith::NegFOp::create(builder, loc, y), y);
  return select(less(abs(x), number(INFINITY)), y, number(NAN));
}

/// The arc tangent of a / b with a <= b: of z = a / b, or of pi / 4 before and
/// z = (a - b) / (a + b) where a / b exceeds tan(pi / 8).
mlir::Value MathCode::atan2(mlir::Value y, mlir::Value x) {
  MathCode wide = inDouble();
  // Infinities become numbers with the same quotients; NaN stays.
  auto sizeOf = [&](mlir::Value value) {
    mlir::Value size = wide.abs(widen(value)), most = wide.number(1e300);
    return wide.select(wide.less(most, size), most, size);
  };
  mlir::Value height = sizeOf(y), width = sizeOf(x);
  mlir::Value isSteep = wide.less(width, height);
  mlir::Value a = select(isSteep, width, height),
              b = select(isSteep, height, width);
  mlir::Value isLarge =
      wide.less(wide.mul(b, wide.number(0.41421356237309505)), a);
  mlir::Value above =
      select(isLarge, arith::SubFOp::create(builder, loc, a, b), a);
  mlir::Value below = select(isLarge, wide.add(a, b), b);
  mlir::Value isZero =
      compare(arith::CmpFPredicate::OEQ, below, wide.number(0));
  below = select(isZero, wide.number(1), below);
  mlir::Value z = arith::DivFOp::create(builder, loc, above, below);
  mlir::Value square = wide.mul(z, z);
  mlir::Value p =
      wide.polynomial(square, {0x1.9d60fa5068fb4p-5, -0x1.613c1c599a50fp-4,
                               0x1.c57a94756983fp-4, -0x1.248a0f9e7dbe8p-3,
                               0x1.99997aefc3eb5p-3, -0x1.5555554bfd993p-2});
  mlir::Value angle = wide.fma(wide.mul(p, square), z, z);
  constexpr double kPi = 3.14159265358979324;
  angle = select(isLarge, wide.add(angle, wide.number(kPi / 4)), angle);
  auto turned = [&](double from, mlir::Value by) -> mlir::Value {
    return arith::SubFOp::create(builder, loc, wide.number(from), by);
  };
  angle = select(isSteep, turned(kPi / 2, angle), angle);
  angle = select(isNegative(x), turned(kPi, angle), angle);
  // A comparison with NaN chose one of the two operands.
  mlir::Value hasNaN = compare(arith::CmpFPredicate::UNO, x, y);
  return select(hasNaN, number(NAN), withSign(narrow(angle), y));
}

/// x r^2 with r = x^(-1/3): a third of the exponent, and three steps of Newton's method,
/// each of which squares the error of at most 4 %.
mlir::Value MathCode::cbrt(mlir::Value x) {
  MathCode wide = inDouble();
  mlir::Value own = arith::BitcastOp::create(builder, loc, whole, abs(x));
  mlir::Value third = arith::DivUIOp::create(builder, loc, own, bits(3));
  mlir::Value first = arith::BitcastOp::create(
      builder, loc, real,
      arith::SubIOp::create(builder, loc, bits(0x54a2fa8c), third));
  mlir::Value size = widen(abs(x)), r = widen(first);
  mlir::Value part = wide.mul(size, wide.number(-1.0 / 3));
  for (int step = 0; step < 3; ++step) {
    mlir::Value cube = wide.mul(wide.mul(r, r), r);
    r = wide.mul(r, wide.fma(part, cube, 4.0 / 3));
  }
  mlir::Value y = withSign(narrow(wide.mul(size, wide.mul(r, r))), x);
  return select(less(abs(x), number(INFINITY)), y, add(x, x));
}
