// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Formulas of floats that create operations.
///
/// ```cpp (mlir::ImplicitLocOpBuilder &builder, mlir::Value operand)
/// cpu::Real x{operand, &builder};
/// cpu::Real y = choose(x < 0.0, -x, sqrt(x) * 2.0);
/// operand.replaceAllUsesWith(y.value);
/// ```
///
/// All operations keep IEEE's rounding: nothing is contracted or reordered, so that
/// `a + b - a` is what is left of b.

#ifndef MERCATOR_TARGETS_CPU_LLVM_REALCODE_H
#define MERCATOR_TARGETS_CPU_LLVM_REALCODE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mercator::cpu {

/// A float.
struct Real {
  mlir::Value value;
  mlir::ImplicitLocOpBuilder *b;

  [[nodiscard]] mlir::FloatType type() const {
    return mlir::cast<mlir::FloatType>(value.getType());
  }
  [[nodiscard]] const llvm::fltSemantics &semantics() const {
    return type().getFloatSemantics();
  }
  /// The number of digits, 24 or 53.
  [[nodiscard]] int digits() const { return int(type().getFPMantissaWidth()); }
  /// 2^exponent is the largest power of two.
  [[nodiscard]] int largestExponent() const {
    return llvm::APFloat::semanticsMaxExponent(semantics());
  }
  [[nodiscard]] Real number(const llvm::APFloat &x) const {
    return {mlir::arith::ConstantOp::create(
                *b, b->getFloatAttr(value.getType(), x)),
            b};
  }
  [[nodiscard]] Real number(double x) const {
    return {mlir::arith::ConstantOp::create(
                *b, b->getFloatAttr(value.getType(), x)),
            b};
  }
  [[nodiscard]] Real powerOfTwo(int exponent) const {
    return number(scalbn(llvm::APFloat::getOne(semantics()), exponent,
                         llvm::APFloat::rmNearestTiesToEven));
  }
  [[nodiscard]] Real infinity() const {
    return number(llvm::APFloat::getInf(semantics()));
  }
  [[nodiscard]] Real nan() const {
    return number(llvm::APFloat::getNaN(semantics()));
  }
};

/// A truth value.
struct Truth {
  mlir::Value value;
  mlir::ImplicitLocOpBuilder *b;
};

#define MERCATOR_BINARY(NAME, OP)                                              \
  inline Real NAME(Real x, Real y) {                                           \
    return {OP::create(*x.b, x.value, y.value), x.b};                          \
  }                                                                            \
  inline Real NAME(Real x, double y) { return NAME(x, x.number(y)); }          \
  inline Real NAME(double x, Real y) { return NAME(y.number(x), y); }
MERCATOR_BINARY(operator+, mlir::arith::AddFOp)
MERCATOR_BINARY(operator-, mlir::arith::SubFOp)
MERCATOR_BINARY(operator*, mlir::arith::MulFOp)
MERCATOR_BINARY(operator/, mlir::arith::DivFOp)
MERCATOR_BINARY(max, mlir::arith::MaximumFOp)
MERCATOR_BINARY(min, mlir::arith::MinimumFOp)
MERCATOR_BINARY(withSignOf, mlir::math::CopySignOp)
MERCATOR_BINARY(atan2, mlir::math::Atan2Op)
MERCATOR_BINARY(pow, mlir::math::PowFOp)
#undef MERCATOR_BINARY

#define MERCATOR_UNARY(NAME, OP)                                               \
  inline Real NAME(Real x) { return {OP::create(*x.b, x.value), x.b}; }
MERCATOR_UNARY(operator-, mlir::arith::NegFOp)
MERCATOR_UNARY(abs, mlir::math::AbsFOp)
MERCATOR_UNARY(cos, mlir::math::CosOp)
MERCATOR_UNARY(exp, mlir::math::ExpOp)
MERCATOR_UNARY(expm1, mlir::math::ExpM1Op)
MERCATOR_UNARY(log, mlir::math::LogOp)
MERCATOR_UNARY(log1p, mlir::math::Log1pOp)
MERCATOR_UNARY(roundeven, mlir::math::RoundEvenOp)
MERCATOR_UNARY(sin, mlir::math::SinOp)
MERCATOR_UNARY(sqrt, mlir::math::SqrtOp)
MERCATOR_UNARY(tan, mlir::math::TanOp)
#undef MERCATOR_UNARY

