// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Functions of floats as arithmetic that LLVM turns into vector code. Internal to
/// this folder.
///
///   MathCode code(op, /*scales=*/true, /*fuses=*/true); // a math.tanh of f32
///   op->getResult(0).replaceAllUsesWith(code.tanh(op->getOperand(0)));
///
/// Each result is within 2 units in the last place, also of NaN, infinities and zeros.
/// Subnormal results may be zero.
///
/// A product and a sum are one operation where an instruction rounds x * y + z once, and
/// two elsewhere. The code generator does not choose: it would choose by the form of the
/// loop around, and a scalar would have other bits than an element of a vector.

#ifndef MERCATOR_TARGETS_CPU_LLVM_MATHCODE_H
#define MERCATOR_TARGETS_CPU_LLVM_MATHCODE_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

#include <bit>

namespace mercator::cpu {

class MathCode {
public:
  /// Code before `op`, of its type. `fuses`: an instruction rounds x * y + z once.
  MathCode(mlir::Operation *op, bool scales, bool fuses)
      : MathCode(op, op->getResult(0).getType(), scales, fuses) {}

  /// e^x, or e^(x - rest) with a small rest.
  mlir::Value exp(mlir::Value x, mlir::Value rest = nullptr);
  mlir::Value expm1(mlir::Value x);
  mlir::Value log(mlir::Value x);
  mlir::Value log1p(mlir::Value x);
  /// sin, or cos. Of f64 with instructions that round x * y + z once.
  mlir::Value wave(mlir::Value x, bool isCosine);
  mlir::Value tanh(mlir::Value x);
  /// Of f64 with instructions that round x * y + z once.
  mlir::Value erf(mlir::Value x);
  /// Within 3 units if two instructions round x * y + z.
  mlir::Value erfc(mlir::Value x);

  /// Of f64 with instructions that round x * y + z once.
  mlir::Value pow(mlir::Value x, mlir::Value y);

