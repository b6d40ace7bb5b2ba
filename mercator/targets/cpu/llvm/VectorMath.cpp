// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exp, expm1, log, log1p, sin, cos, tanh, erf and erfc of f32, and the same of f64 but
// erfc. A test compares them with the C library's functions of wider floats, for all
// f32.
//
// Sources of the polynomials: Cephes (Moshier) for log, sin and cos of f32; FDLIBM
// (Sun Microsystems) for those of f64. sin and cos
// take the remainder of any number as Payne and Hanek do ("Radian reduction for
// trigonometric functions", SIGNUM Newsletter 18, 1983): the product of an integer
// and the part of 2/pi that matters.

#include "mercator/targets/cpu/llvm/Lower.h"
#include "mercator/targets/cpu/llvm/MathCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mercator;
using cpu::MathCode;

/// The parts of e^x = 2^n e^r with |r| <= log(2) / 2: n, and e^r - 1 = r + r^2 q(r).
/// The coefficients of q are a fit of the least greatest error of r q(r), rounded.
/// What is left of x may come apart, and is subtracted from r.
MathCode::Power MathCode::power(mlir::Value x, mlir::Value rest) {
  mlir::Value shifted = fma(x, number(1.44269504088896341), units());
  mlir::Value n = sub(shifted, number(units()));
  // n times the first part of log(2) is exact.
  mlir::Value high =
      fma(n, number(-pick(0.693359375, 0x1.62e42fee00000p-1)), x);
  mlir::Value second = number(-pick(-2.12194440e-4, 0x1.a39ef35793c76p-33));
  // What rounding r loses is half a unit, beside which the polynomial of f32 is coarse
  // unless more is lost elsewhere.
  bool isLong = isDouble || rest;
  mlir::Value low = rest ? fma(n, second, neg(rest)) : mul(n, second);
  mlir::Value r = isLong ? add(high, low) : fma(n, second, high);
  static constexpr double kOfFloat[] = {1.99141985e-4, 1.39410107e-3,
                                        8.33327323e-3, 4.16663550e-2,
                                        1.66666672e-1};
  static constexpr double kOfDouble[] = {
      0x1.1f730349868cep-29, 0x1.af4de97ca4194p-26, 0x1.27e4db646b17ep-22,
      0x1.71de0231960ebp-19, 0x1.a01a01a6d889cp-16, 0x1.a01a01abe7fe1p-13,
      0x1.6c16c16c162d4p-10, 0x1.11111111100dcp-7,  0x1.5555555555556p-5,
      0x1.5555555555557p-3};
  mlir::Value z = mul(r, r);
  mlir::Value q =
      polynomial(r, z, isDouble ? ArrayRef(kOfDouble) : ArrayRef(kOfFloat));
  q = fma(q, r, 0.5); // rounded once, in a step of its own
  mlir::Value less1;
  if (isLong) {
    mlir::Value lost = add(low, sub(high, r));
    less1 = add(fma(q, z, lost), r);
  } else {
    less1 = fma(q, z, r);
  }
  return {arith::BitcastOp::create(builder, loc, whole, shifted), less1};
}

/// e^x, with the factor 2^n in one step where there is an instruction for it, and
/// in two otherwise: the result may be infinite. Results below the normal numbers are
/// 0. They are chosen, not computed: a multiplication that makes a subnormal number
/// takes 100 cycles on some CPUs, and half the elements of a causal mask would.
mlir::Value MathCode::exp(mlir::Value x, mlir::Value rest) {
  // log(2^-126) and log(2^-1022). Of NaN both comparisons are false.
  mlir::Value isTiny = less(x, number(pick(-87.33654475, -708.3964185322641)));
  mlir::Value least = number(pick(-87, -708)), most = number(pick(89, 710));
  mlir::Value limited = select(isTiny, least, x);
  limited = select(less(most, limited), most, limited);
  Power parts = power(limited, rest);
  mlir::Value y = add(parts.less1, number(1));
  mlir::Value n =
      arith::SubIOp::create(builder, loc, parts.bits, bitsOf(units()));
  if (scales) {
    if (isDouble)
      n = arith::TruncIOp::create(builder, loc, builder.getI32Type(), n);
    StringRef name = isDouble ? "llvm.ldexp.f64.i32" : "llvm.ldexp.f32.i32";
    return select(isTiny, number(0),
                  LLVM::CallIntrinsicOp::create(builder, loc, real,
                                                builder.getStringAttr(name),
                                                ValueRange{y, n})
                      .getResult(0));
  }
  mlir::Value half = arith::ShRSIOp::create(builder, loc, n, bits(1));
  mlir::Value other = arith::SubIOp::create(builder, loc, n, half);
  y = arith::MulFOp::create(builder, loc, y, powerOfTwo(half));
  y = arith::MulFOp::create(builder, loc, y, powerOfTwo(other));
  return keepNaN(x, select(isTiny, number(0), y));
}

