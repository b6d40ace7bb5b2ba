// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exp, log, tanh and erf of f32 as arithmetic, which LLVM turns into vector code.
// A test compares them with the C library's functions of f64 for all f32: they
// are within 2 units in the last place.
//
// Sources of the polynomials: Cephes (Moshier) for log; Juffa's
// approximations, published at stackoverflow.com/a/35148199, for erf.

#include "mercator/targets/cpu/llvm/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace mercator;

namespace {
class Expander {
public:
  Expander(Operation *op, bool scales)
      : builder(op), loc(op->getLoc()), real(builder.getF32Type()),
        whole(builder.getI32Type()), scales(scales) {}

  mlir::Value exp(mlir::Value x);
  mlir::Value log(mlir::Value x);
  mlir::Value tanh(mlir::Value x);
  mlir::Value erf(mlir::Value x);

private:
  struct Power {
    mlir::Value bits;  ///< of the float n + 1.5 * 2^23
    mlir::Value less1; ///< e^r - 1
  };
  Power power(mlir::Value x);
  mlir::Value number(double value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF32FloatAttr(float(value)));
  }
  mlir::Value bits(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(int32_t(value)));
  }
  mlir::Value add(mlir::Value x, mlir::Value y) {
    return arith::AddFOp::create(builder, loc, x, y,
                                 arith::FastMathFlags::contract);
  }
  mlir::Value mul(mlir::Value x, mlir::Value y) {
    return arith::MulFOp::create(builder, loc, x, y,
                                 arith::FastMathFlags::contract);
  }
  /// x * y + z; one instruction where there is one.
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z) {
    return add(mul(x, y), z);
  }
  mlir::Value fma(mlir::Value x, mlir::Value y, double z) {
    return fma(x, y, number(z));
  }
  /// The polynomial with these coefficients, the highest first.
  mlir::Value polynomial(mlir::Value x, ArrayRef<double> coefficients) {
    mlir::Value value = number(coefficients.front());
    for (double c : coefficients.drop_front())
      value = fma(value, x, c);
    return value;
  }
  mlir::Value less(mlir::Value x, mlir::Value y) {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, x, y);
  }
  mlir::Value select(mlir::Value test, mlir::Value yes, mlir::Value no) {
    return arith::SelectOp::create(builder, loc, test, yes, no);
  }
  mlir::Value abs(mlir::Value x) {
    return math::AbsFOp::create(builder, loc, x);
  }
  mlir::Value withSign(mlir::Value size, mlir::Value sign) {
    return math::CopySignOp::create(builder, loc, size, sign);
  }
  /// 2^n for -126 <= n <= 127.
  mlir::Value powerOfTwo(mlir::Value n) {
    mlir::Value biased = arith::AddIOp::create(builder, loc, n, bits(127));
    mlir::Value shifted = arith::ShLIOp::create(builder, loc, biased, bits(23));
    return arith::BitcastOp::create(builder, loc, real, shifted);
  }
  /// x where it is NaN, else y.
  mlir::Value keepNaN(mlir::Value x, mlir::Value y) {
    mlir::Value isNaN =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, x, x);
    return select(isNaN, x, y);
  }

  OpBuilder builder;
  Location loc;
  Type real, whole;
  bool scales; ///< one instruction computes x * 2^n
};
} // namespace

/// The parts of e^x = 2^n e^r with |r| <= log(2) / 2: n, and e^r - 1 = r + r^2 q(r).
/// The coefficients of q are a fit of the least greatest error of r q(r), rounded.
Expander::Power Expander::power(mlir::Value x) {
  // Its last bits count units, so that a sum rounds to the nearest integer.
  constexpr double kUnits = 0x1.8p23;
  mlir::Value shifted = fma(x, number(1.44269504088896341), kUnits);
  mlir::Value n = arith::SubFOp::create(builder, loc, shifted, number(kUnits));
  mlir::Value r = fma(n, number(-0.693359375), x);
  r = fma(n, number(2.12194440e-4), r);
  mlir::Value q = polynomial(r, {1.99141985e-4, 1.39410107e-3, 8.33327323e-3,
                                 4.16663550e-2, 1.66666672e-1, 5.0e-1});
  return {arith::BitcastOp::create(builder, loc, whole, shifted),
          fma(q, mul(r, r), r)};
}

/// e^x, with the factor 2^n in one step where there is an instruction for it, and
/// in two otherwise: the result may be infinite. Results below 2^-126 are 0. They are
/// chosen, not computed: a multiplication that makes a subnormal number takes 100
/// cycles on some CPUs, and half the elements of a causal mask would.
mlir::Value Expander::exp(mlir::Value x) {
  constexpr double kLeast = -87.33654475; // log(2^-126)
  // Of NaN both comparisons are false.
  mlir::Value isTiny = less(x, number(kLeast));
  mlir::Value limited = select(isTiny, number(-87), x);
  limited = select(less(number(89), limited), number(89), limited);
  Power parts = power(limited);
  mlir::Value y = add(parts.less1, number(1));
  mlir::Value n = arith::SubIOp::create(builder, loc, parts.bits,
                                        bits(0x4b400000)); // kUnits
  if (scales)
    return select(isTiny, number(0),
                  LLVM::CallIntrinsicOp::create(
                      builder, loc, real,
                      builder.getStringAttr("llvm.ldexp.f32.i32"),
                      ValueRange{y, n})
                      .getResult(0));
  mlir::Value half = arith::ShRSIOp::create(builder, loc, n, bits(1));
  mlir::Value rest = arith::SubIOp::create(builder, loc, n, half);
  y = arith::MulFOp::create(builder, loc, y, powerOfTwo(half));
  y = arith::MulFOp::create(builder, loc, y, powerOfTwo(rest));
  return keepNaN(x, select(isTiny, number(0), y));
}

