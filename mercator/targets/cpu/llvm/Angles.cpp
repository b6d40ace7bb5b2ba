// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Angles of f64, for sin and cos. The quarters of the circle are x * 2/pi modulo 4. The
// fraction needs 118 bits: 6381956970095103 * 2^797 differs by less than 2^-60 from a
// multiple of pi / 2. As Payne and Hanek do (see VectorMath.cpp), x is multiplied by the
// bits of 2/pi that matter: those before give whole turns.

#include "mercator/targets/cpu/llvm/MathCode.h"
#include "mercator/targets/cpu/llvm/RealCode.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <cmath>

using namespace mlir;
using namespace mercator;
using cpu::MathCode;
using cpu::Real;
using cpu::Truth;

/// 2/pi is the sum of kTwoOverPi[j] * 2^(-48 (j + 1)), all of them integers.
static constexpr int kBitsOfPart = 48;
static constexpr double kTwoOverPi[] = {
    0x1.45f306dc9c880p+47, 0x1.529fc2757d100p+44, 0x1.ea69bb81b6c40p+47,
    0x1.2b32788720820p+47, 0x1.fca2c757bd760p+47, 0x1.8ac36e48dc740p+47,
    0x1.09374b8019240p+46, 0x1.77504e8c90e00p+45, 0x1.fc3bd63962520p+47,
    0x1.4e7dd1046bea0p+47, 0x1.75da24274ce00p+45, 0x1.c09ad17df9040p+46,
    0x1.cc8eb1cc1a980p+45, 0x1.cfa4e422fc580p+45, 0x1.7bf250763ff00p+47,
    0x1.2fffbc0b301e0p+47, 0x1.de5e2316b4140p+47, 0x1.b47db4d9fb3c0p+46,
    0x1.3e584dba7a300p+45, 0x1.fb34f2ff51680p+45, 0x1.d49eeb1faf940p+46,
    0x1.e2f67a0e73ee0p+47, 0x1.14a525d4d7f60p+47, 0x1.7ec47e3574200p+46,
    0x1.580cc11bf1ec0p+46};
/// With so many parts the fraction has 138 bits.
static constexpr size_t kPartCount = 5;

/// Drops the parts whose products with x are whole turns, and divides x by the power of
/// two that the others lose. The number of dropped parts is found bit by bit; each bit
/// chooses between two halves of the parts that are left, which takes no table in memory.
static SmallVector<Real> choosePartsOfTwoOverPi(Real &x) {
  SmallVector<Real> parts;
  for (double part : kTwoOverPi)
    parts.push_back(x.number(part));
  for (int step : {16, 8, 4, 2, 1}) {
    // x is a multiple of 2^(2 + 48 step), for it has 53 bits.
    Truth drops = x >= std::ldexp(1, 54 + kBitsOfPart * step);
    x = choose(drops, x * std::ldexp(1, -kBitsOfPart * step), x);
    size_t count = kPartCount + size_t(step) - 1;
    for (size_t i = 0; i < count; ++i)
      if (i + size_t(step) < parts.size())
        parts[i] = choose(drops, parts[i + size_t(step)], parts[i]);
    parts.resize(std::min(parts.size(), count), x);
  }
  return parts;
}

/// A number of quarters less whole turns.
static Real withoutTurns(Real quarters) {
  return quarters - roundeven(quarters * 0.25) * 4;
}

/// The sum of the multiples of `unit` that are nearest to the terms, which are replaced
/// by their rests. It is exact if the sizes of all terms add up to less than
/// 2^52 units.
static Real takeMultiples(MutableArrayRef<Real> terms, double unit) {
  Real sum = terms.front().number(0);
  for (Real &term : terms) {
    Real multiple = (term + 0x1.8p52 * unit) - 0x1.8p52 * unit;
    term = term - multiple;
    sum = sum + multiple;
  }
  return sum;
}

/// The nearest multiple of pi / 2, in the last bits of a float, and the rest of x.
struct QuartersAndRest {
  Real quarters, rest;
};

/// Of any number above 1/2.
static QuartersAndRest reduceLarge(Real x) {
  SmallVector<Real> parts = choosePartsOfTwoOverPi(x);
  // The products are below 2^102, 2^54, 2^6, 2^-42 and 2^-90, what rounding them loses
  // 2^53 times less.
  SmallVector<Real> products, losses;
  for (size_t i = 0; i < kPartCount; ++i) {
    Real scaled = x * std::ldexp(1, -kBitsOfPart * int(i + 1));
    products.push_back(scaled * parts[i]);
    if (i < 4)
      losses.push_back(cpu::fma(scaled, parts[i], -products[i]));
  }
  SmallVector<Real> terms = {withoutTurns(products[0]), withoutTurns(losses[0]),
                             withoutTurns(products[1]), losses[1], products[2]};
  Real high = takeMultiples(terms, 0x1p-44);
  terms.append({losses[2], products[3]});
  Real middle = takeMultiples(terms, 0x1p-92);
  Real low = losses[3] + products[4];
  for (Real term : terms)
    low = low + term;
  Real shifted = high + 0x1.8p52;
  Real fraction = high - (shifted - 0x1.8p52);
  Real most = fraction + middle;
  Real rest = (middle - (most - fraction)) + low;
  constexpr double kHalfPi = 0x1.921fb54442d18p+0,
                   kRestOfIt = 0x1.1a62633145c07p-54;
  Real angle = cpu::fma(most, x.number(kHalfPi),
                        cpu::fma(most, x.number(kRestOfIt), rest * kHalfPi));
  return {shifted, angle};
}

/// Below 2^13, as Cody and Waite do: the products of a number of quarters and the first
/// two parts of pi / 2, of 40 bits each, are exact.
static QuartersAndRest reduceSmall(Real x) {
  Real shifted =
      cpu::fma(x, x.number(0x1.45f306dc9c883p-1), x.number(0x1.8p52));
  Real n = shifted - 0x1.8p52;
  Real first = cpu::fma(n, x.number(-0x1.921fb54442p+0), x);
  Real second = x.number(-0x1.a308d31318p-41);
  Real high = cpu::fma(n, second, first);
  Real low = cpu::fma(n, second, first - high);
  return {shifted, high + cpu::fma(n, x.number(-0x1.8a2e03707344ap-81), low)};
}

/// Requires: 1/2 < x, or the result is not used. A loop that is not in vectors computes
/// one of the two: nearly all numbers are small.
MathCode::Angle MathCode::reduceDouble(mlir::Value size) {
  ImplicitLocOpBuilder b(loc, builder);
  Truth isSmall = Real{size, &b} < 0x1p13;
  auto branch = [&](QuartersAndRest (*reduce)(Real)) {
    return [=](OpBuilder &builder, Location loc) {
      ImplicitLocOpBuilder inner(loc, builder);
      auto [quarters, rest] = reduce({size, &inner});
      scf::YieldOp::create(inner, ValueRange{quarters.value, rest.value});
    };
  };
  auto choice = scf::IfOp::create(b, isSmall.value, branch(reduceSmall),
                                  branch(reduceLarge));
  return {arith::BitcastOp::create(builder, loc, whole, choice.getResult(0)),
          choice.getResult(1)};
}