/// 2 (2^(n-1) (e^r - 1) + (2^(n-1) - 1/2)). Near 0 it is x + x^2 / 2.
mlir::Value MathCode::expm1(mlir::Value x) {
  mlir::Value most = number(pick(89, 710)), least = number(pick(-20, -40));
  mlir::Value y = select(less(most, x), most, x);
  y = select(less(y, least), least, y); // there the result is -1
  Power parts = power(y);
  mlir::Value scale = powerOfTwo(parts.bits, 0.5);
  mlir::Value e = fma(parts.less1, scale, add(scale, number(-0.5)));
  e = add(e, e);
  mlir::Value near = mul(x, fma(x, number(0.5), 1));
  mlir::Value isNear = less(abs(x), number(pick(0x1p-13, 0x1p-27)));
  return keepNaN(x, select(isNear, near, e));
}

/// x = m 2^e with sqrt(1/2) <= m < sqrt(2), of a positive number.
MathCode::Split MathCode::split(mlir::Value x) {
  mlir::Value isSubnormal = less(x, number(pick(0x1p-126, 0x1p-1022)));
  mlir::Value up = number(pick(0x1p23, 0x1p52));
  mlir::Value scaled =
      select(isSubnormal, arith::MulFOp::create(builder, loc, x, up), x);
  mlir::Value own = arith::BitcastOp::create(builder, loc, whole, scaled);
  // Counted from sqrt(1/2), so that the rest of the bits is m. Vectors of some CPUs
  // have no arithmetic shift of 64 bits, and no conversion to f64: e is counted from
  // -1023, and put into the last bits of 2^52.
  mlir::Value root = bitsOf(pick(0x1.6a09e6p-1, 0x1.6a09e667f3bcdp-1));
  mlir::Value from = arith::SubIOp::create(builder, loc, own, root);
  mlir::Value exponent, places;
  mlir::Value shift = bits(mantissaBits());
  if (isDouble) {
    from = arith::AddIOp::create(builder, loc, from, bitsOf(1));
    mlir::Value e = arith::ShRUIOp::create(builder, loc, from, shift);
    exponent = arith::BitcastOp::create(
        builder, loc, real,
        arith::OrIOp::create(builder, loc, e, bitsOf(0x1p52)));
    exponent = add(exponent, number(-0x1p52 - 1023));
    places = arith::SubIOp::create(builder, loc, e, bits(1023));
  } else {
    places = arith::ShRSIOp::create(builder, loc, from, shift);
    exponent = arith::SIToFPOp::create(builder, loc, real, places);
  }
  mlir::Value mantissa = arith::SubIOp::create(
      builder, loc, own, arith::ShLIOp::create(builder, loc, places, shift));
  mlir::Value m = arith::BitcastOp::create(builder, loc, real, mantissa);
  exponent = select(isSubnormal, add(exponent, number(-double(mantissaBits()))),
                    exponent);
  return {m, exponent};
}

