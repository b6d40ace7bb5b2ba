// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Addition, division, extrema, signs.

#include "mercator/reference/stablehlo/ElementFamilies.h"

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Scalars.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference::families {

static int64_t signUInt(int64_t a) { return a != 0; }

static bool isLess(Scalar a, Scalar b) {
  return a.re < b.re || (a.re == b.re && a.im < b.im);
}
static Scalar maxComplex(Scalar a, Scalar b) {
  if (isNaNComplex(a) || isNaNComplex(b))
    return isNaNComplex(a) ? a : b;
  return isLess(a, b) ? b : a;
}
static Scalar minComplex(Scalar a, Scalar b) {
  if (isNaNComplex(a) || isNaNComplex(b))
    return isNaNComplex(a) ? a : b;
  return isLess(b, a) ? b : a;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static constexpr ByKind kMaximum = {call<orInt>, call<maxInt>, call<maxUInt>,
                                    call<maximum>, call<maxComplex>};
static constexpr ByKind kMinimum = {call<andInt>, call<minInt>, call<minUInt>,
                                    call<minimum>, call<minComplex>};

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
