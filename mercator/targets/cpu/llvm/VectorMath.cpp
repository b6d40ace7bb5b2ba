// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exp, expm1, log, log1p, sin, cos, tanh and erf of f32 as arithmetic, which LLVM
// turns into vector code.
// A test compares them with the C library's functions of f64 for all f32: they
// are within 2 units in the last place.
//
// Sources of the polynomials: Cephes (Moshier) for log, sin and cos; Juffa's
// approximations, published at stackoverflow.com/a/35148199, for erf. sin and cos
// take the remainder of any number as Payne and Hanek do ("Radian reduction for
// trigonometric functions", SIGNUM Newsletter 18, 1983): the product of an integer
// and the part of 2/pi that matters.

#include "mercator/targets/cpu/llvm/Lower.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

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
  mlir::Value expm1(mlir::Value x);
  mlir::Value log(mlir::Value x);
  mlir::Value log1p(mlir::Value x);
  /// sin, or cos.
  mlir::Value wave(mlir::Value x, bool isCosine);
  mlir::Value tanh(mlir::Value x);
  mlir::Value erf(mlir::Value x);

private:
  struct Power {
    mlir::Value bits;  ///< of the float n + 1.5 * 2^23
    mlir::Value less1; ///< e^r - 1
  };
  Power power(mlir::Value x);
  struct Angle {
    mlir::Value quarters; ///< the nearest multiple of pi / 2, modulo 4
    mlir::Value rest;     ///< the rest, at most pi / 4
  };
  Angle reduce(mlir::Value x);
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

/// 2 (2^(n-1) (e^r - 1) + (2^(n-1) - 1/2)). Near 0 it is x + x^2 / 2.
mlir::Value Expander::expm1(mlir::Value x) {
  mlir::Value y = select(less(number(89), x), number(89), x);
  y = select(less(y, number(-20)), number(-20), y); // e^-20 - 1 is -1
  Power parts = power(y);
  mlir::Value exponent =
      arith::ShLIOp::create(builder, loc, parts.bits, bits(23));
  mlir::Value scale = arith::BitcastOp::create(
      builder, loc, real,
      arith::AddIOp::create(builder, loc, exponent, bits(0x3f000000)));
  mlir::Value e = fma(parts.less1, scale, add(scale, number(-0.5)));
  e = add(e, e);
  mlir::Value near = mul(x, fma(x, number(0.5), 1));
  return keepNaN(x, select(less(abs(x), number(0x1p-13)), near, e));
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

/// log(u) and what rounding u = 1 + x loses, over u. Near 0 it is
/// x - x^2 / 2.
mlir::Value Expander::log1p(mlir::Value x) {
  auto minus = [&](mlir::Value a, mlir::Value b) -> mlir::Value {
    return arith::SubFOp::create(builder, loc, a, b);
  };
  mlir::Value one = number(1);
  mlir::Value u = arith::AddFOp::create(builder, loc, one, x);
  mlir::Value most = minus(u, one);
  mlir::Value lost = arith::AddFOp::create(
      builder, loc, minus(one, minus(u, most)), minus(x, most));
  lost = arith::DivFOp::create(builder, loc, lost, u);
  // Of 0, infinity, and what is so large that nothing is lost that counts.
  mlir::Value isOrdinary = arith::AndIOp::create(
      builder, loc, less(number(-1), x), less(x, number(0x1p30)));
  mlir::Value y = arith::AddFOp::create(builder, loc, log(u),
                                        select(isOrdinary, lost, number(0)));
  mlir::Value near = mul(x, fma(x, number(-0.5), 1));
  return select(less(abs(x), number(0x1p-13)), near, y);
}

/// x = m 2^e with an integer m of 24 bits. Of x * 2/pi, what counts is its value modulo
/// 4: of the bits of 2/pi, those from place e - 1 on. Three words of them give 62 bits
/// behind the point; no f32 is nearer than 2^-31 to a multiple of pi / 2 (but 0).
Expander::Angle Expander::reduce(mlir::Value x) {
  Type wide = builder.getI64Type();
  auto longs = [&](int64_t value) -> mlir::Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI64IntegerAttr(value));
  };
  mlir::Value own = arith::BitcastOp::create(builder, loc, whole, abs(x));
  mlir::Value exponent = arith::ShRUIOp::create(builder, loc, own, bits(23));
  mlir::Value m = arith::OrIOp::create(
      builder, loc, arith::AndIOp::create(builder, loc, own, bits(0x7fffff)),
      bits(0x800000));
  // A quarter of a turn is 2^62, and the sum below drops 32 bits. So the window of 96
  // bits begins with bit e - 1 of 2/pi, which the table has after 32 zeros.
  mlir::Value place =
      arith::SubIOp::create(builder, loc, exponent, bits(150 + 1 - 31));
  place = arith::MaxSIOp::create(builder, loc, place, bits(0));
  mlir::Value number = arith::ShRUIOp::create(builder, loc, place, bits(5));
  mlir::Value shift = arith::AndIOp::create(builder, loc, place, bits(31));
  static constexpr uint32_t kTwoOverPi[] = {0,          0xa2f9836e, 0x4e441529,
                                            0xfc2757d1, 0xf534ddc0, 0xdb629599,
                                            0x3c439041, 0xfe5163ab, 0xdebbc561};
  constexpr unsigned kWords = 4, kNumbers = std::size(kTwoOverPi) - kWords + 1;
  SmallVector<mlir::Value> isNumber;
  for (unsigned k = 1; k < kNumbers; ++k)
    isNumber.push_back(arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, number, bits(k)));
  SmallVector<mlir::Value> words;
  for (unsigned i = 0; i < kWords; ++i) {
    mlir::Value word = bits(int32_t(kTwoOverPi[i]));
    for (unsigned k = 1; k < kNumbers; ++k)
      word = select(isNumber[k - 1], bits(int32_t(kTwoOverPi[i + k])), word);
    words.push_back(arith::ExtUIOp::create(builder, loc, wide, word));
  }
  mlir::Value left = arith::ExtUIOp::create(builder, loc, wide, shift),
              right = arith::SubIOp::create(builder, loc, longs(32), left),
              factor = arith::ExtUIOp::create(builder, loc, wide, m);
  auto product = [&](unsigned i) -> mlir::Value {
    mlir::Value high = arith::ShLIOp::create(builder, loc, words[i], left),
                low = arith::ShRUIOp::create(builder, loc, words[i + 1], right);
    mlir::Value word = arith::AndIOp::create(
        builder, loc, arith::OrIOp::create(builder, loc, high, low),
        longs(0xffffffff));
    return arith::MulIOp::create(builder, loc, word, factor);
  };
  // The highest two bits count quarters of the circle.
  mlir::Value turn = arith::AddIOp::create(
      builder, loc,
      arith::AddIOp::create(
          builder, loc,
          arith::ShLIOp::create(builder, loc, product(0), longs(32)),
          product(1)),
      arith::ShRUIOp::create(builder, loc, product(2), longs(32)));
  mlir::Value quarters = arith::ShRUIOp::create(
      builder, loc,
      arith::AddIOp::create(builder, loc, turn, longs(int64_t(1) << 61)),
      longs(62));
  mlir::Value rest = arith::SubIOp::create(
      builder, loc, turn,
      arith::ShLIOp::create(builder, loc, quarters, longs(62)));
  mlir::Value fraction = arith::MulFOp::create(
      builder, loc,
      arith::SIToFPOp::create(builder, loc, builder.getF64Type(), rest),
      arith::ConstantOp::create(
          builder, loc,
          builder.getF64FloatAttr(0x1.921fb54442d18p+0 * 0x1p-62)));
  return {arith::TruncIOp::create(builder, loc, whole, quarters),
          arith::TruncFOp::create(builder, loc, real, fraction)};
}

