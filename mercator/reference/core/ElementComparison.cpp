// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Comparisons and selects.

#include "mercator/reference/core/ElementFamilies.h"

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include <bit>
#include <cmath>

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference::families {

/// Whether a comparison holds for two values with this order. For `unordered`
/// values (with a NaN) only NE holds.
static bool holds(ComparisonDirection direction,
                  std::partial_ordering ordering) {
  switch (direction) {
  case ComparisonDirection::EQ:
    return ordering == 0;
  case ComparisonDirection::NE:
    return ordering != 0;
  case ComparisonDirection::GE:
    return ordering >= 0;
  case ComparisonDirection::GT:
    return ordering > 0;
  case ComparisonDirection::LE:
    return ordering <= 0;
  case ComparisonDirection::LT:
    return ordering < 0;
  }
  llvm_unreachable("all directions are handled");
}

static Scalar result(const ElementFunction &self,
                     std::partial_ordering ordering) {
  return Scalar::whole(holds(ComparisonDirection(self.detail[0]), ordering));
}

static Scalar compareInt(const ElementFunction &self, const Scalar *x) {
  return result(self, x[0].integer <=> x[1].integer);
}

static Scalar compareUInt(const ElementFunction &self, const Scalar *x) {
  return result(self, uint64_t(x[0].integer) <=> uint64_t(x[1].integer));
}

static Scalar compareReal(const ElementFunction &self, const Scalar *x) {
  return result(self, x[0].re <=> x[1].re);
}

/// Maps floats to integers in the order of IEEE 754's totalOrder: -NaN below
/// -infinity, -0 below +0, NaN above infinity.
static int64_t orderOf(double value) {
  auto word = std::bit_cast<int64_t>(value);
  return word < 0 ? word ^ INT64_MAX : word;
}

static Scalar compareTotalOrder(const ElementFunction &self, const Scalar *x) {
  return result(self, orderOf(x[0].re) <=> orderOf(x[1].re));
}

/// Orders by real part, then by imaginary part.
static Scalar compareComplex(const ElementFunction &self, const Scalar *x) {
  std::partial_ordering re = x[0].re <=> x[1].re, im = x[0].im <=> x[1].im;
  return result(self, re == 0 ? im : re);
}

static Scalar select(const ElementFunction &, const Scalar *x) {
  return x[0].integer ? x[1] : x[2];
}

Call comparison(Operation *op, const Element &operand) {
  if (isa<SelectOp, chlo::BroadcastSelectOp>(op))
    return select;
  bool total = false;
  if (auto compare = dyn_cast<CompareOp>(op))
    total = compare.getCompareType() == ComparisonType::TOTALORDER;
  else if (auto broadcast = dyn_cast<chlo::BroadcastCompareOp>(op))
    total = broadcast.getCompareType() == chlo::ComparisonType::TOTALORDER;
  else
    return nullptr;
  return ByKind{compareUInt, compareInt, compareUInt,
                total ? compareTotalOrder : compareReal,
                compareComplex}[operand.kind];
}

} // namespace mercator::reference::families
