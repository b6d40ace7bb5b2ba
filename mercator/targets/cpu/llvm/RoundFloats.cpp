// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/RoundFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mercator;
using arith::CmpIPredicate;
using llvm::APFloat;

namespace {
/// Words of the width of a float, and its fields.
class Words {
public:
  Words(ImplicitLocOpBuilder &b, mlir::Value value)
      : b(b), format(cast<FloatType>(value.getType())),
        word(b.getIntegerType(format.getWidth())),
        bits(arith::BitcastOp::create(b, word, value)),
        magnitude(andOf(bits, number(ones(format.getWidth() - 1)))) {}

  [[nodiscard]] unsigned fractionBits() const {
    return FloatType(format).getFPMantissaWidth() - 1;
  }
  /// The exponent field of 1.0.
  [[nodiscard]] int64_t bias() const {
    return 1 - APFloat::semanticsMinExponent(format.getFloatSemantics());
  }
  [[nodiscard]] mlir::Value exponentField() {
    return shiftRight(magnitude, number(fractionBits()));
  }
  [[nodiscard]] mlir::Value fraction() {
    return andOf(magnitude, number(ones(fractionBits())));
  }
  [[nodiscard]] mlir::Value isNan() {
    int64_t infinity = ones(format.getWidth() - 1 - fractionBits())
                       << fractionBits();
    return compare(CmpIPredicate::ugt, magnitude, number(infinity));
  }
  [[nodiscard]] mlir::Value isNegative() {
    return compare(CmpIPredicate::slt, bits, number(0));
  }

  static int64_t ones(unsigned count) {
    return int64_t(~uint64_t(0) >> (64 - count));
  }
  mlir::Value number(int64_t value) {
    return arith::ConstantOp::create(b, b.getIntegerAttr(word, value));
  }
  mlir::Value andOf(mlir::Value x, mlir::Value y) {
    return arith::AndIOp::create(b, x, y);
  }
  mlir::Value orOf(mlir::Value x, mlir::Value y) {
    return arith::OrIOp::create(b, x, y);
  }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return arith::AddIOp::create(b, x, y);
  }
  mlir::Value subtract(mlir::Value x, mlir::Value y) {
    return arith::SubIOp::create(b, x, y);
  }
  mlir::Value shiftLeft(mlir::Value x, mlir::Value by) {
    return arith::ShLIOp::create(b, x, by);
  }
  mlir::Value shiftRight(mlir::Value x, mlir::Value by) {
    return arith::ShRUIOp::create(b, x, by);
  }
  mlir::Value larger(mlir::Value x, mlir::Value y) {
    return arith::MaxSIOp::create(b, x, y);
  }
  mlir::Value smaller(mlir::Value x, mlir::Value y) {
    return arith::MinSIOp::create(b, x, y);
  }
  mlir::Value compare(CmpIPredicate predicate, mlir::Value x, mlir::Value y) {
    return arith::CmpIOp::create(b, predicate, x, y);
  }
  mlir::Value choose(mlir::Value condition, mlir::Value x, mlir::Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }
  /// The float whose bits are the low bits of `x`.
  mlir::Value narrow(mlir::Value x, FloatType to) {
    return arith::BitcastOp::create(
        b, to, arith::TruncIOp::create(b, b.getIntegerType(to.getWidth()), x));
  }

private:
  ImplicitLocOpBuilder &b;
  FloatType format;
  IntegerType word;
  mlir::Value bits;

public:
  /// All bits but the sign.
  mlir::Value magnitude;
};

/// The codes of a format with a sign.
struct Codes {
  explicit Codes(FloatType type)
      : minusZero(int64_t(1) << (type.getWidth() - 1)) {
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    auto bitsOf = [](const APFloat &number) {
      return int64_t(number.bitcastToAPInt().getZExtValue());
    };
    largest = bitsOf(APFloat::getLargest(semantics));
    nan = APFloat::semanticsHasNaN(semantics)
              ? bitsOf(APFloat::getNaN(semantics))
              : minusZero;
    if (APFloat::semanticsHasInf(semantics))
      beyond = bitsOf(APFloat::getInf(semantics));
    else
      beyond = APFloat::semanticsHasNaN(semantics) ? nan : largest;
    hasMinusZero = nan != minusZero || !APFloat::semanticsHasNaN(semantics);
  }

  int64_t minusZero, largest = 0, nan = 0;
  int64_t beyond = 0; ///< in place of numbers that are too large
  bool hasMinusZero = true;
};
} // namespace

