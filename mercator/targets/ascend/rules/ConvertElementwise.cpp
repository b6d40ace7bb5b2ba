// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Elementwise arithmetic, comparisons and conversions.

#include "mercator/analysis/values/AscendValues.h"
#include "mercator/dialects/ascend/Registry.h"
#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/targets/ascend/operators/DynamicShape.h"
#include "mercator/targets/ascend/operators/Elements.h"
#include "mercator/targets/ascend/rules/Convert.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;
using indexing::Interval;

namespace sh = mercator::stablehlo;
using sh::ComparisonDirection;

using Result = FailureOr<Value>;

static std::string nameOf(Type element) { return name(*geType(element)).str(); }

static bool isComplex(Value x) { return isa<ComplexType>(elementOf(x)); }
static bool isFloat(Value x) { return isa<FloatType>(elementOf(x)); }

//===--- Direct conversions -----------------------------------------------===//

/// In float32 if the operator does not support bfloat16.
template <typename Op> static Result function(Conversion &c) {
  StringRef op = Op::getOperationName().split('.').second;
  Value x = c.op->getOperand(0);
  Elements e(c.b);
  if (takes(op, elementOf(x)))
    return e.unary<Op>(x);
  if (!elementOf(x).isBF16())
    return c.no("GE's " + op + " does not support " + nameOf(elementOf(x)));
  return e.convert(e.unary<Op>(e.convert(x, c.b.getF32Type())),
                   c.b.getBF16Type());
}

/// Complex numbers are left: they are rewritten with real functions.
template <typename Op> static Result functionOfFloats(Conversion &c) {
  return isFloat(c.op->getOperand(0)) ? function<Op>(c) : Result(failure());
}

template <typename Op> static Result function2(Conversion &c) {
  StringRef op = Op::getOperationName().split('.').second;
  Value x = c.op->getOperand(0), y = c.op->getOperand(1);
  if (!takes(op, elementOf(x)))
    return c.no("GE's " + op + " does not support " + nameOf(elementOf(x)));
  return Elements(c.b).binary<Op>(x, y);
}

//===--- Signs ------------------------------------------------------------===//

static Result convertAbs(Conversion &c) {
  Value x = c.op->getOperand(0);
  if (elementOf(x) == ComplexType::get(c.b.getF32Type()))
    return Value(ComplexAbsOp::create(c.b, c.type(), x));
  return function<AbsOp>(c);
}

static Result convertNegate(Conversion &c) {
  Value x = c.op->getOperand(0);
  Elements e(c.b);
  if (takes("Neg", elementOf(x)))
    return e.unary<NegOp>(x);
  return e.subtract(e.integer(x, 0), x);
}

/// GE does not define Sign of NaN and of -0, which are returned unchanged.
static Value signOfFloat(Elements &e, Value x) {
  Value positive = e.choose(e.isLess(e.real(x, 0), x), e.real(x, 1), x);
  return e.choose(e.isLess(x, e.real(x, 0)), e.real(x, -1), positive);
}

static Result convertSign(Conversion &c) {
  Value x = c.op->getOperand(0);
  Elements e(c.b);
  if (isComplex(x))
    return c.no("GE does not define the sign of a complex number");
  if (isFloat(x))
    return signOfFloat(e, x);
  if (takes("Sign", elementOf(x)))
    return e.unary<SignOp>(x);
  return e.convert(e.unary<SignOp>(e.convert(x, c.b.getI32Type())),
                   elementOf(x));
}

//===--- Rounding ---------------------------------------------------------===//

/// |x| = whole + rest with rest in [0, 1). Rounds up if rest is at least half.
static Result convertRoundAwayFromZero(Conversion &c) {
  Elements e(c.b);
  Value given = c.op->getOperand(0), x = given;
  if (elementOf(x).isBF16())
    x = e.convert(x, c.b.getF32Type());
  Value size = e.unary<AbsOp>(x), whole = e.unary<FloorOp>(size);
  // For infinity the rest is a NaN, which is not at least a half.
  Value rest = e.binary<SubOp>(size, whole);
  Value isUp = e.compare(ComparisonDirection::GE, rest, e.real(x, 0.5));
  Value rounded = e.binary<AddOp>(whole, e.convert(isUp, elementOf(x)));
  Value isBelow = e.isLess(x, e.real(x, 0));
  rounded = e.choose(isBelow, e.unary<NegOp>(rounded), rounded);
  // -0 is not below 0.
  rounded = e.choose(e.isEqual(x, e.real(x, 0)), x, rounded);
  return e.convert(rounded, elementOf(given));
}

