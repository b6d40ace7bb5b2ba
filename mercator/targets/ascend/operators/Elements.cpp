// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/operators/Elements.h"
#include "mercator/analysis/values/AscendValues.h"

#include "mercator/dialects/ascend/Registry.h"
#include "mercator/targets/ascend/operators/DynamicShape.h"

#include <cmath>

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;
using indexing::Interval;
using stablehlo::ComparisonDirection;

bool ascend::takes(StringRef op, Type element) {
  std::optional<GeType> type = geType(element);
  return type && findOperator(op)->inputs.front().types.has(*type);
}

static bool isBoolean(Value x) { return elementOf(x).isInteger(1); }

/// The integer types that all GE operators support and that wrap around as in
/// StableHLO.
static bool isPlainInteger(Type element) {
  return element.isSignlessInteger(32) || element.isSignlessInteger(64);
}

RankedTensorType Elements::joint(Value x, Value y) const {
  return typeOf(x).getRank() ? typeOf(x)
                             : typeOf(x).clone(typeOf(y).getShape());
}

template <typename Op> Value Elements::test(Value x, Value y) {
  return Op::create(b, joint(x, y).clone(b.getI1Type()), x, y);
}

Value Elements::integer(Value like, int64_t value) {
  return constantScalar(b, elementOf(like), value);
}

Value Elements::real(Value like, double value) {
  auto type = RankedTensorType::get({}, elementOf(like));
  return ConstOp::create(
      b, type,
      DenseElementsAttr::get(
          type, Attribute(b.getFloatAttr(elementOf(like), value))));
}

//===--- Comparisons ------------------------------------------------------===//

Value Elements::compareBooleans(ComparisonDirection direction, Value x,
                                Value y) {
  switch (direction) {
  case ComparisonDirection::EQ:
    return test<EqualOp>(x, y);
  case ComparisonDirection::NE:
    return logicalNot(test<EqualOp>(x, y));
  case ComparisonDirection::LT:
    return binary<LogicalAndOp>(logicalNot(x), y);
  case ComparisonDirection::LE:
    return binary<LogicalOrOp>(logicalNot(x), y);
  case ComparisonDirection::GT:
    return binary<LogicalAndOp>(x, logicalNot(y));
  case ComparisonDirection::GE:
    return binary<LogicalOrOp>(x, logicalNot(y));
  }
  llvm_unreachable("all directions are handled");
}

/// Whether GE's comparison of these int32 values is correct: it guarantees the
/// result only for values at most 2^31 apart.
static bool areClose(Value x, Value y) {
  std::optional<Interval> first = knownRange(x), second = knownRange(y);
  constexpr int64_t kMost = int64_t(1) << 31;
  return first && second && second->upper - first->lower <= kMost &&
         second->lower - first->upper >= -kMost;
}

Value Elements::compare(ComparisonDirection direction, Value x, Value y) {
  if (isBoolean(x))
    return compareBooleans(direction, x, y);
  bool isNotEqual = direction == ComparisonDirection::NE,
       isOrdered = !isNotEqual && direction != ComparisonDirection::EQ;
  // Each of the two operators supports types that the other lacks.
  if (!isOrdered) {
    bool hasOwn = takes(isNotEqual ? "NotEqual" : "Equal", elementOf(x));
    Value equal =
        isNotEqual == hasOwn ? test<NotEqualOp>(x, y) : test<EqualOp>(x, y);
    return hasOwn ? equal : logicalNot(equal);
  }
  if (elementOf(x).isInteger(32) && !elementOf(x).isUnsignedInteger() &&
      !areClose(x, y)) {
    x = cast(b, x, b.getI64Type());
    y = cast(b, y, b.getI64Type());
  }
  switch (direction) {
  case ComparisonDirection::LT:
    return test<LessOp>(x, y);
  case ComparisonDirection::LE:
    return test<LessEqualOp>(x, y);
  case ComparisonDirection::GT:
    return test<GreaterOp>(x, y);
  default:
    return test<GreaterEqualOp>(x, y);
  }
}

Value Elements::logicalNot(Value x) { return unary<LogicalNotOp>(x); }

