// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Addition, division, extrema, signs. Where the specification leaves the result
// open, it is XLA's: x / 0 has all bits set, x % 0 is x, and the lowest integer
// divided by -1 is itself.

#include "mercator/reference/core/ElementFamilies.h"

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <complex>
#include <limits>

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference::families {

//===----------------------------------------------------------------------===//
// Integers. Computed in 64 bits for every type: the low bits are correct, and
// round() keeps those.
//===----------------------------------------------------------------------===//

static int64_t addInt(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) + uint64_t(b));
}
static int64_t subtractInt(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) - uint64_t(b));
}
static int64_t multiplyInt(int64_t a, int64_t b) {
  return int64_t(uint64_t(a) * uint64_t(b));
}
static int64_t negateInt(int64_t a) { return int64_t(0 - uint64_t(a)); }
static int64_t absInt(int64_t a) { return a < 0 ? negateInt(a) : a; }
static int64_t sameInt(int64_t a) { return a; }
static int64_t signInt(int64_t a) { return a < 0 ? -1 : a > 0; }
static int64_t signUInt(int64_t a) { return a != 0; }

static int64_t divideInt(int64_t a, int64_t b) {
  if (b == 0)
    return -1;
  return b == -1 ? negateInt(a) : a / b;
}
static int64_t divideUInt(int64_t a, int64_t b) {
  return b == 0 ? -1 : int64_t(uint64_t(a) / uint64_t(b));
}
static int64_t remainderInt(int64_t a, int64_t b) {
  if (b == 0)
    return a;
  return b == -1 ? 0 : a % b;
}
static int64_t remainderUInt(int64_t a, int64_t b) {
  return b == 0 ? a : int64_t(uint64_t(a) % uint64_t(b));
}

static int64_t powerUInt(int64_t base, int64_t exponent) {
  uint64_t result = 1, square = uint64_t(base);
  for (uint64_t left = uint64_t(exponent); left; left >>= 1) {
    if (left & 1)
      result *= square;
    square *= square;
  }
  return int64_t(result);
}
// The quotient 1 / base^|exponent|, truncated, if it exists.
static int64_t powerInt(int64_t base, int64_t exponent) {
  if (exponent >= 0)
    return powerUInt(base, exponent);
  if (base == -1)
    return exponent % 2 ? -1 : 1;
  return base == 1;
}