/// log(m 2^e) = log(m) + e log(2).
mlir::Value MathCode::log(mlir::Value x) {
  auto [m, exponent] = split(x);
  mlir::Value y = isDouble ? logOfDouble(m, exponent) : logOfFloat(m, exponent);
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

/// f - f^2 / 2 + f^3 p(f) with f = m - 1.
mlir::Value MathCode::logOfFloat(mlir::Value m, mlir::Value exponent) {
  mlir::Value f = add(m, number(-1)), z = mul(f, f);
  mlir::Value p =
      polynomial(f, {7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1,
                     -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
                     2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1});
  mlir::Value y = fma(mul(p, f), z, mul(exponent, number(-2.12194440e-4)));
  y = fma(z, number(-0.5), y);
  y = add(f, y);
  return fma(exponent, number(0.693359375), y);
}

/// f - f^2 / 2 + s (f^2 / 2 + s^2 p(s^2)) with f = m - 1 and s = f / (2 + f).
mlir::Value MathCode::logOfDouble(mlir::Value m, mlir::Value exponent) {
  mlir::Value f = add(m, number(-1));
  mlir::Value s = arith::DivFOp::create(builder, loc, f, add(f, number(2)));
  mlir::Value z = mul(s, s), half = mul(mul(f, number(0.5)), f);
  mlir::Value p =
      polynomial(z, {1.479819860511658591e-01, 1.531383769920937332e-01,
                     1.818357216161805012e-01, 2.222219843214978396e-01,
                     2.857142874366239149e-01, 3.999999999940941908e-01,
                     6.666666666666735130e-01});
  mlir::Value y =
      fma(s, fma(p, z, half), mul(exponent, number(0x1.a39ef35793c76p-33)));
  y = sub(half, y);
  y = sub(y, f);
  mlir::Value whole = arith::MulFOp::create(builder, loc, exponent,
                                            number(0x1.62e42fee00000p-1));
  return sub(whole, y);
}

/// log(u) and what rounding u = 1 + x loses, over u. Near 0 it is
/// x - x^2 / 2.
mlir::Value MathCode::log1p(mlir::Value x) {
  mlir::Value one = number(1);
  mlir::Value u = arith::AddFOp::create(builder, loc, one, x);
  mlir::Value most = sub(u, one);
  mlir::Value lost =
      arith::AddFOp::create(builder, loc, sub(one, sub(u, most)), sub(x, most));
  lost = arith::DivFOp::create(builder, loc, lost, u);
  // Of 0, infinity, and what is so large that nothing is lost that counts.
  mlir::Value isOrdinary = arith::AndIOp::create(
      builder, loc, less(number(-1), x), less(x, number(pick(0x1p30, 0x1p60))));
  mlir::Value y = arith::AddFOp::create(builder, loc, log(u),
                                        select(isOrdinary, lost, number(0)));
  mlir::Value near = mul(x, fma(x, number(-0.5), 1));
  mlir::Value isNear = less(abs(x), number(pick(0x1p-13, 0x1p-27)));
  return select(isNear, near, y);
}

/// x = m 2^e with an integer m of 24 bits. Of x * 2/pi, what counts is its value modulo
/// 4: of the bits of 2/pi, those from place e - 1 on. Three words of them give 62 bits
/// behind the point; no f32 is nearer than 2^-31 to a multiple of pi / 2 (but 0).
MathCode::Angle MathCode::reduceFloat(mlir::Value x) {
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
  return {arith::TruncIOp::create(builder, loc, whole, quarters), fraction};
}

/// The sine or the cosine of the rest, by the number of quarters.
mlir::Value MathCode::wave(mlir::Value x, bool isCosine) {
  mlir::Value size = abs(x);
  Angle angle = isDouble ? reduceDouble(size) : reduceFloat(x);
  mlir::Value isSmall =
      less(size, number(pick(0.78539816, 0.78539816339744828)));
  mlir::Value rest = isDouble ? angle.rest : narrow(angle.rest);
  mlir::Value r = select(isSmall, size, rest), z = mul(r, r);
  mlir::Value quarters = select(isSmall, bits(0), angle.quarters);
  if (isCosine)
    quarters = arith::AddIOp::create(builder, loc, quarters, bits(1));
  static constexpr double kSineOfFloat[] = {-1.9515295891e-4, 8.3321608736e-3,
                                            -1.6666654611e-1};
  static constexpr double kCosineOfFloat[] = {
      2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2};
  static constexpr double kSineOfDouble[] = {
      1.58969099521155010221e-10, -2.50507602534068634195e-08,
      2.75573137070700676789e-06, -1.98412698298579493134e-04,
      8.33333333332248946124e-03, -1.66666666666666324348e-01};
  static constexpr double kCosineOfDouble[] = {
      -1.13596475577881948265e-11, 2.08757232129817482790e-09,
      -2.75573143513906633035e-07, 2.48015872894767294178e-05,
      -1.38888888888741095749e-03, 4.16666666666666019037e-02};
  mlir::Value s = polynomial(z, isDouble ? ArrayRef(kSineOfDouble)
                                         : ArrayRef(kSineOfFloat));
  s = fma(mul(s, z), r, r);
  mlir::Value c = polynomial(z, isDouble ? ArrayRef(kCosineOfDouble)
                                         : ArrayRef(kCosineOfFloat));
  c = fma(mul(c, z), z, fma(z, number(-0.5), 1));
  auto hasBit = [&](int64_t bit) -> mlir::Value {
    return arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ne,
        arith::AndIOp::create(builder, loc, quarters, bits(bit)), bits(0));
  };
  mlir::Value y = select(hasBit(1), c, s);
  y = select(hasBit(2), neg(y), y);
  if (!isCosine) {
    y = select(isNegative(x), neg(y), y);
  }
  // Of NaN and infinities there is none.
  mlir::Value isFinite = less(size, number(INFINITY));
  return select(isFinite, y, number(NAN));
}