Value Elements::choose(Value condition, Value x, Value y) {
  // The cores have no Select of booleans.
  if (isBoolean(x))
    return binary<LogicalOrOp>(binary<LogicalAndOp>(condition, x),
                               binary<LogicalAndOp>(logicalNot(condition), y));
  Value largest = condition;
  for (Value part : {x, y})
    if (typeOf(part).getRank() != 0)
      largest = part;
  ArrayRef<int64_t> shape = typeOf(largest).getShape();
  RankedTensorType type = typeOf(x).clone(shape);
  bool areSame =
      llvm::all_of(ArrayRef<Value>{condition, x, y}, [&](Value part) {
        return typeOf(part).getShape() == shape;
      });
  if (!areSame)
    return SelectV2Op::create(b, type, condition, x, y);
  return SelectOp::create(b, type, broadcastTo(b, condition, shape),
                          broadcastTo(b, x, shape), broadcastTo(b, y, shape));
}

//===--- Conversions ------------------------------------------------------===//

/// Converts an i32 or i64 to the number of `to` with the same low bits. GE's
/// Cast does not define numbers that are out of range, so they are brought into
/// range before the cast.
Value Elements::lowBits(Value wide, IntegerType to) {
  unsigned width = to.getWidth();
  Value low = binary<BitwiseAndOp>(
      wide, integer(wide, int64_t((uint64_t(1) << width) - 1)));
  if (!to.isUnsigned()) {
    int64_t sign = int64_t(1) << (width - 1);
    low = binary<BitwiseXorOp>(low, integer(low, sign));
    low = binary<SubOp>(low, integer(low, sign));
  }
  return cast(b, low, to);
}

Value Elements::convertInteger(Value x, IntegerType to) {
  auto from = cast<IntegerType>(elementOf(x));
  std::optional<Interval> known = knownRange(x), all = rangeOf(to);
  // A nonnegative number that fits int64 fits uint64 too.
  if (known && (all ? all->contains(*known) : known->lower >= 0))
    return cast(b, x, to);
  Type i64 = b.getI64Type();
  bool fromLargest = !rangeOf(from), toLargest = !rangeOf(to);
  if (fromLargest && to.getWidth() == 64) {
    // The upper half becomes a signed number first, so no product overflows.
    Value places = splatLike(b, x, IntegerAttr::get(from, 32));
    Value high = cast(b, RightShiftOp::create(b, x.getType(), x, places), i64);
    Value low =
        cast(b, binary<BitwiseAndOp>(x, integer(x, int64_t(0xffffffff))), i64);
    int64_t sign = int64_t(1) << 31;
    high = binary<BitwiseXorOp>(high, integer(high, sign));
    high = binary<SubOp>(high, integer(high, sign));
    high = binary<MulOp>(high, integer(high, int64_t(1) << 32));
    return binary<AddOp>(high, low);
  }
  if (fromLargest) {
    uint64_t mask = (uint64_t(1) << to.getWidth()) - 1;
    Value low = binary<BitwiseAndOp>(x, integer(x, int64_t(mask)));
    return lowBits(cast(b, low, i64), to);
  }
  if (toLargest) {
    Value wide = cast(b, x, i64);
    Value mask = integer(wide, int64_t(0xffffffff));
    Value places = splatLike(b, wide, b.getI64IntegerAttr(32));
    Value high = RightShiftOp::create(b, wide.getType(), wide, places);
    high = cast(b, binary<BitwiseAndOp>(high, mask), to);
    Value low = cast(b, binary<BitwiseAndOp>(wide, mask), to);
    places = splatLike(b, high, IntegerAttr::get(to, 32));
    high = LeftShiftOp::create(b, high.getType(), high, places);
    return binary<BitwiseOrOp>(high, low);
  }
  bool isNarrow = from.getWidth() <= 32 && to.getWidth() < 32 &&
                  !(from.isUnsigned() && from.getWidth() == 32);
  return lowBits(cast(b, x, isNarrow ? Type(b.getI32Type()) : i64), to);
}

/// A float without its fraction. GE's Cast does not define its rounding.
Value Elements::towardsZero(Value x) {
  if (isa_and_nonnull<FloorOp, CeilOp, RoundOp, RintOp>(x.getDefiningOp()))
    return x;
  return choose(isLess(x, real(x, 0)), unary<CeilOp>(x), unary<FloorOp>(x));
}