  // Functions of f32 that are computed in f64.
  mlir::Value tan(mlir::Value x);
  mlir::Value atan2(mlir::Value y, mlir::Value x);
  mlir::Value cbrt(mlir::Value x);

private:
  MathCode(mlir::Operation *op, mlir::Type real, bool scales, bool fuses)
      : builder(op), loc(op->getLoc()), real(real), isDouble(real.isF64()),
        whole(builder.getIntegerType(isDouble ? 64 : 32)), scales(scales),
        fuses(fuses), op(op) {}
  /// The same place, for f64.
  [[nodiscard]] MathCode inDouble() {
    return MathCode(op, builder.getF64Type(), scales, fuses);
  }
  mlir::Value widen(mlir::Value x) {
    return mlir::arith::ExtFOp::create(builder, loc, builder.getF64Type(), x);
  }
  mlir::Value narrow(mlir::Value x) {
    return mlir::arith::TruncFOp::create(builder, loc, builder.getF32Type(), x);
  }
  struct Power {
    mlir::Value bits;  ///< of the float n + units()
    mlir::Value less1; ///< e^r - 1
  };
  Power power(mlir::Value x, mlir::Value rest = nullptr);
  struct Split {
    mlir::Value m, exponent;
  };
  Split split(mlir::Value x);
  struct Pair {
    mlir::Value high, low;
  };
  Pair longLog(mlir::Value x);
  /// The sum of a and a smaller number, and what its rounding loses.
  Pair sum(mlir::Value a, mlir::Value b);
  mlir::Value powerOfDouble(mlir::Value size, mlir::Value y,
                            mlir::Value isFlat);
  mlir::Value powerOfFloat(mlir::Value size, mlir::Value y, mlir::Value isFlat);
  mlir::Value logOfFloat(mlir::Value m, mlir::Value exponent);
  mlir::Value logOfDouble(mlir::Value m, mlir::Value exponent);
  struct Angle {
    mlir::Value quarters; ///< the nearest multiple of pi / 2; two bits count
    mlir::Value rest;     ///< the rest, at most pi / 4, of f64
  };
  Angle reduceFloat(mlir::Value x);
  /// Of |x|.
  Angle reduceDouble(mlir::Value size);
  mlir::Value number(double value) {
    return mlir::arith::ConstantOp::create(builder, loc,
                                           builder.getFloatAttr(real, value));
  }
  mlir::Value bits(int64_t value) {
    return mlir::arith::ConstantOp::create(
        builder, loc,
        builder.getIntegerAttr(whole,
                               llvm::APInt(isDouble ? 64 : 32, uint64_t(value),
                                           /*isSigned=*/true,
                                           /*implicitTrunc=*/true)));
  }
  /// The bits of a float.
  mlir::Value bitsOf(double value) {
    return bits(isDouble ? int64_t(std::bit_cast<uint64_t>(value))
                         : std::bit_cast<int32_t>(float(value)));
  }
  /// The number for this type: `narrow` of f32, `wide` of f64.
  [[nodiscard]] double pick(double narrow, double wide) const {
    return isDouble ? wide : narrow;
  }
  [[nodiscard]] int64_t mantissaBits() const { return isDouble ? 52 : 23; }
  /// Its last bits count units, so that a sum rounds to the nearest integer.
  [[nodiscard]] double units() const { return pick(0x1.8p23, 0x1.8p52); }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return mlir::arith::AddFOp::create(builder, loc, x, y);
  }
  mlir::Value sub(mlir::Value x, mlir::Value y) {
    return mlir::arith::SubFOp::create(builder, loc, x, y);
  }
  mlir::Value neg(mlir::Value x) {
    return mlir::arith::NegFOp::create(builder, loc, x);
  }
  mlir::Value mul(mlir::Value x, mlir::Value y) {
    return mlir::arith::MulFOp::create(builder, loc, x, y);
  }
  /// x * y + z; one instruction where there is one.
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z) {
    return fuses ? fused(x, y, z) : add(mul(x, y), z);
  }
  mlir::Value fma(mlir::Value x, mlir::Value y, double z) {
    return fma(x, y, number(z));
  }
  /// x * y + z, rounded once.
  mlir::Value fused(mlir::Value x, mlir::Value y, mlir::Value z) {
    return mlir::math::FmaOp::create(builder, loc, x, y, z);
  }
  /// The polynomial with these coefficients, the highest first.
  mlir::Value polynomial(mlir::Value x, llvm::ArrayRef<double> coefficients) {
    mlir::Value value = number(coefficients.front());
    for (double c : coefficients.drop_front())
      value = fma(value, x, c);
    return value;
  }
  /// The same as a sum of an even and an odd part, given x^2: two chains of half the
  /// length, where more results would have to wait than a processor keeps in flight.
  mlir::Value polynomial(mlir::Value x, mlir::Value square,
                         llvm::ArrayRef<double> coefficients) {
    mlir::Value parts[] = {number(coefficients[0]), number(coefficients[1])};
    size_t count = coefficients.size();
    for (size_t i = 2; i < count; ++i)
      parts[i % 2] = fma(parts[i % 2], square, coefficients[i]);
    return fma(parts[count % 2], x, parts[(count - 1) % 2]);
  }
  mlir::Value less(mlir::Value x, mlir::Value y) {
    return mlir::arith::CmpFOp::create(builder, loc,
                                       mlir::arith::CmpFPredicate::OLT, x, y);
  }
  mlir::Value select(mlir::Value test, mlir::Value yes, mlir::Value no) {
    return mlir::arith::SelectOp::create(builder, loc, test, yes, no);
  }
  mlir::Value abs(mlir::Value x) {
    return mlir::math::AbsFOp::create(builder, loc, x);
  }
  mlir::Value withSign(mlir::Value size, mlir::Value sign) {
    return mlir::math::CopySignOp::create(builder, loc, size, sign);
  }
  /// 2^n times a power of two, if the product is a normal number. Only the last bits
  /// of n count.
  mlir::Value powerOfTwo(mlir::Value n, double times = 1) {
    mlir::Value shifted =
        mlir::arith::ShLIOp::create(builder, loc, n, bits(mantissaBits()));
    return mlir::arith::BitcastOp::create(
        builder, loc, real,
        mlir::arith::AddIOp::create(builder, loc, shifted, bitsOf(times)));
  }
  /// x where it is NaN, else y.
  mlir::Value keepNaN(mlir::Value x, mlir::Value y) {
    return select(compare(mlir::arith::CmpFPredicate::UNO, x, x), x, y);
  }
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value x,
                      mlir::Value y) {
    return mlir::arith::CmpFOp::create(builder, loc, predicate, x, y);
  }
  /// Whether the sign bit is set, also of a zero.
  mlir::Value isNegative(mlir::Value x) {
    return mlir::arith::CmpIOp::create(
        builder, loc, mlir::arith::CmpIPredicate::slt,
        mlir::arith::BitcastOp::create(builder, loc, whole, x), bits(0));
  }

  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::Type real;
  bool isDouble;
  mlir::Type whole; ///< as long as real
  bool scales;      ///< one instruction computes x * 2^n
  bool fuses;       ///< one instruction rounds x * y + z once
  mlir::Operation *op;
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_LLVM_MATHCODE_H