/// |x| = n log(2) / 2 + r. With s = 2^-n and c = r / tanh(r), a polynomial of r^2,
/// the result is (c (1 - s) + r (1 + s)) / (c (1 + s) + r (1 - s)). The divisor is the
/// dividend and 2 s (c - r): what rounding the dividend loses hardly counts where s is
/// small. It counts where r < 0 and s = 1/2, since the dividend is a difference there.
/// So r is between -0.2 log(2) / 2 and 0.8 log(2) / 2.
mlir::Value MathCode::tanh(mlir::Value x) {
  mlir::Value one = number(1), size = abs(x);
  mlir::Value most = number(pick(10, 22)); // there the result is 1
  size = select(less(most, size), most, size);
  mlir::Value shifted = fma(add(size, number(-0.3 * 0.34657359027997264)),
                            number(2.8853900817779268), units());
  mlir::Value n = sub(shifted, number(units()));
  mlir::Value r =
      fma(n, number(-pick(0.693359375, 0x1.62e42fee00000p-1) / 2), size);
  r = fma(n, number(-pick(-2.12194440e-4, 0x1.a39ef35793c76p-33) / 2), r);
  static constexpr double kOfFloat[] = {0x1.11594p-9, -0x1.6c11p-6,
                                        0x1.555554p-2};
  static constexpr double kOfDouble[] = {
      -0x1.1acfd84e685aap-19, 0x1.668f886db26d1p-16, -0x1.bbd74fc442c4cp-13,
      0x1.1566abaef9883p-9,   -0x1.6c16c16c1044cp-6, 0x1.555555555554fp-2};
  mlir::Value z = mul(r, r);
  mlir::Value c = fma(
      polynomial(z, isDouble ? ArrayRef(kOfDouble) : ArrayRef(kOfFloat)), z, 1);
  mlir::Value s = arith::BitcastOp::create(
      builder, loc, real,
      arith::SubIOp::create(
          builder, loc, bitsOf(1),
          arith::ShLIOp::create(
              builder, loc,
              arith::BitcastOp::create(builder, loc, whole, shifted),
              bits(mantissaBits()))));
  mlir::Value above = fma(c, sub(one, s), mul(r, add(one, s)));
  mlir::Value below = fma(sub(c, r), add(s, s), above);
  return withSign(arith::DivFOp::create(builder, loc, above, below), x);
}