/// Requires: x has no NaN.
Value Elements::clip(Value x, double least, double most) {
  return ClipByValueOp::create(b, x.getType(), x, real(x, least),
                               real(x, most));
}

/// GE's Cast does not define floats that are out of range.
Value Elements::convertFloat(Value x, IntegerType to) {
  std::optional<Interval> all = rangeOf(to);
  std::optional<Interval> known = knownFloatRange(x);
  // Floor does not support bfloat16; float16 has no bound for wide integers.
  if (elementOf(x).getIntOrFloatBitWidth() < 32)
    x = cast(b, x, b.getF32Type());
  if (known && (all ? all->contains(*known) : known->lower >= 0))
    return cast(b, towardsZero(x), to);
  if (!isNeverNaN(x))
    x = choose(isEqual(x, x), x, real(x, 0));
  unsigned digits = llvm::APFloat::semanticsPrecision(
      cast<FloatType>(elementOf(x)).getFloatSemantics());
  unsigned bits = to.getWidth() - !to.isUnsigned();
  double beyond = std::ldexp(1.0, int(bits)),
         least = to.isUnsigned() ? 0 : -beyond;
  if (bits <= digits)
    return cast(b, towardsZero(clip(x, least, beyond - 1)), to);
  // The largest integer has no float: larger floats become the float below it,
  // then the integer.
  double below = beyond - std::ldexp(1.0, int(bits - digits));
  Value inside = cast(b, towardsZero(clip(x, least, below)), to);
  Value isBeyond = compare(ComparisonDirection::GE, x, real(x, beyond));
  int64_t most = all ? all->upper : -1; // all bits set
  return choose(isBeyond, integer(inside, most), inside);
}

Value Elements::convert(Value x, Type to) {
  Type from = elementOf(x);
  if (from == to)
    return x;
  auto whole = dyn_cast<IntegerType>(to);
  bool toBoolean = whole && whole.getWidth() == 1;
  // The imaginary part is dropped, also for a conversion to boolean.
  if (isa<ComplexType>(from) && !isa<ComplexType>(to))
    return convert(RealOp::create(b, typeOf(x).clone(b.getF32Type()), x), to);
  if (toBoolean) {
    Value zero = from.isInteger() ? integer(x, 0) : real(x, 0);
    return compare(ComparisonDirection::NE, x, zero);
  }
  if (!whole || from.isInteger(1)) // exact, or rounded to nearest
    return cast(b, x, to);
  return from.isInteger() ? convertInteger(x, whole) : convertFloat(x, whole);
}

//===--- Arithmetic -------------------------------------------------------===//

template <typename Op> Value Elements::arithmetic(Value x, Value y) {
  auto type = dyn_cast<IntegerType>(elementOf(x));
  if (!type || isPlainInteger(type))
    return binary<Op>(x, y);
  // In a type that wraps around; the low bits are kept.
  Type wide = type.getWidth() < 32 ? b.getI32Type() : b.getI64Type();
  return convert(binary<Op>(convert(x, wide), convert(y, wide)), type);
}

Value Elements::add(Value x, Value y) {
  return isBoolean(x) ? bitOr(x, y) : arithmetic<AddOp>(x, y);
}
Value Elements::subtract(Value x, Value y) { return arithmetic<SubOp>(x, y); }
Value Elements::multiply(Value x, Value y) {
  return isBoolean(x) ? bitAnd(x, y) : arithmetic<MulOp>(x, y);
}

/// GE's Maximum is `x1 > x2 ? x1 : x2`: a NaN in x2 is kept, one in x1 may be
/// lost. The order of the two zeros is undefined.
template <typename Op> Value Elements::extremum(Value x, Value y) {
  if (isa<FloatType>(elementOf(x))) {
    if (!isNeverNaN(x) && isNeverNaN(y))
      std::swap(x, y);
    Value most = binary<Op>(x, y);
    return isNeverNaN(x) ? most : choose(test<NotEqualOp>(x, x), x, most);
  }
  if (isPlainInteger(elementOf(x)))
    return binary<Op>(x, y);
  constexpr bool isMaximum = std::is_same_v<Op, MaximumOp>;
  return choose(isMaximum ? isLess(y, x) : isLess(x, y), x, y);
}

