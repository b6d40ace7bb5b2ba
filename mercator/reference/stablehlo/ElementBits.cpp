// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Logic, shifts, counts. A shift by at least the width, or by a negative
// number, shifts out all bits.

#include "mercator/reference/stablehlo/ElementFamilies.h"

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Scalars.h"

#include "llvm/ADT/TypeSwitch.h"

#include <bit>

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference::families {

static bool isPastWidth(const Element &element, Scalar amount) {
  return bitsOf(element, amount) >= element.bits;
}

static Scalar shiftLeft(const ElementFunction &self, const Scalar *x) {
  if (isPastWidth(self.operand, x[1]))
    return Scalar::whole(0);
  return self.result.round(
      Scalar::whole(int64_t(uint64_t(x[0].integer) << x[1].integer)));
}

static Scalar shiftRightLogical(const ElementFunction &self, const Scalar *x) {
  if (isPastWidth(self.operand, x[1]))
    return Scalar::whole(0);
  return self.result.round(
      Scalar::whole(int64_t(bitsOf(self.operand, x[0]) >> x[1].integer)));
}

// The highest bit is shifted in, for unsigned integers too.
static Scalar shiftRightArithmetic(const ElementFunction &self,
                                   const Scalar *x) {
  unsigned unused = 64 - self.operand.bits;
  int64_t value = int64_t(uint64_t(x[0].integer) << unused) >> unused;
  int64_t amount = isPastWidth(self.operand, x[1]) ? 63 : x[1].integer;
  return self.result.round(Scalar::whole(value >> amount));
}

static Scalar countLeadingZeros(const ElementFunction &self, const Scalar *x) {
  int zeros = std::countl_zero(bitsOf(self.operand, x[0]));
  return self.result.round(Scalar::whole(zeros + int(self.operand.bits) - 64));
}

static Scalar populationCount(const ElementFunction &self, const Scalar *x) {
  return self.result.round(
      Scalar::whole(std::popcount(bitsOf(self.operand, x[0]))));
}

Call bits(Operation *op, const Element &operand) {
  if (!operand.isInteger() && operand.kind != ElementKind::Boolean)
    return nullptr;
  return llvm::TypeSwitch<Operation *, Call>(op)
      .Case<AndOp, chlo::BroadcastAndOp>([](auto) { return call<andInt>; })
      .Case<OrOp, chlo::BroadcastOrOp>([](auto) { return call<orInt>; })
      .Case<XorOp, chlo::BroadcastXorOp>([](auto) { return call<xorInt>; })
      .Case([](NotOp) { return call<notInt>; })
      .Case<ShiftLeftOp, chlo::BroadcastShiftLeftOp>(
          [](auto) { return shiftLeft; })
      .Case<ShiftRightArithmeticOp, chlo::BroadcastShiftRightArithmeticOp>(
          [](auto) { return shiftRightArithmetic; })
      .Case<ShiftRightLogicalOp, chlo::BroadcastShiftRightLogicalOp>(
          [](auto) { return shiftRightLogical; })
      .Case([](ClzOp) { return countLeadingZeros; })
      .Case([](PopulationCountOp) { return populationCount; })
      .Default(nullptr);
}

} // namespace mercator::reference::families