static int64_t andInt(int64_t a, int64_t b) { return a & b; }
static int64_t orInt(int64_t a, int64_t b) { return a | b; }
static int64_t maxInt(int64_t a, int64_t b) { return std::max(a, b); }
static int64_t minInt(int64_t a, int64_t b) { return std::min(a, b); }
static int64_t maxUInt(int64_t a, int64_t b) {
  return uint64_t(a) < uint64_t(b) ? b : a;
}
static int64_t minUInt(int64_t a, int64_t b) {
  return uint64_t(b) < uint64_t(a) ? b : a;
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static double addReal(double a, double b) { return a + b; }
static double subtractReal(double a, double b) { return a - b; }
static double multiplyReal(double a, double b) { return a * b; }
static double divideReal(double a, double b) { return a / b; }
static double remainderReal(double a, double b) { return std::fmod(a, b); }
static double negateReal(double a) { return -a; }
static double absReal(double a) { return std::fabs(a); }

static double signReal(double a) {
  if (std::isnan(a) || a == 0)
    return a;
  return a < 0 ? -1 : 1;
}

// IEEE 754-2019 maximum and minimum: the result is NaN if an operand is, and +0
// is above -0.
static double maxReal(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? a : b;
  if (a == b)
    return std::signbit(a) ? b : a;
  return a < b ? b : a;
}
static double minReal(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? a : b;
  if (a == b)
    return std::signbit(a) ? a : b;
  return b < a ? b : a;
}

//===----------------------------------------------------------------------===//
// Complex numbers
//===----------------------------------------------------------------------===//

static Scalar addComplex(Scalar a, Scalar b) {
  return Scalar::complex(a.re + b.re, a.im + b.im);
}
static Scalar subtractComplex(Scalar a, Scalar b) {
  return Scalar::complex(a.re - b.re, a.im - b.im);
}
static Scalar multiplyComplex(Scalar a, Scalar b) {
  return Scalar::complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
static Scalar divideComplex(Scalar a, Scalar b) {
  std::complex<double> quotient =
      std::complex<double>(a.re, a.im) / std::complex<double>(b.re, b.im);
  return Scalar::complex(quotient.real(), quotient.imag());
}
static Scalar negateComplex(Scalar a) { return Scalar::complex(-a.re, -a.im); }
static Scalar absComplex(Scalar a) {
  return Scalar::real(std::hypot(a.re, a.im));
}

static bool isNaN(Scalar a) { return std::isnan(a.re) || std::isnan(a.im); }

static Scalar signComplex(Scalar a) {
  if (isNaN(a)) {
    double nan = std::numeric_limits<double>::quiet_NaN();
    return Scalar::complex(nan, nan);
  }
  if (a.re == 0 && a.im == 0)
    return Scalar::complex(0, 0);
  // Scaled, so that the modulus fits in a double.
  int exponent = 0;
  std::frexp(std::fmax(std::fabs(a.re), std::fabs(a.im)), &exponent);
  double re = std::ldexp(a.re, -exponent), im = std::ldexp(a.im, -exponent);
  double modulus = std::hypot(re, im);
  return Scalar::complex(re / modulus, im / modulus);
}

static bool isLess(Scalar a, Scalar b) {
  return a.re < b.re || (a.re == b.re && a.im < b.im);
}
static Scalar maxComplex(Scalar a, Scalar b) {
  if (isNaN(a) || isNaN(b))
    return isNaN(a) ? a : b;
  return isLess(a, b) ? b : a;
}
static Scalar minComplex(Scalar a, Scalar b) {
  if (isNaN(a) || isNaN(b))
    return isNaN(a) ? a : b;
  return isLess(b, a) ? b : a;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr ByKind kMaximum = {call<orInt>, call<maxInt>, call<maxUInt>,
                                    call<maxReal>, call<maxComplex>};
static constexpr ByKind kMinimum = {call<andInt>, call<minInt>, call<minUInt>,
                                    call<minReal>, call<minComplex>};

/// minimum(maximum(operand, min), max)
static Scalar clamp(const ElementFunction &self, const Scalar *x) {
  ElementKind kind = self.operand.kind;
  Scalar raised[] = {x[1], x[0]};
  Scalar lowered[] = {kMaximum[kind](self, raised), x[2]};
  return kMinimum[kind](self, lowered);
}

static ByKind table(Operation *op) {
  return llvm::TypeSwitch<Operation *, ByKind>(op)
      .Case([](AbsOp) {
        return ByKind{nullptr, call<absInt>, call<sameInt>, call<absReal>,
                      call<absComplex>};
      })
      .Case<AddOp, chlo::BroadcastAddOp>([](auto) {
        return ByKind{call<orInt>, call<addInt>, call<addInt>, call<addReal>,
                      call<addComplex>};
      })
      .Case([](ClampOp) { return ByKind{clamp, clamp, clamp, clamp, clamp}; })
      .Case<DivOp, chlo::BroadcastDivOp>([](auto) {
        return ByKind{nullptr, call<divideInt>, call<divideUInt>,
                      call<divideReal>, call<divideComplex>};
      })
      .Case<MaxOp, chlo::BroadcastMaxOp>([](auto) { return kMaximum; })
      .Case<MinOp, chlo::BroadcastMinOp>([](auto) { return kMinimum; })
      .Case<MulOp, chlo::BroadcastMulOp>([](auto) {
        return ByKind{call<andInt>, call<multiplyInt>, call<multiplyInt>,
                      call<multiplyReal>, call<multiplyComplex>};
      })
      .Case([](NegOp) {
        return ByKind{nullptr, call<negateInt>, call<negateInt>,
                      call<negateReal>, call<negateComplex>};
      })
      .Case<RemOp, chlo::BroadcastRemOp>([](auto) {
        return ByKind{nullptr, call<remainderInt>, call<remainderUInt>,
                      call<remainderReal>, nullptr};
      })
      .Case([](SignOp) {
        return ByKind{nullptr, call<signInt>, call<signUInt>, call<signReal>,
                      call<signComplex>};
      })
      .Case<SubtractOp, chlo::BroadcastSubOp>([](auto) {
        return ByKind{nullptr, call<subtractInt>, call<subtractInt>,
                      call<subtractReal>, call<subtractComplex>};
      })
      .Case<PowOp, chlo::BroadcastPowOp>([](auto) {
        return ByKind{nullptr, call<powerInt>, call<powerUInt>, nullptr,
                      nullptr};
      })
      .Default(ByKind());
}

Call arithmetic(Operation *op, const Element &operand) {
  return table(op)[operand.kind];
}

} // namespace mercator::reference::families
