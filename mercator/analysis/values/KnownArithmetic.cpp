// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known values: integers computed from other integers.

#include "mercator/analysis/values/KnownVisitor.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::known;

KnownElement KnownValues::Visitor::visitConvert(stablehlo::ConvertOp op) {
  if (!isInteger(op.getOperand()))
    return unknown();
  KnownElement x = same(op.getOperand());
  // A ui64 without an upper bound may be in the upper half of its type, which
  // is negative as an i64.
  bool staysPositive =
      x.range.hasUpper() ||
      !isUnsigned(tensorOf(op.getOperand()).getElementType()) ||
      isUnsigned(tensorOf(value).getElementType());
  if (!fitsType(x.range, value) &&
      !(staysPositive && typeRange(value).contains(typeRange(op.getOperand()))))
    return unknown();
  return x;
}

KnownElement KnownValues::Visitor::visitAdd(mlir::Operation *op) {
  return both(
      op, [&](Expr a, Expr b) { return arena.add(a, b); },
      [](Interval a, Interval b) { return a + b; });
}

KnownElement KnownValues::Visitor::visitSubtract(mlir::Operation *op) {
  return both(
      op, [&](Expr a, Expr b) { return arena.sub(a, b); },
      [](Interval a, Interval b) { return a - b; });
}

KnownElement KnownValues::Visitor::visitMultiply(mlir::Operation *op) {
  return both(
      op, [&](Expr a, Expr b) { return arena.mul(a, b); },
      [](Interval a, Interval b) { return a * b; });
}

KnownElement KnownValues::Visitor::visitMinMax(mlir::Operation *op,
                                               bool isMax) {
  KnownElement a = same(op->getOperand(0)), b = same(op->getOperand(1));
  return minMax(std::move(a), std::move(b), isMax);
}

KnownElement KnownValues::Visitor::minMax(KnownElement a, KnownElement b,
                                          bool isMax) {
  if (isMax ? a.range.lower >= b.range.upper : a.range.upper <= b.range.lower)
    return a;
  if (isMax ? b.range.lower >= a.range.upper : b.range.upper <= a.range.lower)
    return b;
  Expr exact;
  if (a.exact && b.exact)
    exact = isMax ? arena.max(a.exact, b.exact) : arena.min(a.exact, b.exact);
  return {exact, isMax ? a.range.max(b.range) : a.range.min(b.range), value,
          at};
}

KnownElement KnownValues::Visitor::visitClamp(stablehlo::ClampOp op) {
  return minMax(minMax(same(op.getOperand()), same(op.getMin()), true),
                same(op.getMax()), false);
}

std::optional<int64_t>
KnownValues::Visitor::positiveConstant(const KnownElement &x) {
  if (!x.exact || !arena.isConstant(x.exact) ||
      arena.constantValue(x.exact) <= 0)
    return std::nullopt;
  return arena.constantValue(x.exact);
}

KnownElement KnownValues::Visitor::visitDivide(mlir::Operation *op) {
  KnownElement a = same(op->getOperand(0));
  std::optional<int64_t> by = positiveConstant(same(op->getOperand(1)));
  if (!by)
    return unknown();
  bool rounds = a.exact && a.range.lower >= 0;
  return computed(rounds ? arena.floorDiv(a.exact, *by) : Expr(),
                  truncDiv(a.range, *by));
}

KnownElement KnownValues::Visitor::visitRemainder(mlir::Operation *op) {
  KnownElement a = same(op->getOperand(0)), b = same(op->getOperand(1));
  std::optional<int64_t> by = positiveConstant(b);
  if (a.range.lower >= 0 && b.range.lower > 0) {
    Expr exact = a.exact && by ? arena.mod(a.exact, *by) : Expr();
    if (a.range.upper < b.range.lower)
      exact = a.exact;
    return computed(exact, {0, std::min(a.range.upper, b.range.hasUpper()
                                                           ? b.range.upper - 1
                                                           : Interval::kMax)});
  }
  if (!by)
    return unknown();
  return unknown(
      {a.range.lower >= 0 ? 0 : 1 - *by, a.range.upper <= 0 ? 0 : *by - 1});
}