/// Converts to the narrow type and back. If its exponent is narrower too,
/// numbers that are subnormal in that type become zero in StableHLO.
static Result convertReducePrecision(Conversion &c) {
  auto op = cast<sh::ReducePrecisionOp>(c.op);
  Value x = op.getOperand();
  const llvm::fltSemantics &own =
      cast<FloatType>(elementOf(x)).getFloatSemantics();
  unsigned exponent = op.getExponentBits(), mantissa = op.getMantissaBits();
  unsigned ownMantissa = llvm::APFloat::semanticsPrecision(own) - 1,
           ownExponent =
               llvm::APFloat::semanticsSizeInBits(own) - 1 - ownMantissa;
  if (exponent >= ownExponent && mantissa >= ownMantissa)
    return x;
  Type narrow;
  if (exponent == 8 && mantissa == 7)
    narrow = c.b.getBF16Type();
  else if (exponent == 5 && mantissa == 10)
    narrow = c.b.getF16Type();
  else if (exponent == 8 && mantissa == 23)
    narrow = c.b.getF32Type();
  // An f16 has subnormal numbers where a bfloat16 has full precision.
  if (!narrow || elementOf(x).isF16())
    return c.no("no type of GE has " + Twine(exponent) +
                " bits of exponent and " + Twine(mantissa) +
                " of mantissa, or not all that the operand has");
  Elements e(c.b);
  Value rounded = e.convert(e.convert(x, narrow), elementOf(x));
  if (exponent >= ownExponent)
    return rounded;
  // From half a digit below the least normal number on, numbers round to it.
  double least = std::ldexp(1.0, 2 - (1 << (exponent - 1)));
  if (mantissa < ownMantissa)
    least -= std::ldexp(least, -int(mantissa) - 2);
  Value isTiny = e.isLess(e.unary<AbsOp>(x), e.real(x, least));
  return e.choose(isTiny, e.binary<MulOp>(x, e.real(x, 0)), rounded);
}

//===--- Products, quotients, powers --------------------------------------===//

static constexpr llvm::StringLiteral kNoUint64 =
    "GE's TruncateDiv does not support uint64, and no other type holds all of it";

static Result convertDivide(Conversion &c) {
  Value x = c.op->getOperand(0), y = c.op->getOperand(1);
  Elements e(c.b);
  auto type = dyn_cast<IntegerType>(elementOf(x));
  if (!type)
    return e.binary<RealDivOp>(x, y);
  if (takes("TruncateDiv", type))
    return e.binary<TruncateDivOp>(x, y);
  if (type.getWidth() != 32)
    return c.no(kNoUint64);
  Type wide = c.b.getI64Type();
  return e.convert(
      e.binary<TruncateDivOp>(e.convert(x, wide), e.convert(y, wide)), type);
}

/// The remainder of floats, with the sign of x. For a divisor of 0 it is NaN,
/// which GE's TruncateMod does not guarantee.
static Result remainderOfFloats(Conversion &c, Value x, Value y) {
  constexpr int64_t kMost = 1000000;
  if (!typeOf(x).hasStaticShape())
    return c.no("GE's TruncateMod supports at most 1000000 elements, and their "
                "number is known only at run time");
  if (typeOf(x).getNumElements() > kMost)
    return c.no("GE's TruncateMod supports at most 1000000 elements");
  Elements e(c.b);
  Type given = elementOf(x);
  if (given.isBF16()) { // the result has no more digits
    x = e.convert(x, c.b.getF32Type());
    y = e.convert(y, c.b.getF32Type());
  }
  Value zero = e.isEqual(y, e.real(y, 0));
  Value divisor = e.choose(zero, e.real(y, 1), y);
  Value rest = e.binary<TruncateModOp>(x, divisor);
  rest = e.choose(zero, e.real(x, NAN), rest);
  return e.convert(rest, given);
}

