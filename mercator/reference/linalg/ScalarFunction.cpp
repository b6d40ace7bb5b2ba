// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/linalg/ScalarFunction.h"
#include "mercator/reference/core/ElementCalls.h"
#include "mercator/reference/core/Scalars.h"
#include "mercator/reference/linalg/ComplexCall.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <bit>
#include <cmath>

using namespace mlir;

namespace mercator::reference {

//===----------------------------------------------------------------------===//
// Interpretation of integer bits
//===----------------------------------------------------------------------===//

static int64_t asSigned(const Element &element, const Scalar &value) {
  return element.kind == ElementKind::Boolean ? -value.integer : value.integer;
}

/// Makes a Call of a function of two integers, read as signed or unsigned.
template <int64_t (*F)(int64_t, int64_t)>
static Scalar ofSigned(const ElementFunction &self, const Scalar *x) {
  return self.result.round(Scalar::whole(
      F(asSigned(self.operand, x[0]), asSigned(self.operand, x[1]))));
}
template <int64_t (*F)(int64_t, int64_t)>
static Scalar ofUnsigned(const ElementFunction &self, const Scalar *x) {
  return self.result.round(
      Scalar::whole(F(int64_t(bitsOf(self.operand, x[0])),
                      int64_t(bitsOf(self.operand, x[1])))));
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// In place of a result that is not defined. Narrow types have its low bits.
static constexpr int64_t kUndefined = 0x5a5a5a5a5a5a5a5a;

/// A function of a divisor other than zero.
template <int64_t (*F)(int64_t, int64_t)>
static int64_t divided(int64_t a, int64_t b) {
  return b == 0 ? kUndefined : F(a, b);
}
static int64_t ceilDivide(int64_t a, int64_t b) {
  bool up = remainderInt(a, b) != 0 && (a < 0) == (b < 0);
  return divideInt(a, b) + up;
}
static int64_t floorDivide(int64_t a, int64_t b) {
  bool down = remainderInt(a, b) != 0 && (a < 0) != (b < 0);
  return divideInt(a, b) - down;
}
static int64_t ceilDivideUInt(int64_t a, int64_t b) {
  return divideUInt(a, b) + (remainderUInt(a, b) != 0);
}

/// Makes a Call of a shift by less than the width.
template <int64_t (*F)(int64_t, uint64_t), bool isSigned>
static Scalar shifted(const ElementFunction &self, const Scalar *x) {
  uint64_t amount = bitsOf(self.operand, x[1]);
  int64_t value = isSigned ? asSigned(self.operand, x[0])
                           : int64_t(bitsOf(self.operand, x[0]));
  return self.result.round(Scalar::whole(
      amount < self.operand.bits ? F(value, amount) : kUndefined));
}
static int64_t shiftLeft(int64_t a, uint64_t b) {
  return int64_t(uint64_t(a) << b);
}
static int64_t shiftRight(int64_t a, uint64_t b) {
  return int64_t(uint64_t(a) >> b);
}
static int64_t shiftRightSigned(int64_t a, uint64_t b) { return a >> b; }

static Scalar compareIntegers(const ElementFunction &self, const Scalar *x) {
  int64_t a = asSigned(self.operand, x[0]), b = asSigned(self.operand, x[1]);
  uint64_t ua = bitsOf(self.operand, x[0]), ub = bitsOf(self.operand, x[1]);
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
      Scalar::whole(F(bitsOf(self.operand, x[0]), self.operand.bits)));
}
static int64_t leadingZeros(uint64_t a, unsigned bits) {
  return std::countl_zero(a) - int64_t(64 - bits);
}
static int64_t trailingZeros(uint64_t a, unsigned bits) {
  return std::min<int64_t>(std::countr_zero(a), bits);
}
static int64_t setBits(uint64_t a, unsigned) { return std::popcount(a); }

static Scalar absolute(const ElementFunction &self, const Scalar *x) {
  return self.result.round(Scalar::whole(absInt(asSigned(self.operand, x[0]))));
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

// A function of doubles that is exact or correctly rounded is so after the
// rounding of its result, too (see Element.h).

static double roundAway(double a) { return std::round(a); }
static double truncate(double a) { return std::trunc(a); }
static double copySign(double a, double b) { return std::copysign(a, b); }

// Unlike maximumf and minimumf, in maxnumf and minnumf NaN loses.
static double maximumNumber(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : maximum(a, b);
}
static double minimumNumber(double a, double b) {
  return std::isnan(a) ? b : std::isnan(b) ? a : minimum(a, b);
}

static Scalar fusedMultiplyAdd(const ElementFunction &self, const Scalar *x) {
  return self.result.round(Scalar::real(std::fma(x[0].re, x[1].re, x[2].re)));
}
static Scalar clamp(const ElementFunction &self, const Scalar *x) {
  return self.result.round(
      Scalar::real(minimum(maximum(x[0].re, x[1].re), x[2].re)));
}

// Functions of the C library in double, with one address each.
#define LIBRARY(NAME)                                                          \
  static double NAME##Real(double a) { return std::NAME(a); }
LIBRARY(acos)
LIBRARY(acosh)
LIBRARY(asin)
LIBRARY(asinh)
LIBRARY(atan)
LIBRARY(atanh)
LIBRARY(cbrt)
LIBRARY(cosh)
LIBRARY(erf)
LIBRARY(erfc)
LIBRARY(exp2)
LIBRARY(log10)
LIBRARY(log2)
LIBRARY(sinh)
#undef LIBRARY

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
  return self.result.round(Scalar::whole(int64_t(bitsOf(self.operand, x[0]))));
}
static Scalar narrow(const ElementFunction &self, const Scalar *x) {
  return self.result.round(x[0]);
}

static Scalar signedToReal(const ElementFunction &self, const Scalar *x) {
  int64_t value = asSigned(self.operand, x[0]);
  return self.result.round(
      Scalar::real(realOfInteger(magnitudeOf(value), value < 0, self.result)));
}
static Scalar unsignedToReal(const ElementFunction &self, const Scalar *x) {
  return self.result.round(Scalar::real(
      realOfInteger(bitsOf(self.operand, x[0]), false, self.result)));
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
      .Case<arith::AddIOp>([](Operation *) { return ofUnsigned<addInt>; })
      .Case<arith::SubIOp>([](Operation *) { return ofUnsigned<subtractInt>; })
      .Case<arith::MulIOp>([](Operation *) { return ofUnsigned<multiplyInt>; })
      .Case<arith::DivSIOp>(
          [](Operation *) { return ofSigned<divided<divideInt>>; })
      .Case<arith::DivUIOp>(
          [](Operation *) { return ofUnsigned<divided<divideUInt>>; })
      .Case<arith::RemSIOp>(
          [](Operation *) { return ofSigned<divided<remainderInt>>; })
      .Case<arith::RemUIOp>(
          [](Operation *) { return ofUnsigned<divided<remainderUInt>>; })
      .Case<arith::CeilDivSIOp>(
          [](Operation *) { return ofSigned<divided<ceilDivide>>; })
      .Case<arith::CeilDivUIOp>(
          [](Operation *) { return ofUnsigned<divided<ceilDivideUInt>>; })
      .Case<arith::FloorDivSIOp>(
          [](Operation *) { return ofSigned<divided<floorDivide>>; })
      .Case<arith::AndIOp>([](Operation *) { return ofUnsigned<andInt>; })
      .Case<arith::OrIOp>([](Operation *) { return ofUnsigned<orInt>; })
      .Case<arith::XOrIOp>([](Operation *) { return ofUnsigned<xorInt>; })
      .Case<arith::ShLIOp>(
          [](Operation *) { return shifted<shiftLeft, false>; })
      .Case<arith::ShRUIOp>(
          [](Operation *) { return shifted<shiftRight, false>; })
      .Case<arith::ShRSIOp>(
          [](Operation *) { return shifted<shiftRightSigned, true>; })
      .Case<arith::MaxSIOp>([](Operation *) { return ofSigned<maxInt>; })
      .Case<arith::MinSIOp>([](Operation *) { return ofSigned<minInt>; })
      .Case<arith::MaxUIOp>([](Operation *) { return ofUnsigned<maxUInt>; })
      .Case<arith::MinUIOp>([](Operation *) { return ofUnsigned<minUInt>; })
      .Case<arith::CmpIOp>([](Operation *) { return compareIntegers; })
      .Case<arith::AddFOp>([](Operation *) { return call<addReal>; })
      .Case<arith::SubFOp>([](Operation *) { return call<subtractReal>; })
      .Case<arith::MulFOp>([](Operation *) { return call<multiplyReal>; })
      .Case<arith::DivFOp>([](Operation *) { return call<divideReal>; })
      .Case<arith::RemFOp>([](Operation *) { return call<remainderReal>; })
      .Case<arith::NegFOp>([](Operation *) { return call<negateReal>; })
      .Case<arith::MaximumFOp>([](Operation *) { return call<maximum>; })
      .Case<arith::MinimumFOp>([](Operation *) { return call<minimum>; })
      .Case<arith::MaxNumFOp>([](Operation *) { return call<maximumNumber>; })
      .Case<arith::MinNumFOp>([](Operation *) { return call<minimumNumber>; })
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
  return TypeSwitch<Operation *, Call>(op)
      .Case<math::AcosOp>([](Operation *) { return call<acosReal>; })
      .Case<math::AcoshOp>([](Operation *) { return call<acoshReal>; })
      .Case<math::AsinOp>([](Operation *) { return call<asinReal>; })
      .Case<math::AsinhOp>([](Operation *) { return call<asinhReal>; })
      .Case<math::AtanOp>([](Operation *) { return call<atanReal>; })
      .Case<math::AtanhOp>([](Operation *) { return call<atanhReal>; })
      .Case<math::CbrtOp>([](Operation *) { return call<cbrtReal>; })
      .Case<math::CosOp>([](Operation *) { return call<cosReal>; })
      .Case<math::CoshOp>([](Operation *) { return call<coshReal>; })
      .Case<math::ErfOp>([](Operation *) { return call<erfReal>; })
      .Case<math::ErfcOp>([](Operation *) { return call<erfcReal>; })
      .Case<math::ExpOp>([](Operation *) { return call<expReal>; })
      .Case<math::Exp2Op>([](Operation *) { return call<exp2Real>; })
      .Case<math::ExpM1Op>([](Operation *) { return call<expm1Real>; })
      .Case<math::LogOp>([](Operation *) { return call<logReal>; })
      .Case<math::Log10Op>([](Operation *) { return call<log10Real>; })
      .Case<math::Log1pOp>([](Operation *) { return call<log1pReal>; })
      .Case<math::Log2Op>([](Operation *) { return call<log2Real>; })
      .Case<math::SinOp>([](Operation *) { return call<sinReal>; })
      .Case<math::SinhOp>([](Operation *) { return call<sinhReal>; })
      .Case<math::TanOp>([](Operation *) { return call<tanReal>; })
      .Case<math::TanhOp>([](Operation *) { return call<tanhReal>; })
      .Case<math::Atan2Op>([](Operation *) { return call<atan2Real>; })
      .Case<math::PowFOp>([](Operation *) { return call<powerReal>; })
      .Case<math::AbsFOp>([](Operation *) { return call<absReal>; })
      .Case<math::CeilOp>([](Operation *) { return call<ceilReal>; })
      .Case<math::FloorOp>([](Operation *) { return call<floorReal>; })
      .Case<math::RoundOp>([](Operation *) { return call<roundAway>; })
      .Case<math::RoundEvenOp>([](Operation *) { return call<roundToEven>; })
      .Case<math::TruncOp>([](Operation *) { return call<truncate>; })
      .Case<math::SqrtOp>([](Operation *) { return call<sqrtReal>; })
      .Case<math::RsqrtOp>([](Operation *) { return call<reciprocalSqrt>; })
      .Case<math::CopySignOp>([](Operation *) { return call<copySign>; })
      .Case<math::FmaOp>([](Operation *) { return fusedMultiplyAdd; })
      .Case<math::ClampFOp>([](Operation *) { return clamp; })
      .Case<math::FPowIOp>([](Operation *) { return powerOfInteger; })
      .Case<math::IPowIOp>([](Operation *) { return ofSigned<powerInt>; })
      .Case<math::AbsIOp>([](Operation *) { return absolute; })
      .Case<math::CountLeadingZerosOp>(
          [](Operation *) { return ofBits<leadingZeros>; })
      .Case<math::CountTrailingZerosOp>(
          [](Operation *) { return ofBits<trailingZeros>; })
      .Case<math::CtPopOp>([](Operation *) { return ofBits<setBits>; })
      .Case<math::IsFiniteOp>([](Operation *) { return isReal<isFinite>; })
      .Case<math::IsInfOp>([](Operation *) { return isReal<isInfinite>; })
      .Case<math::IsNaNOp>([](Operation *) { return isReal<isNan>; })
      .Default([](Operation *) { return nullptr; });
}

std::optional<ElementFunction> scalarFunction(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return std::nullopt;
  ElementFunction function;
  auto elementOf = [](mlir::Value value) -> std::optional<Element> {
    Type type = value.getType();
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      type = tensor.getElementType();
    return Element::of(type);
  };
  std::optional<Element> operand =
      elementOf(op->getOperand(isa<arith::SelectOp>(op) ? 1 : 0));
  std::optional<Element> result = elementOf(op->getResult(0));
  if (!operand || !result)
    return std::nullopt;
  function.operand = *operand;
  function.result = *result;
  if (isa_and_nonnull<complex::ComplexDialect>(op->getDialect()))
    function.call = complexCall(op, *operand);
  else if (!operand->isComplex() || isa<arith::SelectOp>(op))
    function.call = isa_and_nonnull<math::MathDialect>(op->getDialect())
                        ? mathCall(op)
                        : arithCall(op);
  if (!function.call)
    return std::nullopt;
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    function.detail[0] = int64_t(compare.getPredicate());
  else if (auto compare = dyn_cast<arith::CmpFOp>(op))
    function.detail[0] = int64_t(compare.getPredicate());
  return function;
}

} // namespace mercator::reference