/// x * y + z, rounded once.
inline Real fma(Real x, Real y, Real z) {
  return {mlir::math::FmaOp::create(*x.b, x.value, y.value, z.value), x.b};
}

// NaN compares as false.
#define MERCATOR_COMPARE(NAME, PREDICATE)                                      \
  inline Truth NAME(Real x, Real y) {                                          \
    return {mlir::arith::CmpFOp::create(*x.b,                                  \
                                        mlir::arith::CmpFPredicate::PREDICATE, \
                                        x.value, y.value),                     \
            x.b};                                                              \
  }                                                                            \
  inline Truth NAME(Real x, double y) { return NAME(x, x.number(y)); }
MERCATOR_COMPARE(operator<, OLT)
MERCATOR_COMPARE(operator<=, OLE)
MERCATOR_COMPARE(operator>, OGT)
MERCATOR_COMPARE(operator>=, OGE)
MERCATOR_COMPARE(operator==, OEQ)
MERCATOR_COMPARE(hasNaN, UNO)
#undef MERCATOR_COMPARE

inline Truth operator&(Truth x, Truth y) {
  return {mlir::arith::AndIOp::create(*x.b, x.value, y.value), x.b};
}
inline Truth operator|(Truth x, Truth y) {
  return {mlir::arith::OrIOp::create(*x.b, x.value, y.value), x.b};
}

inline Real choose(Truth test, Real yes, Real no) {
  return {
      mlir::arith::SelectOp::create(*test.b, test.value, yes.value, no.value),
      test.b};
}
inline Real choose(Truth test, double yes, Real no) {
  return choose(test, no.number(yes), no);
}

/// A power of two p with 1/2 < p * size <= 2, if size and p are normal numbers.
inline Real reciprocalPower(Real size) {
  const llvm::fltSemantics &semantics = size.semantics();
  unsigned bits = llvm::APFloat::getSizeInBits(semantics);
  auto type = size.b->getIntegerType(bits);
  auto word = [&](const llvm::APInt &x) -> mlir::Value {
    return mlir::arith::ConstantOp::create(*size.b,
                                           size.b->getIntegerAttr(type, x));
  };
  auto code = [&](const llvm::APFloat &x) { return x.bitcastToAPInt(); };
  Real least = size.number(llvm::APFloat::getSmallestNormalized(semantics));
  Real bounded =
      min(max(size, least), size.powerOfTwo(size.largestExponent() - 1));
  mlir::Value words =
      mlir::arith::BitcastOp::create(*size.b, type, bounded.value);
  mlir::Value exponent = mlir::arith::AndIOp::create(
      *size.b, words, word(code(llvm::APFloat::getInf(semantics))));
  mlir::Value turned = mlir::arith::SubIOp::create(
      *size.b, word(code(llvm::APFloat::getOne(semantics)) * 2), exponent);
  return {mlir::arith::BitcastOp::create(*size.b, size.type(), turned), size.b};
}

/// A complex number.
struct Parts {
  Real re, im;
};

inline Parts partsOf(mlir::ImplicitLocOpBuilder &b, mlir::Value z) {
  return {{mlir::complex::ReOp::create(b, z), &b},
          {mlir::complex::ImOp::create(b, z), &b}};
}
inline mlir::Value complexOf(Parts z) {
  return mlir::complex::CreateOp::create(
      *z.re.b, mlir::ComplexType::get(z.re.value.getType()), z.re.value,
      z.im.value);
}
inline Parts choose(Truth test, Parts yes, Parts no) {
  return {choose(test, yes.re, no.re), choose(test, yes.im, no.im)};
}
inline Parts operator*(Parts z, Real x) { return {z.re * x, z.im * x}; }

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_LLVM_REALCODE_H