/// Up to a bound an odd polynomial, else 1 - q(|x|)^4, of f64 1 - q(|x|)^8. Both
/// polynomials are fits of the least greatest error, of erf(x) / x and of the root of
/// 1 - erf(x), rounded. Of the odd one of f64 the last four coefficients are rounded
/// first, and the others fit the rest.
mlir::Value MathCode::erf(mlir::Value x) {
  static constexpr double kNearOfFloat[] = {-0x1.273ff4p-11, 0x1.4246eap-8,
                                            -0x1.b5a362p-6,  0x1.ce0944p-4,
                                            -0x1.812674p-2,  0x1.06eba2p-3};
  static constexpr double kFarOfFloat[] = {
      -0x1.720e2ap-16, -0x1.7ff0dap-15, 0x1.649b74p-10,
      -0x1.ce6e12p-9,  -0x1.31ce7cp-7,  0x1.68fe4cp-5,
      0x1.49bf78p-5,   -0x1.9dd3fap-2,  0x1.0dcb70p-1};
  static constexpr double kNearOfDouble[] = {
      -0x1.2a3c89f0db13fp-38, 0x1.893d3c61026e2p-34,  -0x1.535ab8a3941e9p-30,
      0x1.fe6d8881a7b22p-27,  -0x1.5fb39e7c87822p-23, 0x1.b9f1a6812b063p-20,
      -0x1.f4d38ece37b73p-17, 0x1.f9a33d65e0647p-14,  -0x1.c02db514e8a17p-11,
      0x1.565bcd16e58a9p-8,   -0x1.b82ce312d796cp-6,  0x1.ce2f21a0443afp-4,
      -0x1.812746b037a14p-2,  0x1.06eba8214db69p-3};
  static constexpr double kFarOfDouble[] = {
      -0x1.d3fad36e5862cp-45, 0x1.e0f79cc5a889dp-40,  -0x1.b2502059aea3cp-36,
      0x1.7e70ff69783e4p-33,  -0x1.e62b60b0477d4p-33, -0x1.6ead78fa5984cp-28,
      0x1.f10775fc7a16dp-26,  0x1.6662c95d1e4a4p-25,  -0x1.3007d98fc70c7p-22,
      -0x1.77b23ceabf41bp-18, 0x1.03ed940fbc45bp-15,  0x1.f42f7adc4869cp-14,
      -0x1.29a0e325fe163p-10, -0x1.124bb23958c8cp-11, 0x1.53a8b645029fdp-6,
      -0x1.4a717682d2d4cp-7,  -0x1.2631f0ab9e1b9p-2,  0x1.4f612f6d1f5dep-1};
  mlir::Value p = polynomial(mul(x, x), isDouble ? ArrayRef(kNearOfDouble)
                                                 : ArrayRef(kNearOfFloat));
  mlir::Value near = fma(p, x, x);
  mlir::Value size = abs(x),
              most = number(pick(4, 5.95)); // there the result is 1
  mlir::Value u =
      add(select(less(most, size), most, size), number(-pick(1.25, 1.5)));
  mlir::Value q =
      polynomial(u, isDouble ? ArrayRef(kFarOfDouble) : ArrayRef(kFarOfFloat));
  q = mul(q, q);
  if (isDouble)
    q = mul(q, q);
  mlir::Value far = fma(neg(q), q, 1);
  return select(less(size, number(pick(1, 1.25))), near, withSign(far, x));
}