static Result convertRemainder(Conversion &c) {
  Value x = c.op->getOperand(0), y = c.op->getOperand(1);
  if (isFloat(x))
    return remainderOfFloats(c, x, y);
  auto type = dyn_cast<IntegerType>(elementOf(x));
  if (!type)
    return c.no("GE has no remainder of complex numbers");
  if (type.isUnsigned() && type.getWidth() == 64)
    return c.no(kNoUint64);
  bool isLong =
      type.getWidth() == 64 || (type.getWidth() == 32 && type.isUnsigned());
  Type wide = isLong ? c.b.getI64Type() : c.b.getI32Type();
  Elements e(c.b);
  x = e.convert(x, wide);
  y = e.convert(y, wide);
  Value quotient = e.binary<TruncateDivOp>(x, y);
  // The result lies between the operands and fits their type.
  return cast(c.b, e.binary<SubOp>(x, e.binary<MulOp>(quotient, y)), type);
}

/// An integer to a constant power, by repeated squaring.
static Result convertPower(Conversion &c) {
  Value x = c.op->getOperand(0), y = c.op->getOperand(1);
  if (!elementOf(x).isInteger())
    return function2<PowOp>(c);
  std::optional<Interval> known = knownRange(y);
  if (!known || known->lower != known->upper || known->lower < 0)
    return c.no("GE does not define Pow of integers and negative "
                "powers, and the power is not a constant of at least 0");
  Elements e(c.b);
  Value power, square = x;
  for (auto left = uint64_t(known->lower); left; left >>= 1) {
    if (left & 1)
      power = power ? e.multiply(power, square) : square;
    if (left > 1)
      square = e.multiply(square, square);
  }
  if (power)
    return power;
  return splatLike(c.b, x, IntegerAttr::get(elementOf(x), 1));
}

/// The root of |x|, with the sign of x: GE's Pow is undefined for negative
/// numbers.
static Result convertCbrt(Conversion &c) {
  Elements e(c.b);
  Value given = c.op->getOperand(0), x = given;
  if (isComplex(x))
    return c.no("GE has no cube root, and no sign of a complex number");
  if (elementOf(x).getIntOrFloatBitWidth() < 32)
    x = e.convert(x, c.b.getF32Type());
  Value root = e.binary<PowOp>(e.unary<AbsOp>(x), e.real(x, 1.0 / 3.0));
  return e.convert(e.binary<MulOp>(signOfFloat(e, x), root), elementOf(given));
}

//===--- Comparisons and selects ------------------------------------------===//

static Result convertCompare(Conversion &c) {
  auto op = cast<sh::CompareOp>(c.op);
  Value x = op.getLhs(), y = op.getRhs();
  ComparisonDirection direction = op.getComparisonDirection();
  bool isOrdered = direction != ComparisonDirection::EQ &&
                   direction != ComparisonDirection::NE;
  if (op.getCompareType() == sh::ComparisonType::TOTALORDER && isFloat(x))
    return c.no("GE's comparisons have no total order of floats that "
                "includes NaN");
  if (isOrdered && isComplex(x))
    return c.no("GE does not order complex numbers");
  return Elements(c.b).compare(direction, x, y);
}

template <bool isMaximum> static Result convertExtremum(Conversion &c) {
  Value x = c.op->getOperand(0), y = c.op->getOperand(1);
  if (isComplex(x))
    return c.no("GE does not order complex numbers");
  Elements e(c.b);
  return isMaximum ? e.maximum(x, y) : e.minimum(x, y);
}

static Result convertClamp(Conversion &c) {
  auto op = cast<sh::ClampOp>(c.op);
  Value x = op.getOperand(), least = op.getMin(), most = op.getMax();
  if (isComplex(x))
    return c.no("GE does not order complex numbers");
  Elements e(c.b);
  // GE does not define the result if the minimum exceeds the maximum.
  std::optional<Interval> low = knownRange(least), high = knownRange(most);
  bool isPlain =
      elementOf(x).isSignlessInteger(32) || elementOf(x).isSignlessInteger(64);
  if (isPlain && low && high && low->upper <= high->lower)
    return Value(ClipByValueOp::create(c.b, c.type(), x, least, most));
  return e.minimum(e.maximum(x, least), most);
}

static Result convertSelect(Conversion &c) {
  auto op = cast<sh::SelectOp>(c.op);
  return Elements(c.b).choose(op.getPred(), op.getOnTrue(), op.getOnFalse());
}

//===--- Types ------------------------------------------------------------===//

static Result convertConvert(Conversion &c) {
  Value x = c.op->getOperand(0);
  Type to = c.type().getElementType();
  bool isWide = elementOf(x) == ComplexType::get(c.b.getF64Type());
  if (isWide && !isa<ComplexType>(to))
    return c.no(
        "GE's Real gives float32, which is narrower than the parts of complex128");
  return Elements(c.b).convert(x, to);
}

