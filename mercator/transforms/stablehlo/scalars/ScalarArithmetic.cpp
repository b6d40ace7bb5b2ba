// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Addition, division, extrema, signs.

#include "mercator/transforms/stablehlo/scalars/ScalarFamilies.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace mercator::stablehlo::families {

static bool isInteger(const ScalarCall &c) {
  return c.kind == Kind::SignedInt || c.kind == Kind::UnsignedInt;
}

static Value absolute(const ScalarCall &c) {
  switch (c.kind) {
  case Kind::Boolean:
    return Value();
  case Kind::SignedInt:
    return math::AbsIOp::create(c.b, c.x[0]);
  case Kind::UnsignedInt:
    return c.x[0];
  case Kind::Real:
    return math::AbsFOp::create(c.b, c.x[0]);
  case Kind::Complex:
    return complex::AbsOp::create(c.b, c.result, c.x[0]);
  }
  llvm_unreachable("all kinds are handled");
}

static Value negate(const ScalarCall &c) {
  if (isInteger(c))
    return arith::SubIOp::create(c.b, integer(c.b, c.element, 0), c.x[0]);
  return unary<arith::NegFOp, complex::NegOp>(c);
}

/// The sign of a float is 1 with its sign; a zero and a NaN are their own signs.
static Value sign(const ScalarCall &c) {
  Value x = c.x[0];
  switch (c.kind) {
  case Kind::Boolean:
    return Value();
  case Kind::SignedInt:
    return arith::MinSIOp::create(
        c.b, arith::MaxSIOp::create(c.b, x, integer(c.b, c.element, -1)),
        integer(c.b, c.element, 1));
  case Kind::UnsignedInt:
    return arith::MinUIOp::create(c.b, x, integer(c.b, c.element, 1));
  case Kind::Real: {
    Value one = realConstant(c.b, c.element, 1);
    // A type without a zero has no sign either.
    if (isa<Float8E8M0FNUType>(c.element)) {
      Value wide = atLeastF32(c.b, x);
      return choose(c.b,
                    compareReals(c.b, arith::CmpFPredicate::ORD, wide, wide),
                    one, x);
    }
    // Not x for zero: it may be a number that the processor takes for zero.
    Value zero = number(c.b, c.element, 0);
    Value size = choose(
        c.b, compareReals(c.b, arith::CmpFPredicate::UNE, x, zero), one, zero);
    return choose(c.b, compareReals(c.b, arith::CmpFPredicate::ORD, x, x),
                  math::CopySignOp::create(c.b, size, x), x);
  }
  case Kind::Complex:
    return complexSign(c.b, x);
  }
  llvm_unreachable("all kinds are handled");
}

//===----------------------------------------------------------------------===//
// Division: x / 0 has all bits set, x % 0 is x, and the lowest integer divided
// by -1 is itself.
//===----------------------------------------------------------------------===//

static Value divide(const ScalarCall &c) {
  if (!isInteger(c))
    return binary<None, None, None, arith::DivFOp, complex::DivOp>(c);
  Value x = c.x[0], y = c.x[1];
  Value one = integer(c.b, c.element, 1), allBits = integer(c.b, c.element, -1);
  Value isZero =
      compareInts(c.b, CmpIPredicate::eq, y, integer(c.b, c.element, 0));
  if (c.kind == Kind::UnsignedInt) {
    Value quotient =
        arith::DivUIOp::create(c.b, x, choose(c.b, isZero, one, y));
    return choose(c.b, isZero, allBits, quotient);
  }
  Value isNegation = compareInts(c.b, CmpIPredicate::eq, y, allBits);
  Value isSpecial = c.b.createOrFold<arith::OrIOp>(isZero, isNegation);
  Value quotient =
      arith::DivSIOp::create(c.b, x, choose(c.b, isSpecial, one, y));
  Value negated =
      c.b.createOrFold<arith::SubIOp>(integer(c.b, c.element, 0), x);
  return choose(c.b, isZero, allBits,
                choose(c.b, isNegation, negated, quotient));
}

