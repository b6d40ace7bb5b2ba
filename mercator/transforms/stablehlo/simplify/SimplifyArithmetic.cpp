// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equations between numbers. Those of floats hold for NaN and -0.0 too:
// x + 0.0 is not x, for -0.0 + 0.0 = 0.0, but x + -0.0 is.

#include "mercator/transforms/stablehlo/simplify/Simplify.h"

#include "llvm/ADT/APFloat.h"

using namespace mlir;

namespace mercator::stablehlo {

using Builder = ImplicitLocOpBuilder;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The operand beside one for which `is` holds, on either side.
static Value other(Operation *op, function_ref<bool(Value)> is) {
  if (is(op->getOperand(1)))
    return op->getOperand(0);
  return is(op->getOperand(0)) ? op->getOperand(1) : Value();
}

static bool isAllOnes(Value value) {
  auto element = dyn_cast_or_null<IntegerAttr>(splatOf(value));
  return element && element.getValue().isAllOnes();
}

static bool isLeast(Value value) {
  auto element = dyn_cast_or_null<IntegerAttr>(splatOf(value));
  if (!element)
    return isSplat(value, -kInfinity);
  return element.getType().isUnsignedInteger() || element.getType().isInteger(1)
             ? element.getValue().isMinValue()
             : element.getValue().isMinSignedValue();
}
static bool isGreatest(Value value) {
  auto element = dyn_cast_or_null<IntegerAttr>(splatOf(value));
  if (!element)
    return isSplat(value, kInfinity);
  return element.getType().isUnsignedInteger() || element.getType().isInteger(1)
             ? element.getValue().isMaxValue()
             : element.getValue().isMaxSignedValue();
}

static Value zeros(Builder &b, Type type) {
  Type element = cast<RankedTensorType>(type).getElementType();
  // The attribute of an integer keeps its sign.
  return isInteger(type) ? splat(b, type, IntegerAttr::get(element, 0))
                         : Value();
}

//===--- Sums and products ------------------------------------------------===//

// x + 0 = x for integers, x + -0.0 = x for floats
static Value addZero(AddOp op, Builder &) {
  return other(op, [&](Value y) {
    return isSplat(y, isInteger(op.getType()) ? 0.0 : -0.0);
  });
}
// x - 0 = x
static Value subtractZero(SubtractOp op, Builder &) {
  return isSplat(op.getRhs(), 0.0) ? op.getLhs() : Value();
}
// x - x = 0 for integers
static Value subtractItself(SubtractOp op, Builder &b) {
  return op.getLhs() == op.getRhs() ? zeros(b, op.getType()) : Value();
}
// x * 1 = x
static Value multiplyOne(MulOp op, Builder &) {
  return other(op, [](Value y) { return isSplat(y, 1.0); });
}
// x * 0 = 0 for integers
static Value multiplyZero(MulOp op, Builder &) {
  if (!isInteger(op.getType()))
    return {};
  if (isSplat(op.getLhs(), 0.0))
    return op.getLhs();
  return isSplat(op.getRhs(), 0.0) ? op.getRhs() : Value();
}
// x / 1 = x
static Value divideOne(DivOp op, Builder &) {
  return isSplat(op.getRhs(), 1.0) ? op.getLhs() : Value();
}

//===--- Signs ------------------------------------------------------------===//

// -(-x) = x, not (not x) = x
template <typename Op> static Value twice(Op op, Builder &) {
  auto inner = op.getOperand().template getDefiningOp<Op>();
  return inner && isPlain(op.getType()) ? inner.getOperand() : Value();
}
// f(f(x)) = f(x) for abs, ceil, floor, round, sign
template <typename Op> static Value once(Op op, Builder &) {
  auto inner = op.getOperand().template getDefiningOp<Op>();
  return inner && isPlain(op.getType()) ? op.getOperand() : Value();
}

//===--- Bits -------------------------------------------------------------===//

// x & x = x, x | x = x, max(x, x) = x, min(x, x) = x
template <typename Op> static Value bothSame(Op op, Builder &) {
  return op.getLhs() == op.getRhs() ? op.getLhs() : Value();
}
// x & ones = x
static Value andOnes(AndOp op, Builder &) { return other(op, isAllOnes); }
// x & 0 = 0
static Value andZero(AndOp op, Builder &) {
  if (isSplat(op.getLhs(), 0.0))
    return op.getLhs();
  return isSplat(op.getRhs(), 0.0) ? op.getRhs() : Value();
}
// x | 0 = x
static Value orZero(OrOp op, Builder &) {
  return other(op, [](Value y) { return isSplat(y, 0.0); });
}
// x | ones = ones
static Value orOnes(OrOp op, Builder &) {
  if (isAllOnes(op.getLhs()))
    return op.getLhs();
  return isAllOnes(op.getRhs()) ? op.getRhs() : Value();
}
// x ^ 0 = x
static Value xorZero(XorOp op, Builder &) {
  return other(op, [](Value y) { return isSplat(y, 0.0); });
}
// x ^ x = 0
static Value xorItself(XorOp op, Builder &b) {
  return op.getLhs() == op.getRhs() ? zeros(b, op.getType()) : Value();
}

//===--- Choices ----------------------------------------------------------===//

// max(x, least) = x
static Value maxLeast(MaxOp op, Builder &) { return other(op, isLeast); }
// min(x, greatest) = x
static Value minGreatest(MinOp op, Builder &) { return other(op, isGreatest); }
// clamp(least, x, greatest) = x
static Value clampNothing(ClampOp op, Builder &) {
  return isLeast(op.getMin()) && isGreatest(op.getMax()) ? op.getOperand()
                                                         : Value();
}
// select(c, x, x) = x
static Value selectSame(SelectOp op, Builder &) {
  return op.getOnTrue() == op.getOnFalse() ? op.getOnTrue() : Value();
}
// select(true, x, y) = x, select(false, x, y) = y
static Value selectKnown(SelectOp op, Builder &) {
  if (isSplat(op.getPred(), 1.0))
    return op.getOnTrue();
  return isSplat(op.getPred(), 0.0) ? op.getOnFalse() : Value();
}
// select(not c, x, y) = select(c, y, x)
static Value selectNot(SelectOp op, Builder &b) {
  auto inverted = op.getPred().getDefiningOp<NotOp>();
  if (!inverted)
    return {};
  return SelectOp::create(b, op.getType(), inverted.getOperand(),
                          op.getOnFalse(), op.getOnTrue());
}
// select(c, true, false) = c
static Value selectBooleans(SelectOp op, Builder &) {
  return isInteger(op.getType()) &&
                 cast<RankedTensorType>(op.getType())
                     .getElementType()
                     .isInteger(1) &&
                 isSplat(op.getOnTrue(), 1.0) && isSplat(op.getOnFalse(), 0.0)
             ? op.getPred()
             : Value();
}

//===--- Conversions ------------------------------------------------------===//

/// Whether each number of `from` is one of `to`, so that a conversion on the way
/// to a third type loses nothing.
static bool isWithin(Type from, Type to) {
  if (auto real = dyn_cast<FloatType>(from)) {
    auto wide = dyn_cast<FloatType>(to);
    // All narrower floats are within f32, and that within f64.
    return wide && ((wide.isF32() && real.getWidth() < 32) ||
                    (wide.isF64() && real.getWidth() < 64));
  }
  auto integer = dyn_cast<IntegerType>(from);
  if (!integer)
    return false;
  bool hasSign = !integer.isUnsigned() && integer.getWidth() != 1;
  unsigned bits = integer.getWidth() - (hasSign ? 1 : 0);
  if (auto wide = dyn_cast<IntegerType>(to)) {
    bool keepsSign = !wide.isUnsigned() && wide.getWidth() != 1;
    return bits + (keepsSign ? 1 : 0) <= wide.getWidth() &&
           (keepsSign || !hasSign) && wide.getWidth() != 1;
  }
  return (to.isF32() && bits <= 24) || (to.isF64() && bits <= 53);
}

// convert(x) to its own type = x
static Value convertToSame(ConvertOp op, Builder &) {
  return isPlain(op.getType()) && op.getOperand().getType() == op.getType()
             ? op.getOperand()
             : Value();
}
// convert(convert(x)) = convert(x) if the first loses nothing
static Value convertTwice(ConvertOp op, Builder &b) {
  auto inner = op.getOperand().getDefiningOp<ConvertOp>();
  if (!inner || !isPlain(op.getType()) || !isPlain(inner.getType()))
    return {};
  Value source = inner.getOperand();
  if (!isPlain(source.getType()) || !isWithin(tensorOf(source).getElementType(),
                                              tensorOf(inner).getElementType()))
    return {};
  // A float that is too large for an integer is not wrapped as an integer is.
  if (isInteger(source.getType()) && isFloat(inner.getType()) &&
      !isFloat(op.getType()))
    return {};
  if (source.getType() == op.getType())
    return source;
  return ConvertOp::create(b, op.getType(), source);
}

//===--- Complex numbers --------------------------------------------------===//

// real(complex(x, y)) = x
static Value realOfComplex(RealOp op, Builder &) {
  auto whole = op.getOperand().getDefiningOp<ComplexOp>();
  return whole ? whole.getLhs() : Value();
}
// imag(complex(x, y)) = y
static Value imagOfComplex(ImagOp op, Builder &) {
  auto whole = op.getOperand().getDefiningOp<ComplexOp>();
  return whole ? whole.getRhs() : Value();
}
// complex(real(z), imag(z)) = z
static Value complexOfParts(ComplexOp op, Builder &) {
  auto real = op.getLhs().getDefiningOp<RealOp>();
  auto imag = op.getRhs().getDefiningOp<ImagOp>();
  return real && imag && real.getOperand() == imag.getOperand()
             ? real.getOperand()
             : Value();
}

void addArithmeticEquations(Equations &e) {
  e.add<AddOp, addZero>();
  e.add<SubtractOp, subtractZero>();
  e.add<SubtractOp, subtractItself>();
  e.add<MulOp, multiplyOne>();
  e.add<MulOp, multiplyZero>();
  e.add<DivOp, divideOne>();
  e.add<NegOp, twice<NegOp>>();
  e.add<NotOp, twice<NotOp>>();
  e.add<AbsOp, once<AbsOp>>();
  e.add<CeilOp, once<CeilOp>>();
  e.add<FloorOp, once<FloorOp>>();
  e.add<RoundOp, once<RoundOp>>();
  e.add<RoundNearestEvenOp, once<RoundNearestEvenOp>>();
  e.add<SignOp, once<SignOp>>();
  e.add<AndOp, bothSame<AndOp>>();
  e.add<AndOp, andOnes>();
  e.add<AndOp, andZero>();
  e.add<OrOp, bothSame<OrOp>>();
  e.add<OrOp, orZero>();
  e.add<OrOp, orOnes>();
  e.add<XorOp, xorZero>();
  e.add<XorOp, xorItself>();
  e.add<MaxOp, bothSame<MaxOp>>();
  e.add<MaxOp, maxLeast>();
  e.add<MinOp, bothSame<MinOp>>();
  e.add<MinOp, minGreatest>();
  e.add<ClampOp, clampNothing>();
  e.add<SelectOp, selectSame>();
  e.add<SelectOp, selectKnown>();
  e.add<SelectOp, selectNot>();
  e.add<SelectOp, selectBooleans>();
  e.add<ConvertOp, convertToSame>();
  e.add<ConvertOp, convertTwice>();
  e.add<RealOp, realOfComplex>();
  e.add<ImagOp, imagOfComplex>();
  e.add<ComplexOp, complexOfParts>();
}

} // namespace mercator::stablehlo