/// Floats with a fixed exponent, as in random number generation: 1 + x / 2^23
/// has the bits 0x3F800000 + x. The bits below the exponent are the integer x.
static Value floatOfBits(Conversion &c, Value bits, FloatType to) {
  const llvm::fltSemantics &format = to.getFloatSemantics();
  int digits = int(llvm::APFloat::semanticsPrecision(format)) - 1;
  int bias = llvm::APFloat::semanticsMaxExponent(format);
  std::optional<Interval> known = knownRange(bits);
  if (!known || known->lower < 0 ||
      known->lower >> digits != known->upper >> digits)
    return nullptr;
  int64_t exponent = known->lower >> digits;
  // Neither infinite nor too small for scaling.
  if (exponent > 2 * bias || exponent <= digits)
    return nullptr;
  Elements e(c.b);
  Value below = e.bitAnd(bits, e.integer(bits, (int64_t(1) << digits) - 1));
  below = cast(c.b, below, to);
  double one = std::ldexp(1.0, int(exponent) - bias);
  below = e.binary<MulOp>(below, e.real(below, std::ldexp(one, -digits)));
  return e.binary<AddOp>(below, e.real(below, one));
}

/// A bitcast between integers of the same width.
static Result convertBitcast(Conversion &c) {
  Value x = c.op->getOperand(0);
  Type to = c.type().getElementType();
  bool isWhole = elementOf(x).isInteger(),
       isSame =
           !isComplex(x) && !isa<ComplexType>(to) &&
           elementOf(x).getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth();
  if (isWhole && to.isInteger() && isSame)
    return Elements(c.b).convert(x, to);
  if (isWhole && isSame)
    if (Value number = floatOfBits(c, x, cast<FloatType>(to)))
      return number;
  return c.no("GE does not define its Bitcast");
}

static Result convertComplex(Conversion &c) {
  Value real = c.op->getOperand(0), imaginary = c.op->getOperand(1);
  if (!elementOf(real).isF32())
    return c.no("GE's Complex makes complex64 of float32, not of " +
                nameOf(elementOf(real)));
  return Value(ComplexOp::create(c.b, c.type(), real, imaginary));
}

template <typename Op> static Result convertPart(Conversion &c) {
  Value x = c.op->getOperand(0);
  if (elementOf(x) == ComplexType::get(c.b.getF32Type()))
    return Value(Op::create(c.b, c.type(), x));
  if (isComplex(x))
    return c.no("GE's Real and Imag take complex64, not complex128");
  if (std::is_same_v<Op, RealOp>)
    return x;
  return splatLike(c.b, x, c.b.getFloatAttr(elementOf(x), 0));
}

//===--- Bits -------------------------------------------------------------===//

static Result convertPopulationCount(Conversion &c) {
  Value x = c.op->getOperand(0);
  if (elementOf(x).isInteger(1))
    return x;
  Value bytes = PopulationCountOp::create(
      c.b, typeOf(x).clone(elementType(GeType::uint8, c.b.getContext())), x);
  return cast(c.b, bytes, elementOf(x));
}

/// Sets all bits below the highest set bit; the unset bits are the leading
/// zeros.
static Result convertCountLeadingZeros(Conversion &c) {
  Value x = c.op->getOperand(0);
  Elements e(c.b);
  if (elementOf(x).isInteger(1))
    return e.logicalNot(x);
  unsigned width = elementOf(x).getIntOrFloatBitWidth();
  for (unsigned places = 1; places < width; places *= 2) {
    Attribute by = IntegerAttr::get(elementOf(x), places);
    x = e.bitOr(x, e.shiftRightLogical(x, splatLike(c.b, x, by)));
  }
  Value zeros = PopulationCountOp::create(
      c.b, typeOf(x).clone(elementType(GeType::uint8, c.b.getContext())),
      e.bitNot(x));
  return cast(c.b, zeros, elementOf(x));
}

//===--- The table --------------------------------------------------------===//

using Combine = Value (Elements::*)(Value, Value);

template <Combine combine> static Result combined(Conversion &c) {
  return (Elements(c.b).*combine)(c.op->getOperand(0), c.op->getOperand(1));
}
static Result convertNot(Conversion &c) {
  return Elements(c.b).bitNot(c.op->getOperand(0));
}
static Result convertIsFinite(Conversion &c) {
  return Value(IsFiniteOp::create(c.b, c.type(), c.op->getOperand(0)));
}