/// log(m 2^e) = log(m) + e log(2) with sqrt(1/2) <= m < sqrt(2).
mlir::Value Expander::log(mlir::Value x) {
  mlir::Value isSubnormal = less(x, number(0x1p-126));
  mlir::Value scaled = select(
      isSubnormal, arith::MulFOp::create(builder, loc, x, number(0x1p23)), x);
  mlir::Value own = arith::BitcastOp::create(builder, loc, whole, scaled);
  // Counted from sqrt(1/2), so that the rest of the bits is m.
  mlir::Value from = arith::SubIOp::create(builder, loc, own, bits(0x3f3504f3));
  mlir::Value e = arith::ShRSIOp::create(builder, loc, from, bits(23));
  mlir::Value mantissa = arith::SubIOp::create(
      builder, loc, own, arith::ShLIOp::create(builder, loc, e, bits(23)));
  mlir::Value m = arith::BitcastOp::create(builder, loc, real, mantissa);
  mlir::Value exponent = arith::SIToFPOp::create(builder, loc, real, e);
  exponent = select(isSubnormal, add(exponent, number(-23)), exponent);
  mlir::Value f = add(m, number(-1)), z = mul(f, f);
  mlir::Value p =
      polynomial(f, {7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1,
                     -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
                     2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1});
  mlir::Value y = mul(mul(p, f), z);
  y = fma(exponent, number(-2.12194440e-4), y);
  y = fma(z, number(-0.5), y);
  y = add(f, y);
  y = fma(exponent, number(0.693359375), y);
  // Zero, what is negative, and infinity.
  mlir::Value zero = number(0);
  mlir::Value isZero =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, x, zero);
  mlir::Value isInfinite = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::OEQ, x, number(INFINITY));
  y = select(isInfinite, x, y);
  y = select(isZero, number(-INFINITY), y);
  y = select(less(x, zero), number(NAN), y);
  return keepNaN(x, y);
}

/// e / (e + 2) with e = e^2|x| - 1. What rounding e + 2 loses is added again: 1 / d is
/// (1 - q) / 2. Where e is large, q is near 1, and the loss does not count.
mlir::Value Expander::tanh(mlir::Value x) {
  auto minus = [&](mlir::Value a, mlir::Value b) -> mlir::Value {
    return arith::SubFOp::create(builder, loc, a, b);
  };
  mlir::Value size = abs(x), y = add(size, size);
  y = select(less(number(20), y), number(20), y); // tanh(10) is 1
  Power parts = power(y);
  mlir::Value exponent =
      arith::ShLIOp::create(builder, loc, parts.bits, bits(23));
  mlir::Value scale = arith::BitcastOp::create(
      builder, loc, real,
      arith::AddIOp::create(builder, loc, exponent, bits(0x3f800000)));
  mlir::Value e = fma(parts.less1, scale, minus(scale, number(1)));
  mlir::Value d = arith::AddFOp::create(builder, loc, e, number(2));
  mlir::Value q = arith::DivFOp::create(builder, loc, e, d);
  mlir::Value lost = minus(e, minus(d, number(2)));
  lost = select(less(e, number(4096)), lost, number(0));
  mlir::Value half = fma(number(-0.5), q, 0.5);
  q = minus(q, mul(mul(q, lost), half));
  return withSign(q, x);
}

/// Near 0 an odd polynomial, else 1 - e^q(|x|).
mlir::Value Expander::erf(mlir::Value x) {
  mlir::Value t = abs(x), s = mul(x, x);
  mlir::Value q = fma(number(-1.72853470e-5), t, 3.83197126e-4);
  mlir::Value u = fma(number(-3.88396438e-3), t, 2.42546219e-2);
  q = fma(q, s, u);
  q = fma(q, t, -1.06777877e-1);
  q = fma(q, t, -6.34846687e-1);
  q = fma(q, t, -1.28717512e-1);
  q = fma(q, t, arith::NegFOp::create(builder, loc, t).getResult());
  // Beyond 4 the polynomial is not meant, and the result is 1.
  mlir::Value far = arith::SubFOp::create(builder, loc, number(1), exp(q));
  far = select(less(t, number(3.92)), far, number(1));
  mlir::Value p = polynomial(s, {-5.96761703e-4, 4.99119423e-3, -2.67681349e-2,
                                 1.12819925e-1, -3.76125336e-1, 1.28379166e-1});
  mlir::Value near = fma(p, x, x);
  return keepNaN(x,
                 select(less(t, number(0.927734375)), near, withSign(far, x)));
}

void cpu::expandMath(ModuleOp module, bool scales) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<math::ExpOp, math::LogOp, math::TanhOp, math::ErfOp>(op) &&
        op->getResult(0).getType().isF32())
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    Expander expander(op, scales);
    mlir::Value x = op->getOperand(0);
    mlir::Value value = isa<math::ExpOp>(op)    ? expander.exp(x)
                        : isa<math::LogOp>(op)  ? expander.log(x)
                        : isa<math::TanhOp>(op) ? expander.tanh(x)
                                                : expander.erf(x);
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
}
