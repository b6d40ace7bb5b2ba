// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The functions of the chlo dialect by their mathematical definition, not by
// their expansion to StableHLO.

#include "mercator/reference/stablehlo/ElementFamilies.h"

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/reference/core/ComplexFunctions.h"
#include "mercator/reference/stablehlo/SpecialFunctions.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mercator::chlo;

namespace mercator::reference::families {

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static double acosReal(double x) { return std::acos(x); }
static double acoshReal(double x) { return std::acosh(x); }
static double asinReal(double x) { return std::asin(x); }
static double asinhReal(double x) { return std::asinh(x); }
static double atanReal(double x) { return std::atan(x); }
static double atanhReal(double x) { return std::atanh(x); }
static double coshReal(double x) { return std::cosh(x); }
static double sinhReal(double x) { return std::sinh(x); }
static double tanReal(double x) { return std::tan(x); }
static double erfReal(double x) { return std::erf(x); }
static double erfcReal(double x) { return std::erfc(x); }
static double squareReal(double x) { return x * x; }
static double sameReal(double x) { return x; }

static Scalar isInf(const ElementFunction &, const Scalar *x) {
  return Scalar::whole(std::isinf(x->re));
}
static Scalar isPosInf(const ElementFunction &, const Scalar *x) {
  return Scalar::whole(std::isinf(x->re) && x->re > 0);
}
static Scalar isNegInf(const ElementFunction &, const Scalar *x) {
  return Scalar::whole(std::isinf(x->re) && x->re < 0);
}

/// The next number of the format, which may be farther than the next double.
static Scalar nextAfter(const ElementFunction &self, const Scalar *x) {
  double from = x[0].re, to = x[1].re;
  if (std::isnan(from) || std::isnan(to))
    return Scalar::real(std::isnan(from) ? from : to);
  if (from == to)
    return x[1];
  llvm::APFloat value(from);
  bool lost = false;
  value.convert(*self.operand.format, llvm::APFloat::rmNearestTiesToEven,
                &lost);
  value.next(/*nextDown=*/to < from);
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &lost);
  return Scalar::real(value.convertToDouble());
}

static Call ofReals(Operation *op) {
  return llvm::TypeSwitch<Operation *, Call>(op)
      .Case([](AcosOp) { return call<acosReal>; })
      .Case([](AcoshOp) { return call<acoshReal>; })
      .Case([](AsinOp) { return call<asinReal>; })
      .Case([](AsinhOp) { return call<asinhReal>; })
      .Case([](AtanOp) { return call<atanReal>; })
      .Case([](AtanhOp) { return call<atanhReal>; })
      .Case([](BesselI1eOp) { return call<scaledBesselI1>; })
      .Case([](ConjOp) { return call<sameReal>; })
      .Case([](CoshOp) { return call<coshReal>; })
      .Case([](DigammaOp) { return call<digamma>; })
      .Case([](ErfOp) { return call<erfReal>; })
      .Case([](ErfInvOp) { return call<inverseErf>; })
      .Case([](ErfcOp) { return call<erfcReal>; })
      .Case([](IsInfOp) { return isInf; })
      .Case([](IsNegInfOp) { return isNegInf; })
      .Case([](IsPosInfOp) { return isPosInf; })
      .Case([](LgammaOp) { return call<logGamma>; })
      .Case([](SinhOp) { return call<sinhReal>; })
      .Case([](SquareOp) { return call<squareReal>; })
      .Case([](TanOp) { return call<tanReal>; })
      .Case<NextAfterOp, BroadcastNextAfterOp>([](auto) { return nextAfter; })
      .Case<PolygammaOp, BroadcastPolygammaOp>(
          [](auto) { return call<polygamma>; })
      .Case<ZetaOp, BroadcastZetaOp>([](auto) { return call<hurwitzZeta>; })
      .Default(nullptr);
}

//===----------------------------------------------------------------------===//
// Complex numbers
//===----------------------------------------------------------------------===//

static Scalar conjugate(Scalar x) { return Scalar::complex(x.re, -x.im); }

template <typename Wide> static Call ofComplexes(Operation *op) {
  return llvm::TypeSwitch<Operation *, Call>(op)
      .Case([](AcosOp) { return apply<Wide, complexAcos>; })
      .Case([](AcoshOp) { return apply<Wide, complexAcosh>; })
      .Case([](AsinOp) { return apply<Wide, complexAsin>; })
      .Case([](AsinhOp) { return apply<Wide, complexAsinh>; })
      .Case([](AtanOp) { return apply<Wide, complexAtan>; })
      .Case([](AtanhOp) { return apply<Wide, complexAtanh>; })
      .Case([](ConjOp) { return call<conjugate>; })
      .Case([](CoshOp) { return apply<Wide, complexCosh>; })
      .Case([](SinhOp) { return apply<Wide, complexSinh>; })
      .Case([](SquareOp) { return apply<Wide, complexSquare>; })
      .Case([](TanOp) { return apply<Wide, complexTan>; })
      .Case([](AsinAcosKernelOp) { return apply<Wide, asinAcosKernel>; })
      .Default(nullptr);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static Scalar upperHalf(const ElementFunction &self, const Scalar *x) {
  unsigned bits = self.operand.bits;
  if (self.operand.kind == ElementKind::SignedInt)
    return Scalar::whole(
        int64_t(__int128(x[0].integer) * x[1].integer >> bits));
  unsigned __int128 product =
      (unsigned __int128)(uint64_t(x[0].integer)) * uint64_t(x[1].integer);
  return Scalar::whole(int64_t(product >> bits));
}

Call chlo(Operation *op, const Element &operand) {
  if (operand.isReal())
    return ofReals(op);
  if (operand.isComplex())
    return operand.bits == 32 ? ofComplexes<double>(op)
                              : ofComplexes<long double>(op);
  return isa<MulhiOp>(op) && operand.isInteger() ? upperHalf : nullptr;
}

} // namespace mercator::reference::families
