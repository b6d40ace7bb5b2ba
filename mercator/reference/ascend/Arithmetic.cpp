// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// GE describes its operators by mathematical functions and says little about
// special values. Functions of floats follow IEEE 754, and integers of 32 and
// 64 bits wrap around. Where devices differ from the frameworks that GE claims
// compatibility with, an operand that shows the difference is an error.

#include "mercator/reference/ascend/Arithmetic.h"
#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/core/ComplexFunctions.h"
#include "mercator/reference/core/ElementFamilies.h"

#include "llvm/ADT/TypeSwitch.h"

#include <bit>
#include <cmath>

using namespace mlir;
using namespace mercator::ascend;

namespace mercator::reference {

using families::ByKind;
using families::call;
using families::Call;

//===--- Integers ---------------------------------------------------------===//

static int64_t addInt(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) + uint64_t(b));
}
static int64_t subInt(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) - uint64_t(b));
}
static int64_t mulInt(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) * uint64_t(b));
}
static int64_t negInt(int64_t a) { return subInt(0, a); }
static int64_t absInt(int64_t a) { return a < 0 ? negInt(a) : a; }
static int64_t signInt(int64_t a) { return (a > 0) - (a < 0); }
static int64_t notBool(int64_t a) { return !a; }
static int64_t sameInt(int64_t a) { return a; }
static int64_t invertInt(int64_t a) { return ~a; }
static int64_t andInt(int64_t a, int64_t b) { return a & b; }
static int64_t orInt(int64_t a, int64_t b) { return a | b; }
static int64_t xorInt(int64_t a, int64_t b) { return a ^ b; }
static int64_t minInt(int64_t a, int64_t b) { return b < a ? b : a; }
static int64_t maxInt(int64_t a, int64_t b) { return a < b ? b : a; }
static int64_t minUInt(int64_t a, int64_t b) {
  return uint64_t(b) < uint64_t(a) ? b : a;
}
static int64_t maxUInt(int64_t a, int64_t b) {
  return uint64_t(a) < uint64_t(b) ? b : a;
}

// The quotient, rounded toward zero. The operands were checked: see below.
static int64_t divInt(int64_t a, int64_t b) { return a / b; }
static int64_t divUInt(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) / uint64_t(b));
}
static int64_t modInt(int64_t a, int64_t b) { return b == -1 ? 0 : a % b; }
static int64_t reciprocalInt(int64_t a) { return 1 / a; }
static int64_t powInt(int64_t base, int64_t exponent) {
  int64_t result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2)
      result = mulInt(result, base);
    base = mulInt(base, base);
  }
  return result;
}

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
  uint64_t bits =
      uint64_t(x->integer) & (~uint64_t(0) >> (64 - self.operand.bits));
  return Scalar::whole(std::popcount(bits));
}

//===--- Floats -----------------------------------------------------------===//

static double addReal(double a, double b) { return a + b; }
static double subReal(double a, double b) { return a - b; }
static double mulReal(double a, double b) { return a * b; }
static double divReal(double a, double b) { return a / b; }
static double modReal(double a, double b) { return std::fmod(a, b); }
static double atan2Real(double a, double b) { return std::atan2(a, b); }
static double powReal(double a, double b) { return std::pow(a, b); }
static double negReal(double a) { return -a; }
static double absReal(double a) { return std::fabs(a); }
static double signReal(double a) { return a == 0 ? a : std::copysign(1, a); }
static double reciprocalReal(double a) { return 1 / a; }
static double expReal(double a) { return std::exp(a); }
static double expm1Real(double a) { return std::expm1(a); }
static double logReal(double a) { return std::log(a); }
static double log1pReal(double a) { return std::log1p(a); }
static double sqrtReal(double a) { return std::sqrt(a); }
static double rsqrtReal(double a) { return 1 / std::sqrt(a); }
static double tanhReal(double a) { return std::tanh(a); }
static double sinReal(double a) { return std::sin(a); }
static double cosReal(double a) { return std::cos(a); }
static double tanReal(double a) { return std::tan(a); }
static double erfReal(double a) { return std::erf(a); }
static double floorReal(double a) { return std::floor(a); }
static double ceilReal(double a) { return std::ceil(a); }
static double rintReal(double a) { return std::nearbyint(a); } // ties to even
static Scalar isFinite(const ElementFunction &, const Scalar *x) {
  return Scalar::whole(std::isfinite(x->re));
}
// 1 / (1 + exp(-a)), with an exponential that does not overflow.
static double sigmoidReal(double a) {
  double small = std::exp(-std::fabs(a));
  return (a < 0 ? small : 1) / (1 + small);
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

static std::complex<double> of(Scalar a) { return {a.re, a.im}; }
static Scalar to(std::complex<double> a) {
  return Scalar::complex(a.real(), a.imag());
}
static Scalar addComplex(Scalar a, Scalar b) { return to(of(a) + of(b)); }
static Scalar subComplex(Scalar a, Scalar b) { return to(of(a) - of(b)); }
static Scalar mulComplex(Scalar a, Scalar b) {
  return Scalar::complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
static Scalar divComplex(Scalar a, Scalar b) { return to(of(a) / of(b)); }
static Scalar negComplex(Scalar a) { return to(-of(a)); }
static Scalar realPart(Scalar a) { return Scalar::real(a.re); }
static Scalar imaginaryPart(Scalar a) { return Scalar::real(a.im); }
static Scalar absComplex(Scalar a) {
  return Scalar::real(std::hypot(a.re, a.im));
}
static Scalar complexOf(Scalar re, Scalar im) {
  return Scalar::complex(re.re, im.re);
}
static Scalar reciprocalComplex(Scalar a) { return to(1.0 / of(a)); }

/// Functions of complex numbers, computed in a wider float.
template <typename Wide> static Call ofComplexes(Operation *op) {
  using families::apply, families::apply2;
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
  case ElementKind::signedInt:
    return a.integer <=> b.integer;
  case ElementKind::boolean:
  case ElementKind::unsignedInt:
    return uint64_t(a.integer) <=> uint64_t(b.integer);
  case ElementKind::real:
    return a.re <=> b.re;
  case ElementKind::complex: // not ordered
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
                        from.kind == ElementKind::signedInt,
                        llvm::APFloat::rmNearestTiesToEven);
  bool isInexact = false;
  real.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
               &isInexact);
  return Scalar::real(real.convertToDouble());
}

