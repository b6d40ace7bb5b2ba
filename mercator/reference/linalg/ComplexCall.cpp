// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Complex numbers. Functions are computed in the next wider float, as those of
// StableHLO are, so that intermediate overflow does not matter.

#include "mercator/reference/linalg/ComplexCall.h"
#include "mercator/reference/core/ComplexFunctions.h"
#include "mercator/reference/core/Scalars.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace mercator::reference {

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

static Scalar createComplex(const ElementFunction &self, const Scalar *x) {
  return self.result.round(Scalar::complex(x[0].re, x[1].re));
}
static Scalar realPart(const ElementFunction &self, const Scalar *x) {
  return self.result.round(Scalar::real(x->re));
}
static Scalar imaginaryPart(const ElementFunction &self, const Scalar *x) {
  return self.result.round(Scalar::real(x->im));
}
static Scalar conjugate(Scalar a) { return Scalar::complex(a.re, -a.im); }
static Scalar angle(Scalar a) { return Scalar::real(std::atan2(a.im, a.re)); }

static Scalar isEqual(const ElementFunction &, const Scalar *x) {
  return Scalar::whole(x[0].re == x[1].re && x[0].im == x[1].im);
}
static Scalar isUnequal(const ElementFunction &, const Scalar *x) {
  return Scalar::whole(x[0].re != x[1].re || x[0].im != x[1].im);
}

//===----------------------------------------------------------------------===//
// The operations
//===----------------------------------------------------------------------===//

static Call callOfParts(Operation *op) {
  return llvm::TypeSwitch<Operation *, Call>(op)
      .Case([](complex::AbsOp) { return call<absComplex>; })
      .Case([](complex::AddOp) { return call<addComplex>; })
      .Case([](complex::AngleOp) { return call<angle>; })
      .Case([](complex::ConjOp) { return call<conjugate>; })
      .Case([](complex::CreateOp) { return createComplex; })
      .Case([](complex::DivOp) { return call<divideComplex>; })
      .Case([](complex::EqualOp) { return isEqual; })
      .Case([](complex::ImOp) { return imaginaryPart; })
      .Case([](complex::MulOp) { return call<multiplyComplex>; })
      .Case([](complex::NegOp) { return call<negateComplex>; })
      .Case([](complex::NotEqualOp) { return isUnequal; })
      .Case([](complex::ReOp) { return realPart; })
      .Case([](complex::SignOp) { return call<signComplex>; })
      .Case([](complex::SubOp) { return call<subtractComplex>; })
      .Default(nullptr);
}

template <typename Wide> static Call callOfFunction(Operation *op) {
  return llvm::TypeSwitch<Operation *, Call>(op)
      .Case([](complex::Atan2Op) { return apply2<Wide, complexAtan2>; })
      .Case([](complex::CosOp) { return apply<Wide, complexCos>; })
      .Case([](complex::ExpOp) { return apply<Wide, complexExp>; })
      .Case([](complex::Expm1Op) { return apply<Wide, complexExpMinusOne>; })
      .Case([](complex::LogOp) { return apply<Wide, complexLog>; })
      .Case([](complex::Log1pOp) { return apply<Wide, complexLogPlusOne>; })
      .Case([](complex::PowOp) { return apply2<Wide, complexPower>; })
      .Case([](complex::RsqrtOp) { return apply<Wide, complexReciprocalSqrt>; })
      .Case([](complex::SinOp) { return apply<Wide, complexSin>; })
      .Case([](complex::SqrtOp) { return apply<Wide, complexSqrt>; })
      .Case([](complex::TanOp) { return apply<Wide, complexTan>; })
      .Case([](complex::TanhOp) { return apply<Wide, complexTanh>; })
      .Default(nullptr);
}

Call complexCall(Operation *op, const Element &operand) {
  if (Call call = callOfParts(op))
    return call;
  return operand.bits == 32 ? callOfFunction<double>(op)
                            : callOfFunction<long double>(op);
}

} // namespace mercator::reference
