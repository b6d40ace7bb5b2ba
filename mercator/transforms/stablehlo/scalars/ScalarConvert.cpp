// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// From one element type to another, and to fewer digits.

#include "mercator/transforms/stablehlo/scalars/Scalar.h"
#include "mercator/transforms/stablehlo/scalars/ScalarFamilies.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace mercator::stablehlo {

//===----------------------------------------------------------------------===//
// Convert
//===----------------------------------------------------------------------===//

static Value resize(ImplicitLocOpBuilder &b, Value x, Type type,
                    bool isUnsigned) {
  unsigned from = x.getType().getIntOrFloatBitWidth(),
           to = type.getIntOrFloatBitWidth();
  if (from == to)
    return x;
  if (from > to)
    return arith::TruncIOp::create(b, type, x);
  return isUnsigned ? Value(arith::ExtUIOp::create(b, type, x))
                    : Value(arith::ExtSIOp::create(b, type, x));
}

Value emitConvert(ImplicitLocOpBuilder &b, Value x, Type from, Type to) {
  Type type = loweredElement(to);
  Kind fromKind = kindOf(from), toKind = kindOf(to);
  if (fromKind == Kind::Complex) {
    Type part = cast<ComplexType>(from).getElementType();
    if (toKind != Kind::Complex)
      return emitConvert(b, realPart(b, x), part, to);
    Type toPart = cast<ComplexType>(to).getElementType();
    return part == toPart ? x
                          : complexOf(b, toReal(b, realPart(b, x), toPart),
                                      toReal(b, imaginaryPart(b, x), toPart));
  }
  if (toKind == Kind::Complex) {
    Type part = cast<ComplexType>(to).getElementType();
    return complexOf(b, emitConvert(b, x, from, part), number(b, part, 0));
  }
  if (fromKind == Kind::Real) {
    if (toKind == Kind::Real)
      return toReal(b, x, type);
    if (toKind != Kind::Boolean)
      return toInteger(b, x, type, toKind == Kind::UnsignedInt);
    // Some narrow types have no zero.
    Value wide = atLeastF32(b, x);
    return compareReals(b, CmpFPredicate::UNE, wide,
                        number(b, wide.getType(), 0));
  }
  if (toKind == Kind::Real)
    return isUnsigned(from) ? Value(arith::UIToFPOp::create(b, type, x))
                            : Value(arith::SIToFPOp::create(b, type, x));
  if (toKind == Kind::Boolean && fromKind != Kind::Boolean)
    return compareInts(b, arith::CmpIPredicate::ne, x,
                       integer(b, x.getType(), 0));
  return resize(b, x, type, isUnsigned(from));
}

//===----------------------------------------------------------------------===//
// reduce_precision
//===----------------------------------------------------------------------===//

/// The nearest float with fewer digits, of a float without a sign; ties to even.
/// Its bits are rounded as an integer: the last digit of a small number may be a
/// number that the processor takes for zero.
static Value roundBits(ImplicitLocOpBuilder &b, Value x, int digits) {
  auto type = cast<FloatType>(x.getType());
  unsigned width = type.getWidth(), fraction = type.getFPMantissaWidth() - 1;
  Type word = b.getIntegerType(width);
  int64_t dropped = int64_t(fraction) - digits;
  auto number = [&](int64_t value) { return integer(b, word, value); };
  Value bits = arith::BitcastOp::create(b, word, x);
  // The last digit that is kept; without any, it is the 1 that is not written.
  Value isOdd =
      digits > 0
          ? Value(arith::AndIOp::create(
                b, arith::ShRUIOp::create(b, bits, number(dropped)), number(1)))
          : Value(arith::ExtUIOp::create(
                b, word,
                compareInts(b, CmpIPredicate::uge, bits,
                            number(int64_t(1) << fraction))));
  Value belowHalf = number((int64_t(1) << (dropped - 1)) - 1);
  Value raised = arith::AddIOp::create(
      b, bits, arith::AddIOp::create(b, belowHalf, isOdd));
  return arith::BitcastOp::create(
      b, type,
      arith::AndIOp::create(b, raised, number(-(int64_t(1) << dropped))));
}

/// The same for a narrower float as f32: a multiple of the value of its last digit.
/// `leastExponent` is that of its subnormal numbers.
static Value roundDigits(ImplicitLocOpBuilder &b, Value x, int digits,
                         int leastExponent) {
  auto type = cast<FloatType>(x.getType());
  unsigned width = type.getWidth(), fraction = type.getFPMantissaWidth() - 1;
  int bias = -llvm::APFloat::semanticsMinExponent(type.getFloatSemantics()) + 1;
  Type word = b.getIntegerType(width);
  auto exponent = [&](int64_t biased) -> Value {
    return integer(b, word, biased << fraction);
  };
  // The power of two at or below x.
  Value field = arith::AndIOp::create(
      b, arith::BitcastOp::create(b, word, x),
      exponent((int64_t(1) << (width - 1 - fraction)) - 1));
  Value power = arith::BitcastOp::create(
      b, type,
      arith::MaxUIOp::create(b, field, exponent(leastExponent + bias)));
  Value unit =
      arith::MulFOp::create(b, power, number(b, type, std::ldexp(1, -digits)));
  Value count = math::RoundEvenOp::create(b, arith::DivFOp::create(b, x, unit));
  return arith::MulFOp::create(b, count, unit);
}