static Value remainder(const ScalarCall &c) {
  if (!isInteger(c))
    return binary<None, None, None, arith::RemFOp, None>(c);
  Value x = c.x[0], y = c.x[1], one = integer(c.b, c.element, 1);
  Value isZero =
      compareInts(c.b, CmpIPredicate::eq, y, integer(c.b, c.element, 0));
  Value rest;
  if (c.kind == Kind::UnsignedInt) {
    rest = arith::RemUIOp::create(c.b, x, choose(c.b, isZero, one, y));
  } else {
    // The remainder of a division by -1 is that of a division by 1.
    Value isNegation =
        compareInts(c.b, CmpIPredicate::eq, y, integer(c.b, c.element, -1));
    Value isSpecial = c.b.createOrFold<arith::OrIOp>(isZero, isNegation);
    rest = arith::RemSIOp::create(c.b, x, choose(c.b, isSpecial, one, y));
  }
  return choose(c.b, isZero, x, rest);
}

/// Powers of integers; those of floats are in ScalarTranscendental.cpp.
static Value power(const ScalarCall &c) {
  if (!isInteger(c))
    return Value();
  Value base = c.x[0], exponent = c.x[1];
  Value zero = integer(c.b, c.element, 0), one = integer(c.b, c.element, 1);
  if (c.kind == Kind::SignedInt) {
    // 0^-n would be a division by zero; the result is 0, as is that of 2^-n.
    Value isInverse = c.b.createOrFold<arith::AndIOp>(
        compareInts(c.b, CmpIPredicate::slt, exponent, zero),
        compareInts(c.b, CmpIPredicate::eq, base, zero));
    return math::IPowIOp::create(
        c.b, choose(c.b, isInverse, integer(c.b, c.element, 2), base),
        exponent);
  }
  // ipowi reads exponents as signed: x^n = (x^(n/2))^2 x^(n%2).
  Value half = c.b.createOrFold<arith::ShRUIOp>(exponent, one);
  Value root = math::IPowIOp::create(c.b, base, half);
  Value square = arith::MulIOp::create(c.b, root, root);
  Value isOdd =
      compareInts(c.b, CmpIPredicate::ne,
                  c.b.createOrFold<arith::AndIOp>(exponent, one), zero);
  return choose(c.b, isOdd, arith::MulIOp::create(c.b, square, base), square);
}

//===----------------------------------------------------------------------===//
// Extrema
//===----------------------------------------------------------------------===//

static Value maximum(const ScalarCall &c) {
  if (c.kind == Kind::Complex)
    return complexMaximum(c.b, c.x[0], c.x[1]);
  return binary<arith::OrIOp, arith::MaxSIOp, arith::MaxUIOp, arith::MaximumFOp,
                None>(c);
}

static Value minimum(const ScalarCall &c) {
  if (c.kind == Kind::Complex)
    return complexMinimum(c.b, c.x[0], c.x[1]);
  return binary<arith::AndIOp, arith::MinSIOp, arith::MinUIOp,
                arith::MinimumFOp, None>(c);
}

/// minimum(maximum(operand, min), max)
static Value clamp(const ScalarCall &c) {
  auto with = [&](ValueRange x) -> ScalarCall {
    return {c.b, c.op, x, c.kind, c.element, c.result};
  };
  Value raised[] = {c.x[1], c.x[0]};
  Value lowered[] = {maximum(with(raised)), c.x[2]};
  return minimum(with(lowered));
}

Value arithmetic(const ScalarCall &c) {
  return llvm::TypeSwitch<Operation *, Value>(c.op)
      .Case([&](AbsOp) { return absolute(c); })
      .Case([&](AddOp) {
        return binary<arith::OrIOp, arith::AddIOp, arith::AddIOp, arith::AddFOp,
                      complex::AddOp>(c);
      })
      .Case([&](ClampOp) { return clamp(c); })
      .Case([&](DivOp) { return divide(c); })
      .Case([&](MaxOp) { return maximum(c); })
      .Case([&](MinOp) { return minimum(c); })
      .Case([&](MulOp) {
        return binary<arith::AndIOp, arith::MulIOp, arith::MulIOp,
                      arith::MulFOp, complex::MulOp>(c);
      })
      .Case([&](NegOp) { return negate(c); })
      .Case([&](PowOp) { return power(c); })
      .Case([&](RemOp) { return remainder(c); })
      .Case([&](SignOp) { return sign(c); })
      .Case([&](SubtractOp) {
        return binary<None, arith::SubIOp, arith::SubIOp, arith::SubFOp,
                      complex::SubOp>(c);
      })
      .Default(Value());
}

} // namespace mercator::stablehlo::families