KnownElement KnownValues::Visitor::visitAnd(mlir::Operation *op) {
  KnownElement a = same(op->getOperand(0)), b = same(op->getOperand(1));
  // In two's complement, x & (2^k - 1) is x mod 2^k.
  for (auto [x, mask] : {std::pair(&a, &b), std::pair(&b, &a)})
    if (std::optional<int64_t> ones = positiveConstant(*mask);
        ones && llvm::isPowerOf2_64(uint64_t(*ones) + 1))
      return computed(
          x->exact ? arena.mod(x->exact, *ones + 1) : Expr(),
          {0, x->range.lower >= 0 ? std::min(*ones, x->range.upper) : *ones});
  Interval range = Interval::everything();
  for (const KnownElement *x : {&a, &b})
    if (x->range.lower >= 0)
      range = range.intersect({0, x->range.upper});
  return unknown(range);
}

KnownElement KnownValues::Visitor::visitOr(mlir::Operation *op) {
  Interval a = same(op->getOperand(0)).range, b = same(op->getOperand(1)).range;
  if (a.lower < 0 || b.lower < 0)
    return unknown();
  return unknown({0, allOnes(std::max(a.upper, b.upper))});
}

KnownElement KnownValues::Visitor::visitNot(mlir::Operation *op) {
  KnownElement x = same(op->getOperand(0));
  if (isUnsigned(tensorOf(value).getElementType())) {
    Interval whole = typeRange(value);
    return computed(whole.isBounded() && x.exact
                        ? arena.add(arena.neg(x.exact), whole.upper)
                        : Expr(),
                    Interval::point(whole.upper) - x.range);
  }
  return computed(x.exact ? arena.add(arena.neg(x.exact), -1) : Expr(),
                  Interval::point(-1) - x.range);
}

KnownElement KnownValues::Visitor::visitShiftRight(mlir::Operation *op) {
  KnownElement x = same(op->getOperand(0)), by = same(op->getOperand(1));
  if (x.range.lower < 0 || !by.exact || !arena.isConstant(by.exact))
    return unknown();
  int64_t k = arena.constantValue(by.exact);
  if (k < 0 || k >= 62 || k >= tensorOf(value).getElementTypeBitWidth())
    return unknown();
  // An arithmetic shift treats the highest bit as the sign, for unsigned types
  // too.
  if (llvm::isa<stablehlo::ShiftRightArithmeticOp>(op) &&
      x.range.upper >>
          std::min<int64_t>(tensorOf(value).getElementTypeBitWidth() - 1, 62))
    return unknown();
  int64_t d = int64_t(1) << k;
  return computed(x.exact ? arena.floorDiv(x.exact, d) : Expr(),
                  x.range.floorDiv(d));
}

KnownElement KnownValues::Visitor::visitShiftLeft(mlir::Operation *op) {
  KnownElement x = same(op->getOperand(0)), by = same(op->getOperand(1));
  if (!by.exact || !arena.isConstant(by.exact))
    return unknown();
  int64_t k = arena.constantValue(by.exact);
  if (k < 0 || k >= 62 || k >= tensorOf(value).getElementTypeBitWidth())
    return unknown();
  return computed(x.exact ? arena.scale(x.exact, int64_t(1) << k) : Expr(),
                  x.range * (int64_t(1) << k));
}

KnownElement KnownValues::Visitor::visitAbs(mlir::Operation *op) {
  KnownElement x = same(op->getOperand(0));
  if (x.range.lower >= 0)
    return x;
  return computed(x.exact ? arena.max(x.exact, arena.neg(x.exact)) : Expr(),
                  x.range.max(-x.range).max(Interval::point(0)));
}