/// Rounds to a float with fewer bits of exponent or mantissa. A narrower
/// exponent has no subnormal numbers. Narrow types are computed in f32.
static Value reducePrecision(const ScalarCall &c, ReducePrecisionOp op) {
  ImplicitLocOpBuilder &b = c.b;
  const llvm::fltSemantics &format =
      cast<FloatType>(c.element).getFloatSemantics();
  int64_t exponentBits = op.getExponentBits(), mantissa = op.getMantissaBits();
  int64_t ownMantissa = llvm::APFloat::semanticsPrecision(format) - 1;
  int64_t ownExponent = int64_t(c.element.getIntOrFloatBitWidth()) -
                        ownMantissa -
                        llvm::APFloat::semanticsHasSignedRepr(format);
  Value x = atLeastF32(b, c.x[0]);
  Type type = x.getType();
  Value infinity = number(b, type, INFINITY);
  Value rounded = math::AbsFOp::create(b, x);
  int least = llvm::APFloat::semanticsMinExponent(format);
  bool hasOwnSubnormals =
      least > llvm::APFloat::semanticsMinExponent(
                  cast<FloatType>(type).getFloatSemantics());
  if (mantissa < ownMantissa)
    rounded = hasOwnSubnormals ? roundDigits(b, rounded, int(mantissa), least)
                               : roundBits(b, rounded, int(mantissa));
  if (exponentBits < ownExponent) {
    int bias = (1 << (exponentBits - 1)) - 1;
    Value isLarge = compareReals(b, CmpFPredicate::OGE, rounded,
                                 number(b, type, std::ldexp(1, bias + 1)));
    Value isSmall = compareReals(b, CmpFPredicate::OLT, rounded,
                                 number(b, type, std::ldexp(1, 1 - bias)));
    rounded = choose(b, isSmall, number(b, type, 0), rounded);
    rounded = choose(b, isLarge, infinity, rounded);
  }
  rounded = math::CopySignOp::create(b, rounded, x);
  // Without a mantissa there is only infinity.
  Value special =
      mantissa == 0 ? Value(math::CopySignOp::create(b, infinity, x)) : x;
  Value isFinite = math::IsFiniteOp::create(b, x);
  return toReal(b, choose(b, isFinite, rounded, special), c.result);
}

/// The imaginary part of a float. f8E8M0FNU has no zero: its NaN stands for one,
/// which a constant cannot have.
static Value zeroOf(const ScalarCall &c) {
  if (!isa<Float8E8M0FNUType>(c.result))
    return number(c.b, c.result, 0);
  Value x = atLeastF32(c.b, c.x[0]);
  return arith::TruncFOp::create(
      c.b, c.result,
      arith::MulFOp::create(c.b, x, number(c.b, x.getType(), 0)));
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static Value ofReals(const ScalarCall &c) {
  return llvm::TypeSwitch<Operation *, Value>(c.op)
      .Case([&](ComplexOp) { return complexOf(c.b, c.x[0], c.x[1]); })
      .Case([&](RealOp) { return c.x[0]; })
      .Case([&](ImagOp) { return zeroOf(c); })
      .Case([&](IsFiniteOp) { return makeUnary<math::IsFiniteOp>(c); })
      .Case([&](FloorOp) { return makeUnary<math::FloorOp>(c); })
      .Case([&](CeilOp) { return makeUnary<math::CeilOp>(c); })
      .Case([&](RoundOp) { return makeUnary<math::RoundOp>(c); })
      .Case([&](RoundNearestEvenOp) { return makeUnary<math::RoundEvenOp>(c); })
      .Case([&](ReducePrecisionOp op) { return reducePrecision(c, op); })
      .Default(Value());
}

Value families::conversion(const ScalarCall &c) {
  if (auto op = dyn_cast<ConvertOp>(c.op))
    return emitConvert(c.b, c.x[0], op.getOperand().getType().getElementType(),
                       op.getResult().getType().getElementType());
  if (isa<BitcastConvertOp>(c.op))
    return c.element == c.result
               ? c.x[0]
               : Value(arith::BitcastOp::create(c.b, c.result, c.x[0]));
  if (c.kind == Kind::Real)
    return ofReals(c);
  if (c.kind != Kind::Complex)
    return Value();
  return llvm::TypeSwitch<Operation *, Value>(c.op)
      .Case([&](RealOp) { return realPart(c.b, c.x[0]); })
      .Case([&](ImagOp) { return imaginaryPart(c.b, c.x[0]); })
      .Default(Value());
}

} // namespace mercator::stablehlo
