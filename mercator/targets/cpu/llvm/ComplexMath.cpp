// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions of complex numbers, where MLIR's own lose digits or overflow before the
// result does. The error is a few units in the last place of the modulus of the
// result. Values at infinities and NaN are those of the evaluator.
//
// Sources: Kahan, "Branch cuts for complex elementary functions", 1987 (tanh, and the
// powers of 0); Baudin and Smith, "A robust complex division in Scilab", 2012.

#include "mercator/targets/cpu/llvm/Lower.h"
#include "mercator/targets/cpu/llvm/RealCode.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator;
using cpu::Parts;
using cpu::Real;
using cpu::Truth;

static constexpr double kPi = 3.14159265358979323846;

//===----------------------------------------------------------------------===//
// Operations that MLIR converts
//===----------------------------------------------------------------------===//

static Real modulusOf(Parts z) {
  ImplicitLocOpBuilder &b = *z.re.b;
  return {complex::AbsOp::create(b, z.re.value.getType(), complexOf(z)), &b};
}
template <typename Op> static Parts convertedLater(Parts z) {
  mlir::Value operand = complexOf(z);
  return cpu::partsOf(*z.re.b, Op::create(*z.re.b, operand.getType(), operand));
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

static Real largerOf(Parts z) { return max(abs(z.re), abs(z.im)); }

namespace {
/// A power of two, and its reciprocal.
struct Scale {
  Real factor, inverse;
};
} // namespace

/// A factor for a number whose larger part is `size`, so that its modulus is a float
/// with all digits.
static Scale scaleOf(Real size) {
  int up = 2 * size.digits();
  Truth isLarge = size >= size.powerOfTwo(size.largestExponent() - 1),
        isSmall =
            size <= size.powerOfTwo(size.digits() + 2 - size.largestExponent());
  auto either = [&](int forLarge, int forSmall) {
    return choose(isLarge, size.powerOfTwo(forLarge),
                  choose(isSmall, size.powerOfTwo(forSmall), size.number(1)));
  };
  return {either(-2, up), either(2, -up)};
}

/// 0 stays 0 where the other factor is infinite or NaN.
static Real times(Real zero, Real x) {
  return choose(zero == 0.0, zero, zero * x);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static Parts quotientOf(Parts x, Parts y) {
  Real over = largerOf(x), under = largerOf(y), infinity = over.infinity();
  // A scale could make a finite part beside an infinite one zero.
  Truth isFinite = (over < infinity) & (under < infinity);
  auto scaleOfFinite = [&](Real size) {
    Scale scale = scaleOf(size);
    Real one = size.number(1);
    return Scale{choose(isFinite, scale.factor, one),
                 choose(isFinite, scale.inverse, one)};
  };
  Scale numerator = scaleOfFinite(over), denominator = scaleOfFinite(under);
  mlir::Value quotient =
      complex::DivOp::create(*x.re.b, complexOf(x * numerator.factor),
                             complexOf(y * denominator.factor));
  Parts result = cpu::partsOf(*x.re.b, quotient) *
                 (numerator.inverse * denominator.factor);
  // Of an infinite number only what is infinite counts: x.re y.re + x.im y.im, and
  // x.im y.re - x.re y.im.
  auto ifInfinite = [&](Real part) {
    return choose(abs(part) == infinity, part, part.number(0));
  };
  Real re = ifInfinite(x.re), im = ifInfinite(x.im);
  Parts infinite = {re * y.re + im * y.im, im * y.re - re * y.im};
  Truth isInfinite = (over == infinity) | hasNaN(over, over);
  Truth isOne = (abs(infinite.re) == infinity) | (abs(infinite.im) == infinity);
  return choose(isInfinite & isOne & (under < infinity) & (under > 0.0),
                infinite, result);
}

/// z / |z|, and z where it is 0.
static Parts signOf(Parts z) {
  Real size = largerOf(z);
  Parts scaled = z * scaleOf(size).factor;
  Real modulus = modulusOf(scaled);
  return choose(size == 0.0, z, {scaled.re / modulus, scaled.im / modulus});
}

/// The root of half of |re| + |z|, and half of im divided by it, are the larger and the
/// smaller part. Of a negative number the root is on the positive imaginary axis,
/// whatever the sign of its zero.
static Parts sqrtOf(Parts z) {
  Real nan = z.re.nan(), infinity = z.re.infinity();
  Scale scale = scaleOf(largerOf(z));
  Parts scaled = z * scale.factor;
  Real larger = sqrt((abs(scaled.re) + modulusOf(scaled)) * 0.5),
       smaller = abs(scaled.im) * 0.5 / larger,
       // The exponents of scales are even.
      back = sqrt(scale.inverse);
  smaller = choose(larger == 0.0, larger, smaller) * back;
  smaller = choose(abs(z.im) == infinity, infinity, smaller);
  larger = larger * back;
  Truth isLeft = z.re < 0.0;
  return choose(hasNaN(z.re, z.im), {nan, nan},
                {choose(isLeft, smaller, larger),
                 choose(isLeft, withSignOf(larger, z.im + 0.0),
                        withSignOf(smaller, z.im))});
}

/// Infinite if a part is, also beside a NaN.
static Real absOf(Parts z) {
  Real infinity = z.re.infinity();
  return choose((abs(z.re) == infinity) | (abs(z.im) == infinity), infinity,
                modulusOf(z));
}

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

/// exp(x) is much less than the largest float below this, and 1 + exp(-x) is 1 above.
static double expLimit(Real x) { return x.digits() == 24 ? 80 : 700; }

/// exp(x) cos(y) - 1 = expm1(x) cos(y) - 2 sin(y/2)^2
static Parts expm1Of(Parts z) {
  Real x = z.re, y = z.im, half = sin(y * 0.5), less1 = expm1(x);
  Parts near = {less1 * cos(y) - 2.0 * half * half, times(sin(y), less1 + 1.0)};
  Parts result =
      choose(x > expLimit(x), convertedLater<complex::ExpOp>(z), near);
  return choose(y == 0.0, {less1, y}, result);
}

/// sin(a + ib) = sin a cosh b + i cos a sinh b, and
/// cos(a + ib) = cos a cosh b - i sin a sinh b.
/// With u = exp(|b|) - 1 and v = 1 - exp(-|b|), sinh |b| is (u + v) / 2 and cosh b
/// is 1 + (u - v) / 2: a small b keeps its digits.
static Parts sineOrCosineOf(Parts z, bool isSine) {
  Real size = abs(z.im), u = expm1(size), v = -expm1(-size);
  // Of large b both are exp(|b|/2)^2 / 2, which is applied in two steps.
  Truth isLarge = size > expLimit(size);
  Real root = exp(size * 0.5), rest = choose(isLarge, root, size.number(1));
  Real cosh = choose(isLarge, root * 0.5, 1.0 + (u - v) * 0.5),
       sinh = choose(isLarge, root * 0.5, (u + v) * 0.5);
  Real first = sin(z.re), second = cos(z.re);
  if (!isSine) {
    std::swap(first, second);
    second = -second;
  }
  return {times(times(first, cosh), rest),
          times(times(second, withSignOf(sinh, z.im)), rest)};
}
static Parts sineOf(Parts z) { return sineOrCosineOf(z, /*isSine=*/true); }
static Parts cosineOf(Parts z) { return sineOrCosineOf(z, /*isSine=*/false); }

/// With t = tan y and s = sinh x, tanh(x + iy) is
/// ((1 + t^2) sqrt(1 + s^2) s + it) / (1 + (1 + t^2) s^2).
static Parts tanhOf(Parts z) {
  Real x = abs(z.re), t = tan(z.im), u = expm1(x), grown = 1.0 + u;
  Real s = (u + u / grown) * 0.5, b = 1.0 + t * t, below = 1.0 + b * (s * s);
  Parts near = {b * sqrt(1.0 + s * s) * s / below, t / below};
  // A NaN of y is one of the result.
  Parts far = {1.0 + 0.0 * t, 4.0 * (t / b) / grown / grown};
  Parts result = choose(x > (x.digits() == 24 ? 10.0 : 22.0), far, near);
  result = choose(x == x.infinity(), {x.number(1), withSignOf(x.number(0), t)},
                  result);
  return {withSignOf(result.re, z.re), choose(z.im == 0.0, z.im, result.im)};
}

/// -i tanh(iz)
static Parts tanOf(Parts z) {
  Parts turned = tanhOf({-z.im, z.re});
  return {turned.im, -turned.re};
}

//===----------------------------------------------------------------------===//
// Logarithms and powers
//===----------------------------------------------------------------------===//

/// a + b as the nearest sum and its rounding error (Knuth).
static std::pair<Real, Real> twoSum(Real a, Real b) {
  Real sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// log |z|. Near 1 it is half of log1p(a^2 + b^2 - 1), of a sum with twice the digits.
static Real logOfModulus(Parts z) {
  Real size = largerOf(z), other = min(abs(z.re), abs(z.im));
  Scale scale = scaleOf(size);
  Real far = log(modulusOf(z * scale.factor)) + log(scale.inverse);
  Real aa = size * size, bb = other * other;
  Real rest = fma(size, size, -aa) + fma(other, other, -bb);
  auto [first, firstRest] = twoSum(aa, size.number(-1));
  auto [sum, sumRest] = twoSum(first, bb);
  Real near = 0.5 * log1p(sum + (sumRest + firstRest + rest));
  return choose((size > 0.5) & (size < 2.0), near, far);
}

static Parts logOf(Parts z) { return {logOfModulus(z), atan2(z.im, z.re)}; }

static Parts log1pOf(Parts z) {
  Real x = z.re, y = z.im, moved = 1.0 + x;
  Real near = 0.5 * log1p(x * (2.0 + x) + y * y);
  return {
      choose((abs(x) < 0.5) & (abs(y) < 0.5), near, logOfModulus({moved, y})),
      atan2(y, moved)};
}

/// The number of the next wider float, and back.
static Real widened(Real x) {
  return {arith::ExtFOp::create(*x.b, x.b->getF64Type(), x.value), x.b};
}
static Parts widened(Parts z) { return {widened(z.re), widened(z.im)}; }
static Parts narrowed(Parts z) {
  auto one = [](Real x) -> Real {
    return {arith::TruncFOp::create(*x.b, x.b->getF32Type(), x.value), x.b};
  };
  return {one(z.re), one(z.im)};
}

/// exp(y log(x)); 1 if y is 0. Powers of 0 are 0 if the real part of y is positive,
/// and otherwise have no limit.
static Parts powerOf(Parts x, Parts y) {
  if (x.re.digits() == 24)
    return narrowed(powerOf(widened(x), widened(y)));
  Real c = y.re, d = y.im, zero = c.number(0);
  Parts logarithm = logOf(x);
  Real growth = times(c, logarithm.re) - times(d, logarithm.im),
       angle = times(c, logarithm.im) + times(d, logarithm.re);
  // |x|^c has more digits than exp(c log |x|) where the logarithm is not small, if it is
  // neither 0 nor infinite.
  Real power = pow(modulusOf(x), c), turn = exp(-times(d, logarithm.im)),
       modulus = power * turn, half = exp(growth * 0.5);
  auto isOrdinary = [](Real a) { return (a > 0.0) & (a < a.infinity()); };
  Truth isPlain = isOrdinary(power) & isOrdinary(turn) & isOrdinary(modulus) &
                  (abs(logarithm.re) >= 1.0);
  Real first = choose(isPlain, modulus, half),
       second = choose(isPlain, c.number(1), half);
  Parts result = {times(cos(angle), first) * second,
                  times(sin(angle), first) * second};
  result = choose(first == 0.0, {zero, zero}, result);
  Real atZero = choose(c > 0.0, zero, c.nan());
  result = choose((x.re == 0.0) & (x.im == 0.0), {atZero, atZero}, result);
  return choose((c == 0.0) & (d == 0.0), {c.number(1), zero}, result);
}

//===----------------------------------------------------------------------===//
// Angles
//===----------------------------------------------------------------------===//

/// a * b + c * d, within two units in the last place (Kahan).
static Real sumOfProducts(Real a, Real b, Real c, Real d) {
  Real product = c * d;
  return fma(a, b, product) + fma(c, d, -product);
}

/// -i log(w / sqrt(w v)) for w = x + iy and v = x - iy, whose product is x^2 + y^2.
/// Its imaginary part is log(|v| / |w|) / 2. Its real part is half of the angle of
/// w / v, or half a turn from that: what is nearer to the angle of w / sqrt(w v).
static Parts angleOf(Parts y, Parts x) {
  if (x.re.digits() == 24)
    return narrowed(angleOf(widened(y), widened(x)));
  Real unit = reciprocalPower(max(largerOf(x), largerOf(y)));
  x = x * unit;
  y = y * unit;
  Parts w = {x.re - y.im, x.im + y.re}, v = {x.re + y.im, x.im - y.re};
  Real ww = w.re * w.re + w.im * w.im, vv = v.re * v.re + v.im * v.im;
  // |v|^2 - |w|^2 = 4 (x.re y.im - x.im y.re)
  Real difference = 4.0 * sumOfProducts(x.re, y.im, -x.im, y.re);
  Truth isAbove = difference > 0.0;
  Real least = choose(isAbove, ww, vv), ratio = abs(difference) / least;
  Real near = withSignOf(0.25 * log1p(ratio), difference);
  Real far = 0.5 * (logOfModulus(v) - logOfModulus(w));
  Real height = choose(ratio < 0x1p40, near, far);

  Real half = 0.5 * atan2(2.0 * sumOfProducts(x.re, y.re, x.im, y.im),
                          sumOfProducts(w.re, v.re, w.im, v.im));
  Parts root = sqrtOf({sumOfProducts(w.re, v.re, -w.im, v.im),
                       sumOfProducts(w.re, v.im, w.im, v.re)});
  Real turned =
      atan2(w.im * root.re - w.re * root.im, w.re * root.re + w.im * root.im);
  Real other = half + choose(half <= 0.0, x.re.number(kPi), x.re.number(-kPi));
  Real angle = choose(abs(turned - half) < 1.5, half, other);
  Real size = max(largerOf(x), largerOf(y));
  Truth isKnown = (size > 0.0) & (size < size.infinity());
  Real nan = x.re.nan();
  return choose(isKnown, {angle, height}, {nan, nan});
}

//===----------------------------------------------------------------------===//
// The operations
//===----------------------------------------------------------------------===//

static mlir::Value expanded(Operation *op) {
  ImplicitLocOpBuilder b(op->getLoc(), op);
  auto operand = [&](unsigned i) { return cpu::partsOf(b, op->getOperand(i)); };
  auto unary = [&](Parts (*function)(Parts)) {
    return [&, function](auto) { return complexOf(function(operand(0))); };
  };
  auto binary = [&](Parts (*function)(Parts, Parts)) {
    return [&, function](auto) {
      return complexOf(function(operand(0), operand(1)));
    };
  };
  return llvm::TypeSwitch<Operation *, mlir::Value>(op)
      .Case([&](complex::AbsOp) { return absOf(operand(0)).value; })
      .Case<complex::Atan2Op>(binary(angleOf))
      .Case<complex::CosOp>(unary(cosineOf))
      .Case<complex::DivOp>(binary(quotientOf))
      .Case<complex::Expm1Op>(unary(expm1Of))
      .Case<complex::Log1pOp>(unary(log1pOf))
      .Case<complex::LogOp>(unary(logOf))
      .Case<complex::PowOp>(binary(powerOf))
      .Case<complex::SignOp>(unary(signOf))
      .Case<complex::SinOp>(unary(sineOf))
      .Case<complex::SqrtOp>(unary(sqrtOf))
      .Case<complex::TanOp>(unary(tanOf))
      .Case<complex::TanhOp>(unary(tanhOf))
      .Default(nullptr);
}

void cpu::expandComplexMath(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<complex::ComplexDialect>(op->getDialect()))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    if (mlir::Value value = expanded(op)) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
}