/// To f8E8M0FNU, whose code c is 2^(c - 127). Both neighbors of a tie are powers
/// of two; the upper one is taken.
static mlir::Value roundToPower(Words &w, FloatType to) {
  constexpr int64_t kNan = 255;
  mlir::Value code = w.subtract(w.exponentField(), w.number(w.bias() - 127));
  // One half is the first digit of the fraction. Below the normal numbers of f32
  // it is 2^-127, which has code 0, and one more digit is a half.
  unsigned digits = w.fractionBits();
  mlir::Value half = w.number(int64_t(1) << (digits - 1));
  if (w.bias() == 127)
    half =
        w.choose(w.compare(CmpIPredicate::eq, w.exponentField(), w.number(0)),
                 w.number(int64_t(3) << (digits - 2)), half);
  mlir::Value up = w.add(code, w.number(1));
  code = w.choose(w.compare(CmpIPredicate::uge, w.fraction(), half), up, code);
  code = w.smaller(w.larger(code, w.number(0)), w.number(kNan));
  mlir::Value isZero = w.compare(CmpIPredicate::eq, w.magnitude, w.number(0));
  for (mlir::Value isNan : {isZero, w.isNegative(), w.isNan()})
    code = w.choose(isNan, w.number(kNan), code);
  return w.narrow(code, to);
}

mlir::Value cpu::roundFloat(ImplicitLocOpBuilder &b, mlir::Value value,
                            FloatType to) {
  const llvm::fltSemantics &semantics = to.getFloatSemantics();
  Words w(b, value);
  if (!APFloat::semanticsHasSignedRepr(semantics))
    return roundToPower(w, to);
  Codes codes(to);
  unsigned digits = w.fractionBits(),
           kept = unsigned(APFloat::semanticsPrecision(semantics)) - 1;
  // The exponent field of the least normal number of the result.
  int64_t least = APFloat::semanticsMinExponent(semantics) + w.bias();
  assert(least > int64_t(kept) + 2 && "a subnormal number does not become 0");
  mlir::Value field = w.exponentField();
  mlir::Value own = w.larger(field, w.number(least));
  mlir::Value significand =
      w.orOf(w.fraction(), w.number(int64_t(1) << digits));
  // From digits + 2 on, nothing is left.
  mlir::Value surplus =
      w.smaller(w.add(w.subtract(own, field), w.number(digits - kept)),
                w.number(digits + 2));
  // In units of the last place, ties to even.
  mlir::Value isOdd = w.andOf(w.shiftRight(significand, surplus), w.number(1));
  mlir::Value belowHalf = w.subtract(
      w.shiftLeft(w.number(1), w.subtract(surplus, w.number(1))), w.number(1));
  mlir::Value units =
      w.shiftRight(w.add(significand, w.add(belowHalf, isOdd)), surplus);
  mlir::Value code = w.add(
      w.shiftLeft(w.subtract(own, w.number(least)), w.number(kept)), units);
  code = w.choose(w.compare(CmpIPredicate::sgt, code, w.number(codes.largest)),
                  w.number(codes.beyond), code);
  code = w.choose(w.isNan(), w.number(codes.nan), code);
  mlir::Value sign =
      w.choose(w.isNegative(), w.number(codes.minusZero), w.number(0));
  if (!codes.hasMinusZero)
    sign = w.choose(w.compare(CmpIPredicate::eq, code, w.number(0)),
                    w.number(0), sign);
  return w.narrow(w.orOf(code, sign), to);
}

mlir::Value cpu::wideOfInteger(ImplicitLocOpBuilder &b, mlir::Value integer,
                               bool isUnsigned) {
  auto convert = [&](Type type, mlir::Value x) -> mlir::Value {
    return isUnsigned ? mlir::Value(arith::UIToFPOp::create(b, type, x))
                      : mlir::Value(arith::SIToFPOp::create(b, type, x));
  };
  auto type = dyn_cast<IntegerType>(integer.getType());
  unsigned width = type ? type.getWidth() : 64;
  if (width <= 24)
    return convert(b.getF32Type(), integer);
  if (width <= 53)
    return convert(b.getF64Type(), integer);
  assert(width == 64 && "expected an integer type of StableHLO");
  // The lowest digit before the last 11 keeps whether one of these is set.
  // Integers below 2^53 have no others that are needed.
  auto number = [&](int64_t value) -> mlir::Value {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  };
  if (!type)
    integer = arith::IndexCastOp::create(b, b.getI64Type(), integer);
  mlir::Value last = arith::AndIOp::create(b, integer, number(0x7ff));
  mlir::Value first = arith::AndIOp::create(b, integer, number(~0x7ffLL));
  mlir::Value isExact =
      arith::CmpIOp::create(b, CmpIPredicate::eq, last, number(0));
  mlir::Value odd = arith::SelectOp::create(
      b, isExact, first, arith::OrIOp::create(b, first, number(0x800)));
  // -2^53 <= x < 2^53
  constexpr int64_t kHalfRange = int64_t(1) << 53;
  mlir::Value isSmall =
      isUnsigned ? arith::CmpIOp::create(b, CmpIPredicate::ult, integer,
                                         number(kHalfRange))
                 : arith::CmpIOp::create(
                       b, CmpIPredicate::ult,
                       arith::AddIOp::create(b, integer, number(kHalfRange)),
                       number(2 * kHalfRange));
  return convert(b.getF64Type(),
                 arith::SelectOp::create(b, isSmall, integer, odd));
}
