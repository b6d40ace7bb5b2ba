// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Logic, shifts, counts. A shift by at least the width, or by a negative
// number, shifts out all bits.

#include "mercator/transforms/stablehlo/scalars/ScalarFamilies.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace mercator::stablehlo::families {

/// shli or shrui.
template <typename Shift> static Value shift(const ScalarCall &c) {
  Value width = integer(c.b, c.element, c.element.getIntOrFloatBitWidth());
  Value zero = integer(c.b, c.element, 0);
  Value isWithin = compareInts(c.b, arith::CmpIPredicate::ult, c.x[1], width);
  Value shifted =
      Shift::create(c.b, c.x[0], choose(c.b, isWithin, c.x[1], zero));
  return choose(c.b, isWithin, shifted, zero);
}

/// The highest bit is shifted in, so a longer shift is one by width - 1.
static Value shiftSigned(const ScalarCall &c) {
  Value most = integer(c.b, c.element, c.element.getIntOrFloatBitWidth() - 1);
  return arith::ShRSIOp::create(c.b, c.x[0],
                                c.b.createOrFold<arith::MinUIOp>(c.x[1], most));
}

Value bits(const ScalarCall &c) {
  if (c.kind == Kind::Real || c.kind == Kind::Complex)
    return Value();
  return llvm::TypeSwitch<Operation *, Value>(c.op)
      .Case([&](AndOp) { return makeBinary<arith::AndIOp>(c); })
      .Case([&](OrOp) { return makeBinary<arith::OrIOp>(c); })
      .Case([&](XorOp) { return makeBinary<arith::XOrIOp>(c); })
      .Case([&](NotOp) -> Value {
        return arith::XOrIOp::create(c.b, c.x[0], integer(c.b, c.element, -1));
      })
      .Case([&](ShiftLeftOp) { return shift<arith::ShLIOp>(c); })
      .Case([&](ShiftRightLogicalOp) { return shift<arith::ShRUIOp>(c); })
      .Case([&](ShiftRightArithmeticOp) { return shiftSigned(c); })
      .Case([&](ClzOp) -> Value {
        return math::CountLeadingZerosOp::create(c.b, c.x[0]);
      })
      .Case([&](PopulationCountOp) -> Value {
        return math::CtPopOp::create(c.b, c.x[0]);
      })
      .Default(Value());
}

} // namespace mercator::stablehlo::families