Value Elements::minimum(Value x, Value y) {
  return isBoolean(x) ? bitAnd(x, y) : extremum<MinimumOp>(x, y);
}
Value Elements::maximum(Value x, Value y) {
  return isBoolean(x) ? bitOr(x, y) : extremum<MaximumOp>(x, y);
}

//===--- Bits -------------------------------------------------------------===//

Value Elements::bitAnd(Value x, Value y) {
  return isBoolean(x) ? binary<LogicalAndOp>(x, y) : binary<BitwiseAndOp>(x, y);
}
Value Elements::bitOr(Value x, Value y) {
  return isBoolean(x) ? binary<LogicalOrOp>(x, y) : binary<BitwiseOrOp>(x, y);
}
Value Elements::bitXor(Value x, Value y) {
  return isBoolean(x) ? compare(ComparisonDirection::NE, x, y)
                      : binary<BitwiseXorOp>(x, y);
}
Value Elements::bitNot(Value x) {
  return isBoolean(x) ? logicalNot(x) : unary<InvertOp>(x);
}

/// GE does not define shifts beyond the width of the type.
Elements::Places Elements::placesOf(Value x, Value places) {
  int64_t width = elementOf(x).getIntOrFloatBitWidth();
  if (typeOf(places).getRank() == 0)
    places = broadcastTo(b, places, dynamicShapeOf(x));
  std::optional<Interval> known = knownRange(places);
  if (known && Interval::ofSize(width).contains(*known))
    return {places, nullptr};
  // Widths are powers of two, and shift counts are not negative.
  Value inside = binary<BitwiseAndOp>(places, integer(places, width - 1));
  Value beyond = binary<BitwiseAndOp>(places, integer(places, ~(width - 1)));
  return {inside, isEqual(beyond, integer(beyond, 0))};
}

Value Elements::shiftLeft(Value x, Value places) {
  auto [by, isInside] = placesOf(x, places);
  Value shifted = LeftShiftOp::create(b, joint(x, by), x, by);
  return isInside ? choose(isInside, shifted, integer(x, 0)) : shifted;
}

Value Elements::shiftRightArithmetic(Value x, Value places) {
  auto type = cast<IntegerType>(elementOf(x));
  auto [by, isInside] = placesOf(x, places);
  if (isInside)
    by = choose(isInside, by, integer(by, type.getWidth() - 1));
  if (!type.isUnsigned())
    return RightShiftOp::create(b, joint(x, by), x, by);
  // The upper bit is a sign here.
  auto isSigned = IntegerType::get(b.getContext(), type.getWidth());
  Value bits = convert(x, isSigned);
  Value shifted =
      RightShiftOp::create(b, bits.getType(), bits, cast(b, by, isSigned));
  return convert(shifted, type);
}

Value Elements::shiftRightLogical(Value x, Value places) {
  auto type = cast<IntegerType>(elementOf(x));
  int64_t width = type.getWidth();
  auto [by, isInside] = placesOf(x, places);
  Value shifted = RightShiftOp::create(b, joint(x, by), x, by);
  if (!type.isUnsigned()) {
    // The copies of the sign that were shifted in are masked: -2 shifted left
    // by width - 1 - places has ones in their positions.
    std::optional<Interval> known = knownRange(by);
    if (known && known->lower == known->upper) {
      uint64_t all = ~uint64_t(0) >> (64 - width);
      shifted = binary<BitwiseAndOp>(shifted,
                                     integer(x, int64_t(all >> known->lower)));
    } else {
      Value up = subtract(integer(by, width - 1), by);
      Value ones = splatLike(b, shifted, IntegerAttr::get(type, -2));
      Value signs = LeftShiftOp::create(b, shifted.getType(), ones, up);
      shifted = binary<BitwiseAndOp>(shifted, unary<InvertOp>(signs));
    }
  }
  return isInside ? choose(isInside, shifted, integer(x, 0)) : shifted;
}