/// The sine or the cosine of the rest, by the number of quarters.
mlir::Value Expander::wave(mlir::Value x, bool isCosine) {
  Angle angle = reduce(x);
  mlir::Value isSmall = less(abs(x), number(0.78539816));
  mlir::Value r = select(isSmall, abs(x), angle.rest), z = mul(r, r);
  mlir::Value quarters = select(isSmall, bits(0), angle.quarters);
  if (isCosine)
    quarters = arith::AddIOp::create(builder, loc, quarters, bits(1));
  mlir::Value s =
      polynomial(z, {-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1});
  s = fma(mul(s, z), r, r);
  mlir::Value c = polynomial(
      z, {2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2});
  c = fma(mul(c, z), z, fma(z, number(-0.5), 1));
  auto hasBit = [&](int64_t bit) -> mlir::Value {
    return arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ne,
        arith::AndIOp::create(builder, loc, quarters, bits(bit)), bits(0));
  };
  mlir::Value y = select(hasBit(1), c, s);
  y = select(hasBit(2), arith::NegFOp::create(builder, loc, y), y);
  if (!isCosine) {
    mlir::Value isNegative = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::slt,
        arith::BitcastOp::create(builder, loc, whole, x), bits(0));
    y = select(isNegative, arith::NegFOp::create(builder, loc, y), y);
  }
  // Of NaN and infinities there is none.
  mlir::Value isFinite = less(abs(x), number(INFINITY));
  return select(isFinite, y, number(NAN));
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
    if (isa<math::ExpOp, math::ExpM1Op, math::LogOp, math::Log1pOp, math::SinOp,
            math::CosOp, math::TanhOp, math::ErfOp>(op) &&
        op->getResult(0).getType().isF32())
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    Expander expander(op, scales);
    mlir::Value x = op->getOperand(0);
    mlir::Value value =
        llvm::TypeSwitch<Operation *, mlir::Value>(op)
            .Case([&](math::ExpOp) { return expander.exp(x); })
            .Case([&](math::ExpM1Op) { return expander.expm1(x); })
            .Case([&](math::LogOp) { return expander.log(x); })
            .Case([&](math::Log1pOp) { return expander.log1p(x); })
            .Case([&](math::SinOp) { return expander.wave(x, false); })
            .Case([&](math::CosOp) { return expander.wave(x, true); })
            .Case([&](math::TanhOp) { return expander.tanh(x); })
            .Case([&](math::ErfOp) { return expander.erf(x); });
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
}
