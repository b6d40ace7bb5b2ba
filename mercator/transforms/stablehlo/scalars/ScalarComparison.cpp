// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Comparisons and selects.

#include "mercator/transforms/stablehlo/scalars/ScalarFamilies.h"

using namespace mlir;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

namespace mercator::stablehlo::families {

static CmpIPredicate predicateOfInts(ComparisonDirection direction,
                                     bool isSigned) {
  switch (direction) {
  case ComparisonDirection::EQ:
    return CmpIPredicate::eq;
  case ComparisonDirection::NE:
    return CmpIPredicate::ne;
  case ComparisonDirection::GE:
    return isSigned ? CmpIPredicate::sge : CmpIPredicate::uge;
  case ComparisonDirection::GT:
    return isSigned ? CmpIPredicate::sgt : CmpIPredicate::ugt;
  case ComparisonDirection::LE:
    return isSigned ? CmpIPredicate::sle : CmpIPredicate::ule;
  case ComparisonDirection::LT:
    return isSigned ? CmpIPredicate::slt : CmpIPredicate::ult;
  }
  llvm_unreachable("all directions are handled");
}

/// With a NaN only NE holds.
static CmpFPredicate predicateOfReals(ComparisonDirection direction) {
  switch (direction) {
  case ComparisonDirection::EQ:
    return CmpFPredicate::OEQ;
  case ComparisonDirection::NE:
    return CmpFPredicate::UNE;
  case ComparisonDirection::GE:
    return CmpFPredicate::OGE;
  case ComparisonDirection::GT:
    return CmpFPredicate::OGT;
  case ComparisonDirection::LE:
    return CmpFPredicate::OLE;
  case ComparisonDirection::LT:
    return CmpFPredicate::OLT;
  }
  llvm_unreachable("all directions are handled");
}

/// The bits of a float as a signed integer in the order of IEEE 754's
/// totalOrder. The narrow types, some of which encode a NaN as -0, are read as
/// f32.
static Value orderOf(ImplicitLocOpBuilder &b, Value x) {
  if (x.getType().getIntOrFloatBitWidth() < 16)
    x = atLeastF32(b, x);
  unsigned width = x.getType().getIntOrFloatBitWidth();
  Type type = b.getIntegerType(width);
  Value bits = arith::BitcastOp::create(b, type, x);
  Value magnitude = arith::ConstantOp::create(
      b, b.getIntegerAttr(type, APInt::getSignedMaxValue(width)));
  Value isNegative =
      compareInts(b, CmpIPredicate::slt, bits, integer(b, type, 0));
  return choose(b, isNegative, arith::XOrIOp::create(b, bits, magnitude), bits);
}

static Value compareComplex(ImplicitLocOpBuilder &b, Value x, Value y,
                            ComparisonDirection direction) {
  switch (direction) {
  case ComparisonDirection::EQ:
    return complex::EqualOp::create(b, x, y);
  case ComparisonDirection::NE:
    return complex::NotEqualOp::create(b, x, y);
  case ComparisonDirection::GE:
    return complexOrder(b, x, y, CmpFPredicate::OGT, CmpFPredicate::OGE);
  case ComparisonDirection::GT:
    return complexOrder(b, x, y, CmpFPredicate::OGT, CmpFPredicate::OGT);
  case ComparisonDirection::LE:
    return complexOrder(b, x, y, CmpFPredicate::OLT, CmpFPredicate::OLE);
  case ComparisonDirection::LT:
    return complexOrder(b, x, y, CmpFPredicate::OLT, CmpFPredicate::OLT);
  }
  llvm_unreachable("all directions are handled");
}

static Value compare(const ScalarCall &c, CompareOp op) {
  ComparisonDirection direction = op.getComparisonDirection();
  Value x = c.x[0], y = c.x[1];
  if (c.kind == Kind::Complex)
    return compareComplex(c.b, x, y, direction);
  if (c.kind != Kind::Real)
    return arith::CmpIOp::create(
        c.b, predicateOfInts(direction, c.kind == Kind::SignedInt), x, y);
  if (op.getCompareType() != ComparisonType::TOTALORDER)
    return arith::CmpFOp::create(c.b, predicateOfReals(direction), x, y);
  return arith::CmpIOp::create(c.b, predicateOfInts(direction, true),
                               orderOf(c.b, x), orderOf(c.b, y));
}

Value comparison(const ScalarCall &c) {
  if (auto op = dyn_cast<CompareOp>(c.op))
    return compare(c, op);
  if (isa<SelectOp>(c.op))
    return arith::SelectOp::create(c.b, c.x[0], c.x[1], c.x[2]);
  return Value();
}

} // namespace mercator::stablehlo::families