static Scalar cast(const ElementFunction &self, const Scalar *x) {
  const Element &from = self.operand, &into = self.result;
  bool isFloat = from.isReal() || from.isComplex();
  if (into.kind == ElementKind::boolean)
    return Scalar::whole(isFloat
                             ? x->re != 0 || (from.isComplex() && x->im != 0)
                             : x->integer != 0);
  if (!isFloat)
    return fromInteger(from, into, x->integer);
  if (into.kind == ElementKind::unsignedInt)
    return Scalar::whole(int64_t(uint64_t(std::trunc(x->re))));
  if (into.isInteger())
    return Scalar::whole(int64_t(std::trunc(x->re)));
  bool hasTwo = from.isComplex() && into.isComplex();
  return into.round(Scalar::complex(x->re, hasTwo ? x->im : 0));
}

/// Whether two integers of these types are equal.
static bool isSameNumber(const Element &a, int64_t x, const Element &b,
                         int64_t y) {
  bool isNegative = (a.kind == ElementKind::signedInt && x < 0) !=
                    (b.kind == ElementKind::signedInt && y < 0);
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
  bool isSigned = into.kind == ElementKind::signedInt;
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
  if (self.operand.kind != ElementKind::signedInt || self.operand.bits != 32)
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
  if (self.operand.kind == ElementKind::unsignedInt)
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
  if (!why.empty() || self.operand.kind != ElementKind::signedInt)
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
      self.operand.kind == ElementKind::signedInt && x[1].integer < 0;
  return isNegative ? "an integer to a negative power" : "";
}

static Arithmetic::WhyNot whyNotOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Arithmetic::WhyNot>(op)
      .Case([](CastOp) { return whyNotCast; })
      .Case([](AddOp) { return whyNotNarrow<addInt>; })
      .Case([](SubOp) { return whyNotNarrow<subInt>; })
      .Case([](MulOp) { return whyNotNarrow<mulInt>; })
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
      .Case([](AddOp) {
        return ByKind{nullptr, call<addInt>, call<addInt>, call<addReal>,
                      call<addComplex>};
      })
      .Case([](SubOp) {
        return ByKind{nullptr, call<subInt>, call<subInt>, call<subReal>,
                      call<subComplex>};
      })
      .Case([](MulOp) {
        return ByKind{nullptr, call<mulInt>, call<mulInt>, call<mulReal>,
                      call<mulComplex>};
      })
      .Case([](DivOp) {
        return ByKind{nullptr, call<divInt>, call<divUInt>, call<divReal>,
                      call<divComplex>};
      })
      // Only for integers, although its registration lists more types.
      .Case([](TruncateDivOp) {
        return ByKind{nullptr, call<divInt>, call<divUInt>, nullptr, nullptr};
      })
      .Case([](TruncateModOp) {
        return ByKind{nullptr, call<modInt>, nullptr, call<modReal>, nullptr};
      })
      .Case([](LeftShiftOp) {
        return ByKind{nullptr, shiftLeft, shiftLeft, nullptr, nullptr};
      })
      .Case([](RightShiftOp) {
        return ByKind{nullptr, call<shiftRight>, call<shiftRightUInt>, nullptr,
                      nullptr};
      })
      .Case([](RoundOp) {
        return ByKind{nullptr, call<sameInt>, nullptr, call<rintReal>, nullptr};
      })
      // Only for real numbers, although its registration lists more types.
      .Case([](RealDivOp) {
        return ByKind{nullptr, nullptr, nullptr, call<divReal>,
                      call<divComplex>};
      })
      .Case([](PowOp) {
        return ByKind{nullptr, call<powInt>, call<powInt>, call<powReal>,
                      nullptr};
      })
      .Case([](MinimumOp) {
        return ByKind{nullptr, call<minInt>, call<minUInt>, call<minReal>,
                      nullptr};
      })
      .Case([](MaximumOp) {
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
        return ByKind{nullptr, call<negInt>, nullptr, call<negReal>,
                      call<negComplex>};
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
      .Case([](RsqrtOp) { return ofReals(call<rsqrtReal>); })
      .Case([](TanhOp) { return ofReals(call<tanhReal>); })
      .Case([](SigmoidOp) { return ofReals(call<sigmoidReal>); })
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
      .Case([](FloorOp) { return ofReals(call<floorReal>); })
      .Case([](CeilOp) { return ofReals(call<ceilReal>); })
      .Case([](RintOp) { return ofReals(call<rintReal>); })
      .Case([](InvertOp) { return ofIntegers(call<invertInt>); })
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
