// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// GE describes its operators by mathematical functions and says little about
// special values. Functions of floats follow IEEE 754, and integers of 32 and
// 64 bits wrap around. Where devices differ from the frameworks that GE claims
// compatibility with, an operand that shows the difference is an error.

#include "mercator/reference/ascend/Arithmetic.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/core/ComplexFunctions.h"
#include "mercator/reference/core/ElementCalls.h"
#include "mercator/reference/core/Scalars.h"

#include "llvm/ADT/TypeSwitch.h"

#include <bit>
#include <cmath>
#include <numbers>

using namespace mlir;
using namespace mercator::ascend;

namespace mercator::reference {

//===--- Integers ---------------------------------------------------------===//

// Operands that GE does not define a function for have been looked at: see
// below.

static int64_t notBool(int64_t a) { return !a; }
static int64_t reciprocalInt(int64_t a) { return divideInt(1, a); }

static Scalar shiftLeft(const ElementFunction &self, const Scalar *x) {
  return self.result.round(
      Scalar::whole(int64_t(uint64_t(x[0].integer) << x[1].integer)));
}
// The sign is shifted in; zeros for unsigned integers.
static int64_t shiftRight(int64_t a, int64_t by) { return a >> by; }
static int64_t shiftRightUInt(int64_t a, int64_t by) {
  return int64_t(uint64_t(a) >> by);
}

static Scalar populationCount(const ElementFunction &self, const Scalar *x) {
  return Scalar::whole(std::popcount(bitsOf(self.operand, *x)));
}

//===--- Floats -----------------------------------------------------------===//

static double reciprocalReal(double a) { return 1 / a; }
static double erfReal(double a) { return std::erf(a); }
static double sinhReal(double a) { return std::sinh(a); }
static double asinhReal(double a) { return std::asinh(a); }
/// exp(-|x|) I1(x), an odd function.
static double scaledBesselReal(double a) {
  long double x = std::fabs(a);
  if (std::isnan(a) || std::isinf(a))
    return std::isnan(a) ? a : std::copysign(0.0, a);
  long double value = 0;
  if (x < 1000) {
    value = std::cyl_bessel_il(1, x) * std::exp(-x);
  } else {
    // The asymptotic series; the next term is below 1e-15.
    long double y = 1 / (8 * x);
    value =
        (1 - 3 * y * (1 + 5 * y / 2 * (1 + 21 * y / 3 * (1 + 45 * y / 4)))) /
        std::sqrt(2 * std::numbers::pi_v<long double> * x);
  }
  return double(std::copysign(value, (long double)a));
}
static Scalar nextAfter(const ElementFunction &self, const Scalar *x) {
  double from = x[0].re, to = x[1].re;
  return Scalar::real(self.operand.bits == 32
                          ? std::nextafter(float(from), float(to))
                          : std::nextafter(from, to));
}
static Scalar isFinite(const ElementFunction &, const Scalar *x) {
  return Scalar::whole(std::isfinite(x->re));
}
// As GE defines them: a NaN in the first operand is lost. GE does not order the
// two zeros; here +0 is the greater one.
static double minReal(double a, double b) {
  if (a == 0 && b == 0)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
static double maxReal(double a, double b) {
  if (a == 0 && b == 0)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

//===--- Complex numbers --------------------------------------------------===//

static Scalar realPart(Scalar a) { return Scalar::real(a.re); }
static Scalar imaginaryPart(Scalar a) { return Scalar::real(a.im); }
static Scalar complexOf(Scalar re, Scalar im) {
  return Scalar::complex(re.re, im.re);
}
static Scalar reciprocalComplex(Scalar a) {
  return divideComplex(Scalar::real(1), a);
}

/// Functions of complex numbers, computed in a wider float.
template <typename Wide> static Call ofComplexes(Operation *op) {
  return llvm::TypeSwitch<Operation *, Call>(op)
      .Case([](ExpOp) { return apply<Wide, complexExp>; })
      .Case([](Expm1Op) { return apply<Wide, complexExpMinusOne>; })
      .Case([](LogOp) { return apply<Wide, complexLog>; })
      .Case([](Log1pOp) { return apply<Wide, complexLogPlusOne>; })
      .Case([](SqrtOp) { return apply<Wide, complexSqrt>; })
      .Case([](RsqrtOp) { return apply<Wide, complexReciprocalSqrt>; })
      .Case([](TanhOp) { return apply<Wide, complexTanh>; })
      .Case([](SigmoidOp) { return apply<Wide, complexLogistic>; })
      .Case([](SinOp) { return apply<Wide, complexSin>; })
      .Case([](CosOp) { return apply<Wide, complexCos>; })
      .Case([](TanOp) { return apply<Wide, complexTan>; })
      .Case([](PowOp) { return apply2<Wide, complexPower>; })
      .Default(nullptr);
}

//===--- Comparisons ------------------------------------------------------===//

/// Compares two values; a NaN is unordered.
static std::partial_ordering compare(const Element &element, Scalar a,
                                     Scalar b) {
  switch (element.kind) {
  case ElementKind::SignedInt:
    return a.integer <=> b.integer;
  case ElementKind::Boolean:
  case ElementKind::UnsignedInt:
    return uint64_t(a.integer) <=> uint64_t(b.integer);
  case ElementKind::Real:
    return a.re <=> b.re;
  case ElementKind::Complex: // not ordered
    return a.re == b.re && a.im == b.im ? std::partial_ordering::equivalent
                                        : std::partial_ordering::unordered;
  }
  llvm_unreachable("all kinds are handled");
}

template <typename Op>
static Scalar compareBy(const ElementFunction &self, const Scalar *x) {
  std::partial_ordering order = compare(self.operand, x[0], x[1]);
  bool holds = false;
  if constexpr (std::is_same_v<Op, EqualOp>)
    holds = order == 0;
  else if constexpr (std::is_same_v<Op, NotEqualOp>)
    holds = order != 0;
  else if constexpr (std::is_same_v<Op, GreaterOp>)
    holds = order > 0;
  else if constexpr (std::is_same_v<Op, GreaterEqualOp>)
    holds = order >= 0;
  else if constexpr (std::is_same_v<Op, LessOp>)
    holds = order < 0;
  else
    holds = order <= 0;
  return Scalar::whole(holds);
}

//===--- Cast -------------------------------------------------------------===//

static Scalar fromInteger(const Element &from, const Element &into,
                          int64_t value) {
  if (into.isInteger())
    return into.round(Scalar::whole(value)); // the low bits
  // Rounds once.
  llvm::APFloat real(*into.format);
  real.convertFromAPInt(llvm::APInt(64, uint64_t(value)),
                        from.kind == ElementKind::SignedInt,
                        llvm::APFloat::rmNearestTiesToEven);
  bool isInexact = false;
  real.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
               &isInexact);
  return Scalar::real(real.convertToDouble());
}

static Scalar cast(const ElementFunction &self, const Scalar *x) {
  const Element &from = self.operand, &into = self.result;
  bool isFloat = from.isReal() || from.isComplex();
  if (into.kind == ElementKind::Boolean)
    return Scalar::whole(isFloat
                             ? x->re != 0 || (from.isComplex() && x->im != 0)
                             : x->integer != 0);
  if (!isFloat)
    return fromInteger(from, into, x->integer);
  if (into.kind == ElementKind::UnsignedInt)
    return Scalar::whole(int64_t(uint64_t(std::trunc(x->re))));
  if (into.isInteger())
    return Scalar::whole(int64_t(std::trunc(x->re)));
  bool hasTwo = from.isComplex() && into.isComplex();
  return into.round(Scalar::complex(x->re, hasTwo ? x->im : 0));
}

/// Whether two integers of these types are equal.
static bool isSameNumber(const Element &a, int64_t x, const Element &b,
                         int64_t y) {
  bool isNegative = (a.kind == ElementKind::SignedInt && x < 0) !=
                    (b.kind == ElementKind::SignedInt && y < 0);
  return x == y && !isNegative;
}

/// The reason if the integer type cannot hold the number. For floats with a
/// fraction GE does not define the rounding.
static StringRef whyNotCast(const ElementFunction &self, const Scalar *x) {
  const Element &from = self.operand, &into = self.result;
  if (!into.isInteger())
    return "";
  if (!from.isReal() && !from.isComplex()) {
    int64_t kept = into.round(*x).integer;
    return isSameNumber(from, x->integer, into, kept)
               ? ""
               : "an integer out of range of the type";
  }
  bool isSigned = into.kind == ElementKind::SignedInt;
  double beyond = std::ldexp(1.0, int(into.bits) - isSigned);
  bool fits = x->re >= (isSigned ? -beyond : 0) && x->re < beyond;
  if (!fits)
    return "a float out of range of the integer type";
  return std::trunc(x->re) == x->re ? "" : "a float with a fraction";
}

/// GE does not say whether integers below 32 bits wrap around.
template <int64_t (*function)(int64_t, int64_t)>
static StringRef whyNotNarrow(const ElementFunction &self, const Scalar *x) {
  if (!self.operand.isInteger() || self.operand.bits >= 32)
    return "";
  int64_t wide = function(x[0].integer, x[1].integer);
  bool fits = self.operand.round(Scalar::whole(wide)).integer == wide;
  return fits ? "" : "an overflow of a type below 32 bits";
}

/// For int32 values more than 2^31 apart GE does not guarantee the order.
static StringRef whyNotOrder(const ElementFunction &self, const Scalar *x) {
  if (self.operand.kind != ElementKind::SignedInt || self.operand.bits != 32)
    return "";
  int64_t apart = x[1].integer - x[0].integer, most = int64_t(1) << 31;
  bool isClose = -most <= apart && apart <= most;
  return isClose ? "" : "a comparison of int32 values more than 2^31 apart";
}

static StringRef whyNotClip(const ElementFunction &self, const Scalar *x) {
  if (self.operand.isReal() &&
      (std::isnan(x[0].re) || std::isnan(x[1].re) || std::isnan(x[2].re)))
    return "a NaN";
  return compare(self.operand, x[2], x[1]) < 0 ? "a minimum above the maximum"
                                               : "";
}

static StringRef whyNotSign(const ElementFunction &self, const Scalar *x) {
  return self.operand.isReal() && std::isnan(x->re) ? "a NaN" : "";
}

//===--- Undefined results ------------------------------------------------===//

static StringRef whyNotQuotient(const ElementFunction &self, const Scalar *x) {
  if (!self.operand.isInteger())
    return "";
  if (x[1].integer == 0)
    return "a division by zero";
  if (self.operand.kind == ElementKind::UnsignedInt)
    return "";
  if (x[0].integer == self.operand.lowest() && x[1].integer == -1)
    return "a quotient out of range of the type";
  return "";
}

/// Zero is no valid divisor, for floats neither.
static StringRef whyNotMod(const ElementFunction &self, const Scalar *x) {
  bool isZero = self.operand.isReal() ? x[1].re == 0 : x[1].integer == 0;
  return isZero ? "a remainder of a division by zero" : "";
}

static StringRef whyNotShift(const ElementFunction &self, const Scalar *x) {
  bool isInside =
      0 <= x[1].integer && x[1].integer < int64_t(self.operand.bits);
  return isInside ? "" : "a shift by less than 0 or by the width or more";
}

/// The rounding of Div is undefined, and so is that of Reciprocal.
static StringRef whyNotDiv(const ElementFunction &self, const Scalar *x) {
  StringRef why = whyNotQuotient(self, x);
  if (!why.empty() || self.operand.kind != ElementKind::SignedInt)
    return why;
  bool isNegative = (x[0].integer < 0) != (x[1].integer < 0);
  if (x[0].integer % x[1].integer != 0 && isNegative)
    return "a negative quotient with a fraction, which Div may round either "
           "way";
  return "";
}

static StringRef whyNotReciprocal(const ElementFunction &self,
                                  const Scalar *x) {
  Scalar quotient[] = {Scalar::whole(1), x[0]};
  return whyNotDiv(self, quotient);
}

static StringRef whyNotPow(const ElementFunction &self, const Scalar *x) {
  bool isNegative =
      self.operand.kind == ElementKind::SignedInt && x[1].integer < 0;
  return isNegative ? "an integer to a negative power" : "";
}

static Arithmetic::WhyNot whyNotOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Arithmetic::WhyNot>(op)
      .Case([](CastOp) { return whyNotCast; })
      .Case<AddOp, TensorScatterAddOp, ScatterNdAddOp>(
          [](auto) { return whyNotNarrow<addInt>; })
      .Case([](SubOp) { return whyNotNarrow<subtractInt>; })
      .Case([](MulOp) { return whyNotNarrow<multiplyInt>; })
      .Case([](ClipByValueOp) { return whyNotClip; })
      .Case<LessOp, LessEqualOp, GreaterOp, GreaterEqualOp>(
          [](auto) { return whyNotOrder; })
      .Case([](SignOp) { return whyNotSign; })
      .Case([](DivOp) { return whyNotDiv; })
      .Case([](TruncateDivOp) { return whyNotQuotient; })
      .Case([](TruncateModOp) { return whyNotMod; })
      .Case<LeftShiftOp, RightShiftOp>([](auto) { return whyNotShift; })
      .Case([](ReciprocalOp) { return whyNotReciprocal; })
      .Case([](PowOp) { return whyNotPow; })
      .Default(nullptr);
}

//===--- The table --------------------------------------------------------===//

static ByKind ofReals(Call function) {
  return {nullptr, nullptr, nullptr, function, nullptr};
}
static ByKind ofIntegers(Call function) {
  return {nullptr, function, function, nullptr, nullptr};
}
static ByKind ofComplexNumbers(Call function) {
  return {nullptr, nullptr, nullptr, nullptr, function};
}
static ByKind ofBooleans(Call function) {
  return {function, nullptr, nullptr, nullptr, nullptr};
}
static ByKind ofAll(Call function) {
  return {function, function, function, function, function};
}

/// minimum(maximum(x, clip_value_min), clip_value_max)
template <Call maximum, Call minimum>
static Scalar clip(const ElementFunction &self, const Scalar *x) {
  Scalar raised[] = {maximum(self, x), x[2]};
  return minimum(self, raised);
}

static ByKind ofNumbers(Operation *op) {
  return llvm::TypeSwitch<Operation *, ByKind>(op)
      .Case<AddOp, TensorScatterAddOp, ScatterNdAddOp>([](auto) {
        return ByKind{nullptr, call<addInt>, call<addInt>, call<addReal>,
                      call<addComplex>};
      })
      .Case([](SubOp) {
        return ByKind{nullptr, call<subtractInt>, call<subtractInt>,
                      call<subtractReal>, call<subtractComplex>};
      })
      .Case([](MulOp) {
        return ByKind{nullptr, call<multiplyInt>, call<multiplyInt>,
                      call<multiplyReal>, call<multiplyComplex>};
      })
      .Case([](DivOp) {
        return ByKind{nullptr, call<divideInt>, call<divideUInt>,
                      call<divideReal>, call<divideComplex>};
      })
      // Only for integers, although its registration lists more types.
      .Case([](TruncateDivOp) {
        return ByKind{nullptr, call<divideInt>, call<divideUInt>, nullptr,
                      nullptr};
      })
      .Case([](TruncateModOp) {
        return ByKind{nullptr, call<remainderInt>, nullptr, call<remainderReal>,
                      nullptr};
      })
      .Case([](LeftShiftOp) {
        return ByKind{nullptr, shiftLeft, shiftLeft, nullptr, nullptr};
      })
      .Case([](RightShiftOp) {
        return ByKind{nullptr, call<shiftRight>, call<shiftRightUInt>, nullptr,
                      nullptr};
      })
      .Case([](RoundOp) {
        return ByKind{nullptr, call<sameInt>, nullptr, call<roundToEven>,
                      nullptr};
      })
      // Only for real numbers, although its registration lists more types.
      .Case([](RealDivOp) {
        return ByKind{nullptr, nullptr, nullptr, call<divideReal>,
                      call<divideComplex>};
      })
      .Case([](PowOp) {
        return ByKind{nullptr, call<powerInt>, call<powerUInt>, call<powerReal>,
                      nullptr};
      })
      .Case<MinimumOp, TensorScatterMinOp>([](auto) {
        return ByKind{nullptr, call<minInt>, call<minUInt>, call<minReal>,
                      nullptr};
      })
      .Case<MaximumOp, TensorScatterMaxOp>([](auto) {
        return ByKind{nullptr, call<maxInt>, call<maxUInt>, call<maxReal>,
                      nullptr};
      })
      .Case([](ClipByValueOp) {
        return ByKind{nullptr, clip<call<maxInt>, call<minInt>>,
                      clip<call<maxUInt>, call<minUInt>>,
                      clip<call<maxReal>, call<minReal>>, nullptr};
      })
      .Case([](AbsOp) {
        return ByKind{nullptr, call<absInt>, nullptr, call<absReal>, nullptr};
      })
      .Case([](NegOp) {
        return ByKind{nullptr, call<negateInt>, nullptr, call<negateReal>,
                      call<negateComplex>};
      })
      .Case([](SignOp) {
        return ByKind{nullptr, call<signInt>, nullptr, call<signReal>, nullptr};
      })
      .Case([](ReciprocalOp) {
        return ByKind{nullptr, call<reciprocalInt>, nullptr,
                      call<reciprocalReal>, call<reciprocalComplex>};
      })
      .Default(ByKind());
}

static ByKind table(Operation *op) {
  return llvm::TypeSwitch<Operation *, ByKind>(op)
      .Case([](ExpOp) { return ofReals(call<expReal>); })
      .Case([](Expm1Op) { return ofReals(call<expm1Real>); })
      .Case([](LogOp) { return ofReals(call<logReal>); })
      .Case([](Log1pOp) { return ofReals(call<log1pReal>); })
      .Case([](SqrtOp) { return ofReals(call<sqrtReal>); })
      .Case([](RsqrtOp) { return ofReals(call<reciprocalSqrt>); })
      .Case([](TanhOp) { return ofReals(call<tanhReal>); })
      .Case([](SigmoidOp) { return ofReals(call<logistic>); })
      .Case([](SinOp) { return ofReals(call<sinReal>); })
      .Case([](CosOp) { return ofReals(call<cosReal>); })
      .Case([](TanOp) { return ofReals(call<tanReal>); })
      .Case([](Atan2Op) { return ofReals(call<atan2Real>); })
      .Case([](IsFiniteOp) { return ofReals(isFinite); })
      .Case([](ComplexOp) { return ofReals(call<complexOf>); })
      .Case([](RealOp) { return ofComplexNumbers(call<realPart>); })
      .Case([](ImagOp) { return ofComplexNumbers(call<imaginaryPart>); })
      .Case([](ComplexAbsOp) { return ofComplexNumbers(call<absComplex>); })
      .Case([](PopulationCountOp) { return ofIntegers(populationCount); })
      .Case([](ErfOp) { return ofReals(call<erfReal>); })
      .Case([](BesselI1eOp) { return ofReals(call<scaledBesselReal>); })
      .Case([](SinhOp) { return ofReals(call<sinhReal>); })
      .Case([](AsinhOp) { return ofReals(call<asinhReal>); })
      .Case([](NextAfterOp) { return ofReals(nextAfter); })
      .Case([](FloorOp) { return ofReals(call<floorReal>); })
      .Case([](CeilOp) { return ofReals(call<ceilReal>); })
      .Case([](RintOp) { return ofReals(call<roundToEven>); })
      .Case([](InvertOp) { return ofIntegers(call<notInt>); })
      .Case([](BitwiseAndOp) { return ofIntegers(call<andInt>); })
      .Case([](BitwiseOrOp) { return ofIntegers(call<orInt>); })
      .Case([](BitwiseXorOp) { return ofIntegers(call<xorInt>); })
      .Case([](LogicalNotOp) { return ofBooleans(call<notBool>); })
      .Case([](LogicalAndOp) { return ofBooleans(call<andInt>); })
      .Case([](LogicalOrOp) { return ofBooleans(call<orInt>); })
      .Case([](CastOp) { return ofAll(cast); })
      .Case<EqualOp, NotEqualOp, GreaterOp, GreaterEqualOp, LessOp,
            LessEqualOp>([](auto op) { return ofAll(compareBy<decltype(op)>); })
      .Default(ofNumbers);
}

std::optional<Arithmetic>
ascendArithmetic(Operation *op, const Element &operand, const Element &result) {
  Call function = table(op)[operand.kind];
  if (operand.isComplex() && !function)
    function = operand.bits == 32 ? ofComplexes<double>(op)
                                  : ofComplexes<long double>(op);
  if (!function)
    return std::nullopt;
  Arithmetic arithmetic;
  arithmetic.function = {function, operand, result, {}};
  arithmetic.whyNot = whyNotOf(op);
  return arithmetic;
}

} // namespace mercator::reference
