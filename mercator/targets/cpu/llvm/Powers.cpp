// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Powers. Of f32 in f64; of f64 with a logarithm of two numbers: an error of 2^-53 of
// y log(x), which may be 709, would be 700 units of the result. The logarithm is a sum
// of terms that fall fast. The first three, 2 s and 2/3 s^3 and e log(2), have two
// parts, as in T. J. Dekker, "A floating-point technique for extending the available
// precision", 1971.

#include "mercator/targets/cpu/llvm/MathCode.h"

#include <cmath>

using namespace mlir;
using namespace mercator;
using cpu::MathCode;

/// log(m 2^e) = 2 s + 2/3 s^3 + s^5 q(s^2) + e log(2) with s = (m - 1) / (m + 1). The
/// polynomial q is a fit of the least greatest error.
MathCode::Pair MathCode::longLog(mlir::Value x) {
  /// The product, and what its rounding loses.
  auto product = [&](mlir::Value a, mlir::Value b) -> Pair {
    mlir::Value high = mul(a, b);
    return {high, fused(a, b, neg(high))};
  };
  auto [m, exponent] = split(x);
  mlir::Value f = sub(m, number(1)), d = add(f, number(2));
  mlir::Value inverse = arith::DivFOp::create(builder, loc, number(1), d);
  mlir::Value s = mul(f, inverse);
  mlir::Value rest = fused(neg(s), d, f);
  rest = fused(neg(s), sub(f, sub(d, number(2))), rest);
  mlir::Value sLow = mul(rest, inverse);
  Pair z = product(s, s);
  z.low = fused(add(s, s), sLow, z.low);
  mlir::Value q = polynomial(
      z.high, {0x1.e03357a0a4464p-4, 0x1.df7c4f1c11ba3p-4, 0x1.1118ca35f7661p-3,
               0x1.3b1395c6e4fa2p-3, 0x1.745d177ab1f8ep-3, 0x1.c71c71c6ea7f3p-3,
               0x1.2492492492522p-2, 0x1.999999999999ap-2});
  // t = 2/3 s^2 + s^4 q.
  mlir::Value thirds = number(0x1.5555555555555p-1);
  Pair t = product(z.high, thirds);
  t.low = fused(z.high, number(0x1.5555555555555p-55), t.low);
  t.low = fused(z.low, thirds, t.low);
  t.low = fused(mul(z.high, z.high), q, t.low);
  Pair cube = product(s, t.high);
  cube.low = fused(s, t.low, cube.low);
  cube.low = fused(sLow, t.high, cube.low);
  cube.low = fused(number(2), sLow, cube.low);
  Pair log = sum(add(s, s), cube.high);
  Pair whole = sum(mul(exponent, number(0x1.62e42fee00000p-1)), log.high);
  mlir::Value low = add(whole.low, add(log.low, cube.low));
  return {whole.high, fused(exponent, number(0x1.a39ef35793c76p-33), low)};
}

MathCode::Pair MathCode::sum(mlir::Value a, mlir::Value b) {
  mlir::Value high = add(a, b);
  return {high, add(sub(a, high), b)};
}

mlir::Value MathCode::powerOfDouble(mlir::Value size, mlir::Value y,
                                    mlir::Value isFlat) {
  Pair log = longLog(size);
  auto isEqual = [&](double value) {
    return compare(arith::CmpFPredicate::OEQ, size, number(value));
  };
  mlir::Value high = select(isEqual(0), number(-INFINITY), log.high);
  high = select(isEqual(INFINITY), number(INFINITY), high);
  high = keepNaN(size, high);
  mlir::Value exponent = arith::MulFOp::create(builder, loc, y, high);
  mlir::Value rest = fused(y, high, neg(exponent));
  rest = fused(y, log.low, rest);
  // The low part of the logarithm is not small: it has s^5 q. Exponents that are compared
  // with the least and the greatest one need all of it. Of infinities there is no rest.
  mlir::Value isOrdinary = less(abs(exponent), number(800));
  Pair whole = sum(exponent, rest);
  exponent = select(isOrdinary, whole.high, exponent);
  rest = select(isOrdinary, whole.low, number(0));
  return exp(select(isFlat, number(0), exponent), neg(rest));
}

mlir::Value MathCode::powerOfFloat(mlir::Value size, mlir::Value y,
                                   mlir::Value isFlat) {
  MathCode wide = inDouble();
  mlir::Value exponent = wide.mul(widen(y), wide.log(widen(size)));
  return narrow(wide.exp(select(isFlat, wide.number(0), exponent)));
}

/// e^(y log |x|), with the sign and the exceptions of IEEE 754.
mlir::Value MathCode::pow(mlir::Value x, mlir::Value y) {
  mlir::Value one = number(1), size = abs(x), infinity = number(INFINITY);
  auto equal = [&](mlir::Value a, mlir::Value b) {
    return compare(arith::CmpFPredicate::OEQ, a, b);
  };
  auto both = [&](mlir::Value a, mlir::Value b) -> mlir::Value {
    return arith::AndIOp::create(builder, loc, a, b);
  };
  auto either = [&](mlir::Value a, mlir::Value b) -> mlir::Value {
    return arith::OrIOp::create(builder, loc, a, b);
  };
  // 1 to the power of infinity.
  mlir::Value isFlat = both(equal(size, one), equal(abs(y), infinity));
  mlir::Value power =
      isDouble ? powerOfDouble(size, y, isFlat) : powerOfFloat(size, y, isFlat);
  // From 2^24 or 2^53 on, all floats are even.
  mlir::Value hasUnits = less(abs(y), number(pick(0x1p24, 0x1p53)));
  mlir::Value integer = arith::FPToSIOp::create(builder, loc, whole,
                                                select(hasUnits, y, number(0)));
  mlir::Value again = arith::SIToFPOp::create(builder, loc, real, integer);
  mlir::Value isFraction =
      both(hasUnits, compare(arith::CmpFPredicate::ONE, again, y));
  mlir::Value isOdd =
      both(hasUnits,
           arith::CmpIOp::create(
               builder, loc, arith::CmpIPredicate::ne,
               arith::AndIOp::create(builder, loc, integer, bits(1)), bits(0)));
  isOdd = both(isOdd, equal(again, y));
  power = select(isOdd, withSign(power, x), power);
  mlir::Value isBelow = both(less(x, number(0)), less(size, infinity));
  power = select(both(isBelow, isFraction), number(NAN), power);
  return select(either(equal(x, one), equal(y, number(0))), one, power);
}