/// From 1/2 on e^(-x^2) p((x - 1) / (x + 1)) / (x + 1), where p is a fit of the least
/// greatest error, rounded. The square is split as h^2 + (x - h)(x + h), where h^2 is
/// exact: its rounding error would be multiplied by x^2.
mlir::Value MathCode::erfc(mlir::Value x) {
  // Beyond most the result is 0: the least normal number is greater. NaN stays NaN.
  mlir::Value one = number(1), size = abs(x), most = number(0x1.2639bep+3);
  mlir::Value isFar = less(most, size);
  mlir::Value a = select(isFar, most, size);
  mlir::Value h = arith::BitcastOp::create(
      builder, loc, real,
      arith::AndIOp::create(builder, loc,
                            arith::BitcastOp::create(builder, loc, whole, a),
                            bits(-4096)));
  mlir::Value square = arith::MulFOp::create(builder, loc, h, h);
  Power parts = power(neg(square), mul(sub(a, h), add(a, h)));
  mlir::Value d = add(a, one);
  mlir::Value inverse = arith::DivFOp::create(builder, loc, one, d);
  mlir::Value u = fma(number(-2), inverse, 1);
  mlir::Value slope =
      polynomial(u, {0x1.b5c26p-9, -0x1.8a5e38p-8, -0x1.9fa3fcp-9,
                     -0x1.090028p-11, 0x1.316ecp-7, 0x1.9f6c02p-6,
                     0x1.c84ca2p-7, -0x1.876576p-4, -0x1.e6c564p-3});
  mlir::Value start = number(0x1.b5d878p-1), p = fma(slope, u, start);
  mlir::Value lostOfP = fma(slope, u, sub(start, p));
  // q = p / (x + 1), and what its rounding and those of p and x + 1 lost.
  mlir::Value q = arith::MulFOp::create(builder, loc, p, inverse);
  mlir::Value negated = neg(q);
  mlir::Value lost = fma(negated, d, p);
  lost = add(fma(negated, sub(a, sub(d, one)), lost), lostOfP);
  lost = mul(lost, inverse);
  // (q + lost) e^r
  mlir::Value y = add(q, fma(q, parts.less1, fma(lost, parts.less1, lost)));
  y = arith::MulFOp::create(builder, loc, y, powerOfTwo(parts.bits));
  y = select(isFar, number(0), y);
  y = select(isNegative(x), sub(number(2), y), y);
  mlir::Value nearP =
      polynomial(mul(x, x), {0x1.322c52p-8, -0x1.b5f67ap-6, 0x1.ce1fd4p-4,
                             -0x1.81271cp-2, 0x1.06eba8p-3});
  mlir::Value near = fma(neg(nearP), x, sub(one, x));
  return select(less(size, number(0.5)), near, y);
}

void cpu::expandMath(ModuleOp module, bool scales, bool fuses) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    bool isOfBoth = isa<math::ExpOp, math::ExpM1Op, math::LogOp, math::Log1pOp,
                        math::TanhOp>(op);
    bool isOfFloat =
        isa<math::SinOp, math::CosOp, math::ErfOp, math::ErfcOp, math::TanOp,
            math::Atan2Op, math::CbrtOp, math::PowFOp>(op);
    if ((isOfBoth || isOfFloat) &&
        (op->getResult(0).getType().isF32() ||
         ((isOfBoth ||
           (fuses &&
            isa<math::PowFOp, math::SinOp, math::CosOp, math::ErfOp>(op))) &&
          op->getResult(0).getType().isF64())))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    MathCode code(op, scales, fuses);
    mlir::Value x = op->getOperand(0);
    mlir::Value value =
        llvm::TypeSwitch<Operation *, mlir::Value>(op)
            .Case([&](math::ExpOp) { return code.exp(x); })
            .Case([&](math::ExpM1Op) { return code.expm1(x); })
            .Case([&](math::LogOp) { return code.log(x); })
            .Case([&](math::Log1pOp) { return code.log1p(x); })
            .Case([&](math::SinOp) { return code.wave(x, false); })
            .Case([&](math::CosOp) { return code.wave(x, true); })
            .Case([&](math::TanhOp) { return code.tanh(x); })
            .Case([&](math::ErfOp) { return code.erf(x); })
            .Case([&](math::ErfcOp) { return code.erfc(x); })
            .Case([&](math::TanOp) { return code.tan(x); })
            .Case([&](math::CbrtOp) { return code.cbrt(x); })
            .Case(
                [&](math::Atan2Op) { return code.atan2(x, op->getOperand(1)); })
            .Case([&](math::PowFOp) { return code.pow(x, op->getOperand(1)); });
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
}