static Converter elementwiseConverterOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Converter>(op)
      .Case([](sh::AbsOp) { return convertAbs; })
      .Case([](sh::AddOp) { return combined<&Elements::add>; })
      .Case([](sh::AndOp) { return combined<&Elements::bitAnd>; })
      .Case([](sh::Atan2Op) { return function2<Atan2Op>; })
      .Case([](sh::BitcastConvertOp) { return convertBitcast; })
      .Case([](sh::CbrtOp) { return convertCbrt; })
      .Case([](sh::CeilOp) { return function<CeilOp>; })
      .Case([](sh::ClampOp) { return convertClamp; })
      .Case([](sh::ClzOp) { return convertCountLeadingZeros; })
      .Case([](sh::CompareOp) { return convertCompare; })
      .Case([](sh::ComplexOp) { return convertComplex; })
      .Case([](sh::ConvertOp) { return convertConvert; })
      .Case([](sh::CosineOp) { return function<CosOp>; })
      .Case([](sh::DivOp) { return convertDivide; })
      .Case([](sh::ExpOp) { return function<ExpOp>; })
      .Case([](sh::Expm1Op) { return function<Expm1Op>; })
      .Case([](sh::FloorOp) { return function<FloorOp>; })
      .Case([](sh::ImagOp) { return convertPart<ImagOp>; })
      .Case([](sh::IsFiniteOp) { return convertIsFinite; })
      .Case([](sh::Log1pOp) { return function<Log1pOp>; })
      .Case([](sh::LogOp) { return function<LogOp>; })
      .Case([](sh::LogisticOp) { return function<SigmoidOp>; })
      .Case([](sh::MaxOp) { return convertExtremum<true>; })
      .Case([](sh::MinOp) { return convertExtremum<false>; })
      .Case([](sh::MulOp) { return combined<&Elements::multiply>; })
      .Case([](sh::NegOp) { return convertNegate; })
      .Case([](sh::NotOp) { return convertNot; })
      .Case([](sh::OrOp) { return combined<&Elements::bitOr>; })
      .Case([](sh::PopulationCountOp) { return convertPopulationCount; })
      .Case([](sh::PowOp) { return convertPower; })
      .Case([](sh::RealOp) { return convertPart<RealOp>; })
      .Case([](sh::ReducePrecisionOp) { return convertReducePrecision; })
      .Case([](sh::RemOp) { return convertRemainder; })
      .Case([](sh::RoundNearestEvenOp) { return function<RoundOp>; })
      .Case([](sh::RoundOp) { return convertRoundAwayFromZero; })
      .Case([](sh::RsqrtOp) { return function<RsqrtOp>; })
      .Case([](sh::SelectOp) { return convertSelect; })
      .Case([](sh::ShiftLeftOp) { return combined<&Elements::shiftLeft>; })
      .Case([](sh::ShiftRightArithmeticOp) {
        return combined<&Elements::shiftRightArithmetic>;
      })
      .Case([](sh::ShiftRightLogicalOp) {
        return combined<&Elements::shiftRightLogical>;
      })
      .Case([](sh::SignOp) { return convertSign; })
      .Case([](sh::SineOp) { return function<SinOp>; })
      .Case([](sh::SqrtOp) { return function<SqrtOp>; })
      .Case([](sh::SubtractOp) { return combined<&Elements::subtract>; })
      .Case([](sh::TanOp) { return function<TanOp>; })
      .Case([](sh::TanhOp) { return function<TanhOp>; })
      .Case([](sh::XorOp) { return combined<&Elements::bitXor>; })
      .Case([](chlo::ErfOp) { return function<ErfOp>; })
      .Case([](chlo::BesselI1eOp) { return function<BesselI1eOp>; })
      .Case([](chlo::SinhOp) { return functionOfFloats<SinhOp>; })
      .Case([](chlo::AsinhOp) { return functionOfFloats<AsinhOp>; })
      .Case([](chlo::NextAfterOp) { return function2<NextAfterOp>; })
      .Default(nullptr);
}

FailureOr<Value> ascend::convertElementwise(Conversion &c) {
  Converter convert = elementwiseConverterOf(c.op);
  return convert ? convert(c) : Result(failure());
}
