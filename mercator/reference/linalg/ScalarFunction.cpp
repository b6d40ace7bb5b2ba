// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/linalg/ScalarFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <bit>
#include <cmath>

using namespace mlir;

namespace mercator::reference {

using Call = ElementFunction::Call;

//===----------------------------------------------------------------------===//
// Interpretation of integer bits
//===----------------------------------------------------------------------===//

static int64_t asSigned(const Element &element, const Scalar &value) {
  return element.kind == ElementKind::boolean ? -value.integer : value.integer;
}

static uint64_t asUnsigned(const Element &element, const Scalar &value) {
  return uint64_t(value.integer) & (~uint64_t(0) >> (64 - element.bits));
}

/// Makes a Call of a function of two signed, or two unsigned, integers.
template <int64_t (*F)(int64_t, int64_t)>
static Scalar ofSigned(const ElementFunction &self, const Scalar *x) {
  return self.result.round(Scalar::whole(
      F(asSigned(self.operand, x[0]), asSigned(self.operand, x[1]))));
}
template <uint64_t (*F)(uint64_t, uint64_t)>
static Scalar ofUnsigned(const ElementFunction &self, const Scalar *x) {
  return self.result.round(Scalar::whole(int64_t(
      F(asUnsigned(self.operand, x[0]), asUnsigned(self.operand, x[1])))));
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static uint64_t add(uint64_t a, uint64_t b) { return a + b; }
static uint64_t subtract(uint64_t a, uint64_t b) { return a - b; }
static uint64_t multiply(uint64_t a, uint64_t b) { return a * b; }
static uint64_t bitAnd(uint64_t a, uint64_t b) { return a & b; }
static uint64_t bitOr(uint64_t a, uint64_t b) { return a | b; }
static uint64_t bitXor(uint64_t a, uint64_t b) { return a ^ b; }
static int64_t largerSigned(int64_t a, int64_t b) { return std::max(a, b); }
static int64_t smallerSigned(int64_t a, int64_t b) { return std::min(a, b); }
static uint64_t largerUnsigned(uint64_t a, uint64_t b) {
  return std::max(a, b);
}
static uint64_t smallerUnsigned(uint64_t a, uint64_t b) {
  return std::min(a, b);
}

static int64_t divide(int64_t a, int64_t b) {
  if (b == 0)
    return -1;
  return b == -1 ? int64_t(0 - uint64_t(a)) : a / b;
}
static int64_t remainder(int64_t a, int64_t b) {
  if (b == 0)
    return a;
  return b == -1 ? 0 : a % b;
}
static uint64_t divideUnsigned(uint64_t a, uint64_t b) {
  return b == 0 ? ~uint64_t(0) : a / b;
}
static uint64_t remainderUnsigned(uint64_t a, uint64_t b) {
  return b == 0 ? a : a % b;
}
static int64_t ceilDivide(int64_t a, int64_t b) {
  bool up = remainder(a, b) != 0 && (a < 0) == (b < 0);
  return divide(a, b) + (b != 0 && up);
}
static int64_t floorDivide(int64_t a, int64_t b) {
  bool down = remainder(a, b) != 0 && (a < 0) != (b < 0);
  return divide(a, b) - (b != 0 && down);
}
static uint64_t ceilDivideUnsigned(uint64_t a, uint64_t b) {
  return divideUnsigned(a, b) + (b != 0 && a % b != 0);
}

static uint64_t shiftLeft(uint64_t a, uint64_t b) {
  return b < 64 ? a << b : 0;
}
static uint64_t shiftRight(uint64_t a, uint64_t b) {
  return b < 64 ? a >> b : 0;
}
static int64_t shiftRightSigned(int64_t a, int64_t b) {
  return a >> (b >= 0 && b < 64 ? b : 63);
}

static int64_t power(int64_t base, int64_t exponent) {
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
  uint64_t result = 1, square = uint64_t(base);
  for (uint64_t left = uint64_t(exponent); left; left >>= 1) {
    if (left & 1)
      result *= square;
    square *= square;
  }
  return int64_t(result);
}

static Scalar compareIntegers(const ElementFunction &self, const Scalar *x) {
  int64_t a = asSigned(self.operand, x[0]), b = asSigned(self.operand, x[1]);
  uint64_t ua = asUnsigned(self.operand, x[0]),
           ub = asUnsigned(self.operand, x[1]);
  auto holds = [&]() -> bool {
    switch (arith::CmpIPredicate(self.detail[0])) {
    case arith::CmpIPredicate::eq:
      return ua == ub;
    case arith::CmpIPredicate::ne:
      return ua != ub;
    case arith::CmpIPredicate::slt:
      return a < b;
    case arith::CmpIPredicate::sle:
      return a <= b;
    case arith::CmpIPredicate::sgt:
      return a > b;
    case arith::CmpIPredicate::sge:
      return a >= b;
    case arith::CmpIPredicate::ult:
      return ua < ub;
    case arith::CmpIPredicate::ule:
      return ua <= ub;
    case arith::CmpIPredicate::ugt:
      return ua > ub;
    case arith::CmpIPredicate::uge:
      return ua >= ub;
    }
    llvm_unreachable("all predicates are handled");
  };
  return Scalar::whole(holds());
}

/// Makes a Call of a function of the bits of an integer and its width.
template <int64_t (*F)(uint64_t, unsigned)>
static Scalar ofBits(const ElementFunction &self, const Scalar *x) {
  return self.result.round(
      Scalar::whole(F(asUnsigned(self.operand, x[0]), self.operand.bits)));
}
static int64_t leadingZeros(uint64_t a, unsigned bits) {
  return std::countl_zero(a) - int64_t(64 - bits);
}
static int64_t trailingZeros(uint64_t a, unsigned bits) {
  return std::min<int64_t>(std::countr_zero(a), bits);
}
static int64_t setBits(uint64_t a, unsigned) { return std::popcount(a); }

static Scalar absolute(const ElementFunction &self, const Scalar *x) {
  int64_t a = asSigned(self.operand, x[0]);
  return self.result.round(Scalar::whole(a < 0 ? int64_t(0 - uint64_t(a)) : a));
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// Makes a Call of a function of doubles: if it is exact or correctly rounded,
/// so is the result (see Element.h).
template <double (*F)(double)>
static Scalar ofReal(const ElementFunction &self, const Scalar *x) {
  return self.result.round(Scalar::real(F(x[0].re)));
}
template <double (*F)(double, double)>
static Scalar ofReals(const ElementFunction &self, const Scalar *x) {
  return self.result.round(Scalar::real(F(x[0].re, x[1].re)));
}

static double addReal(double a, double b) { return a + b; }
static double subtractReal(double a, double b) { return a - b; }
static double multiplyReal(double a, double b) { return a * b; }
static double divideReal(double a, double b) { return a / b; }
static double negate(double a) { return -a; }
static double inverseRoot(double a) { return 1 / std::sqrt(a); }

// maximumf and minimumf: the result is NaN if an operand is, +0 is above -0.
// maxnumf and minnumf: a NaN is ignored.
static double larger(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? a : b;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a < b ? b : a;
}
static double smaller(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? a : b;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
static double largerNumber(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : larger(a, b);
}
static double smallerNumber(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : smaller(a, b);
}

static Scalar fusedMultiplyAdd(const ElementFunction &self, const Scalar *x) {
  return self.result.round(Scalar::real(std::fma(x[0].re, x[1].re, x[2].re)));
}
static Scalar clamp(const ElementFunction &self, const Scalar *x) {
  return self.result.round(
      Scalar::real(smaller(larger(x[0].re, x[1].re), x[2].re)));
}

/// Makes a Call of a function of the C library: f32 has its own.
template <float (*Narrow)(float), double (*Wide)(double)>
static Scalar ofLibrary(const ElementFunction &self, const Scalar *x) {
  double y =
      self.operand.bits == 32 ? double(Narrow(float(x[0].re))) : Wide(x[0].re);
  return self.result.round(Scalar::real(y));
}
template <float (*Narrow)(float, float), double (*Wide)(double, double)>
static Scalar ofLibrary2(const ElementFunction &self, const Scalar *x) {
  double y = self.operand.bits == 32
                 ? double(Narrow(float(x[0].re), float(x[1].re)))
                 : Wide(x[0].re, x[1].re);
  return self.result.round(Scalar::real(y));
}

static Scalar powerOfInteger(const ElementFunction &self, const Scalar *x) {
  return self.result.round(
      Scalar::real(std::pow(x[0].re, double(x[1].integer))));
}

static Scalar compareReals(const ElementFunction &self, const Scalar *x) {
  double a = x[0].re, b = x[1].re;
  bool unordered = std::isnan(a) || std::isnan(b);
  auto holds = [&]() -> bool {
    switch (arith::CmpFPredicate(self.detail[0])) {
    case arith::CmpFPredicate::AlwaysFalse:
      return false;
    case arith::CmpFPredicate::OEQ:
      return a == b;
    case arith::CmpFPredicate::OGT:
      return a > b;
    case arith::CmpFPredicate::OGE:
      return a >= b;
    case arith::CmpFPredicate::OLT:
      return a < b;
    case arith::CmpFPredicate::OLE:
      return a <= b;
    case arith::CmpFPredicate::ONE:
      return !unordered && a != b;
    case arith::CmpFPredicate::ORD:
      return !unordered;
    case arith::CmpFPredicate::UEQ:
      return unordered || a == b;
    case arith::CmpFPredicate::UGT:
      return unordered || a > b;
    case arith::CmpFPredicate::UGE:
      return unordered || a >= b;
    case arith::CmpFPredicate::ULT:
      return unordered || a < b;
    case arith::CmpFPredicate::ULE:
      return unordered || a <= b;
    case arith::CmpFPredicate::UNE:
      return unordered || a != b;
    case arith::CmpFPredicate::UNO:
      return unordered;
    case arith::CmpFPredicate::AlwaysTrue:
      return true;
    }
    llvm_unreachable("all predicates are handled");
  };
  return Scalar::whole(holds());
}

template <bool (*F)(double)>
static Scalar isReal(const ElementFunction &, const Scalar *x) {
  return Scalar::whole(F(x[0].re));
}
static bool isFinite(double a) { return std::isfinite(a); }
static bool isInfinite(double a) { return std::isinf(a); }
static bool isNan(double a) { return std::isnan(a); }

//===----------------------------------------------------------------------===//
// Conversions and selects
//===----------------------------------------------------------------------===//

static Scalar select(const ElementFunction &, const Scalar *x) {
  return x[0].integer ? x[1] : x[2];
}

static Scalar extendSigned(const ElementFunction &self, const Scalar *x) {
  return self.result.round(Scalar::whole(asSigned(self.operand, x[0])));
}
static Scalar extendUnsigned(const ElementFunction &self, const Scalar *x) {
  return self.result.round(
      Scalar::whole(int64_t(asUnsigned(self.operand, x[0]))));
}
static Scalar narrow(const ElementFunction &self, const Scalar *x) {
  return self.result.round(x[0]);
}

/// The conversion to f32 rounds once, not twice.
template <typename Integer>
static Scalar toReal(const Element &result, Integer value) {
  return result.round(
      Scalar::real(result.bits == 32 ? double(float(value)) : double(value)));
}
static Scalar signedToReal(const ElementFunction &self, const Scalar *x) {
  return toReal(self.result, asSigned(self.operand, x[0]));
}
static Scalar unsignedToReal(const ElementFunction &self, const Scalar *x) {
  return toReal(self.result, asUnsigned(self.operand, x[0]));
}
// Values out of range are clamped; NaN becomes 0.
static Scalar realToSigned(const ElementFunction &self, const Scalar *x) {
  double low = -std::ldexp(1, int(self.result.bits) - 1), a = x[0].re;
  if (std::isnan(a))
    return Scalar::whole(0);
  if (a <= low)
    return self.result.round(Scalar::whole(self.result.lowest()));
  if (a >= -low)
    return self.result.round(Scalar::whole(self.result.highest()));
  return self.result.round(Scalar::whole(int64_t(a)));
}
static Scalar realToUnsigned(const ElementFunction &self, const Scalar *x) {
  double high = std::ldexp(1, int(self.result.bits)), a = x[0].re;
  if (!(a > 0))
    return Scalar::whole(0);
  return self.result.round(
      Scalar::whole(a >= high ? -1 : int64_t(uint64_t(a))));
}

static Scalar bitcast(const ElementFunction &self, const Scalar *x) {
  std::byte bytes[16] = {};
  self.operand.store(bytes, x[0]);
  return self.result.load(bytes);
}

//===----------------------------------------------------------------------===//
// The operations
//===----------------------------------------------------------------------===//

static Call arithCall(Operation *op) {
  return TypeSwitch<Operation *, Call>(op)
      .Case<arith::AddIOp>([](Operation *) { return ofUnsigned<add>; })
      .Case<arith::SubIOp>([](Operation *) { return ofUnsigned<subtract>; })
      .Case<arith::MulIOp>([](Operation *) { return ofUnsigned<multiply>; })
      .Case<arith::DivSIOp>([](Operation *) { return ofSigned<divide>; })
      .Case<arith::DivUIOp>(
          [](Operation *) { return ofUnsigned<divideUnsigned>; })
      .Case<arith::RemSIOp>([](Operation *) { return ofSigned<remainder>; })
      .Case<arith::RemUIOp>(
          [](Operation *) { return ofUnsigned<remainderUnsigned>; })
      .Case<arith::CeilDivSIOp>(
          [](Operation *) { return ofSigned<ceilDivide>; })
      .Case<arith::CeilDivUIOp>(
          [](Operation *) { return ofUnsigned<ceilDivideUnsigned>; })
      .Case<arith::FloorDivSIOp>(
          [](Operation *) { return ofSigned<floorDivide>; })
      .Case<arith::AndIOp>([](Operation *) { return ofUnsigned<bitAnd>; })
      .Case<arith::OrIOp>([](Operation *) { return ofUnsigned<bitOr>; })
      .Case<arith::XOrIOp>([](Operation *) { return ofUnsigned<bitXor>; })
      .Case<arith::ShLIOp>([](Operation *) { return ofUnsigned<shiftLeft>; })
      .Case<arith::ShRUIOp>([](Operation *) { return ofUnsigned<shiftRight>; })
      .Case<arith::ShRSIOp>(
          [](Operation *) { return ofSigned<shiftRightSigned>; })
      .Case<arith::MaxSIOp>([](Operation *) { return ofSigned<largerSigned>; })
      .Case<arith::MinSIOp>([](Operation *) { return ofSigned<smallerSigned>; })
      .Case<arith::MaxUIOp>(
          [](Operation *) { return ofUnsigned<largerUnsigned>; })
      .Case<arith::MinUIOp>(
          [](Operation *) { return ofUnsigned<smallerUnsigned>; })
      .Case<arith::CmpIOp>([](Operation *) { return compareIntegers; })
      .Case<arith::AddFOp>([](Operation *) { return ofReals<addReal>; })
      .Case<arith::SubFOp>([](Operation *) { return ofReals<subtractReal>; })
      .Case<arith::MulFOp>([](Operation *) { return ofReals<multiplyReal>; })
      .Case<arith::DivFOp>([](Operation *) { return ofReals<divideReal>; })
      .Case<arith::RemFOp>([](Operation *) { return ofReals<std::fmod>; })
      .Case<arith::NegFOp>([](Operation *) { return ofReal<negate>; })
      .Case<arith::MaximumFOp>([](Operation *) { return ofReals<larger>; })
      .Case<arith::MinimumFOp>([](Operation *) { return ofReals<smaller>; })
      .Case<arith::MaxNumFOp>([](Operation *) { return ofReals<largerNumber>; })
      .Case<arith::MinNumFOp>(
          [](Operation *) { return ofReals<smallerNumber>; })
      .Case<arith::CmpFOp>([](Operation *) { return compareReals; })
      .Case<arith::SelectOp>([](Operation *) { return select; })
      .Case<arith::ExtSIOp, arith::IndexCastOp>(
          [](Operation *) { return extendSigned; })
      .Case<arith::ExtUIOp, arith::IndexCastUIOp>(
          [](Operation *) { return extendUnsigned; })
      .Case<arith::TruncIOp, arith::ExtFOp, arith::TruncFOp>(
          [](Operation *) { return narrow; })
      .Case<arith::SIToFPOp>([](Operation *) { return signedToReal; })
      .Case<arith::UIToFPOp>([](Operation *) { return unsignedToReal; })
      .Case<arith::FPToSIOp>([](Operation *) { return realToSigned; })
      .Case<arith::FPToUIOp>([](Operation *) { return realToUnsigned; })
      .Case<arith::BitcastOp>([](Operation *) { return bitcast; })
      .Default([](Operation *) { return nullptr; });
}

static Call mathCall(Operation *op) {
#define LIBRARY(OP, NAME)                                                      \
  .Case<math::OP>([](Operation *) -> Call {                                    \
    return ofLibrary<NAME##f, static_cast<double (*)(double)>(NAME)>;          \
  })
  return TypeSwitch<Operation *, Call>(op)
      // clang-format off
      LIBRARY(AcosOp, acos)
      LIBRARY(AcoshOp, acosh)
      LIBRARY(AsinOp, asin)
      LIBRARY(AsinhOp, asinh)
      LIBRARY(AtanOp, atan)
      LIBRARY(AtanhOp, atanh)
      LIBRARY(CbrtOp, cbrt)
      LIBRARY(CosOp, cos)
      LIBRARY(CoshOp, cosh)
      LIBRARY(ErfOp, erf)
      LIBRARY(ErfcOp, erfc)
      LIBRARY(ExpOp, exp)
      LIBRARY(Exp2Op, exp2)
      LIBRARY(ExpM1Op, expm1)
      LIBRARY(LogOp, log)
      LIBRARY(Log10Op, log10)
      LIBRARY(Log1pOp, log1p)
      LIBRARY(Log2Op, log2)
      LIBRARY(SinOp, sin)
      LIBRARY(SinhOp, sinh)
      LIBRARY(TanOp, tan)
      LIBRARY(TanhOp, tanh)
                      // clang-format on
                      .Case<math::Atan2Op>([](Operation *) -> Call {
                        return ofLibrary2<atan2f, atan2>;
                      })
                      .Case<math::PowFOp>([](Operation *) -> Call {
                        return ofLibrary2<powf, pow>;
                      })
                      .Case<math::AbsFOp>(
                          [](Operation *) { return ofReal<fabs>; })
                      .Case<math::CeilOp>(
                          [](Operation *) { return ofReal<ceil>; })
                      .Case<math::FloorOp>(
                          [](Operation *) { return ofReal<floor>; })
                      .Case<math::RoundOp>(
                          [](Operation *) { return ofReal<round>; })
                      .Case<math::RoundEvenOp>(
                          [](Operation *) { return ofReal<rint>; })
                      .Case<math::TruncOp>(
                          [](Operation *) { return ofReal<trunc>; })
                      .Case<math::SqrtOp>(
                          [](Operation *) { return ofReal<sqrt>; })
                      .Case<math::RsqrtOp>(
                          [](Operation *) { return ofReal<inverseRoot>; })
                      .Case<math::CopySignOp>(
                          [](Operation *) { return ofReals<copysign>; })
                      .Case<math::FmaOp>(
                          [](Operation *) { return fusedMultiplyAdd; })
                      .Case<math::ClampFOp>([](Operation *) { return clamp; })
                      .Case<math::FPowIOp>(
                          [](Operation *) { return powerOfInteger; })
                      .Case<math::IPowIOp>(
                          [](Operation *) { return ofSigned<power>; })
                      .Case<math::AbsIOp>([](Operation *) { return absolute; })
                      .Case<math::CountLeadingZerosOp>(
                          [](Operation *) { return ofBits<leadingZeros>; })
                      .Case<math::CountTrailingZerosOp>(
                          [](Operation *) { return ofBits<trailingZeros>; })
                      .Case<math::CtPopOp>(
                          [](Operation *) { return ofBits<setBits>; })
                      .Case<math::IsFiniteOp>(
                          [](Operation *) { return isReal<isFinite>; })
                      .Case<math::IsInfOp>(
                          [](Operation *) { return isReal<isInfinite>; })
                      .Case<math::IsNaNOp>(
                          [](Operation *) { return isReal<isNan>; })
                      .Default([](Operation *) { return nullptr; });
#undef LIBRARY
}

std::optional<ElementFunction> scalarFunction(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return std::nullopt;
  ElementFunction function;
  function.call = isa_and_nonnull<math::MathDialect>(op->getDialect())
                      ? mathCall(op)
                      : arithCall(op);
  if (!function.call)
    return std::nullopt;
  auto elementOf = [](mlir::Value value) -> std::optional<Element> {
    Type type = value.getType();
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      type = tensor.getElementType();
    return Element::of(type);
  };
  std::optional<Element> operand =
      elementOf(op->getOperand(isa<arith::SelectOp>(op) ? 1 : 0));
  std::optional<Element> result = elementOf(op->getResult(0));
  if (!operand || !result || operand->isComplex())
    return std::nullopt;
  function.operand = *operand;
  function.result = *result;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    function.detail[0] = int64_t(compare.getPredicate());
  else if (auto compare = dyn_cast<arith::CmpFOp>(op))
    function.detail[0] = int64_t(compare.getPredicate());
  return function;
}

} // namespace mercator::reference
