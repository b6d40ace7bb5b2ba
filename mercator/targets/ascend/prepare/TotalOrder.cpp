// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/prepare/TotalOrder.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace sh = mercator::stablehlo;
using Direction = sh::ComparisonDirection;

/// The number that all elements of a constant have.
static std::optional<APFloat> numberOf(Value value) {
  while (auto broadcast = value.getDefiningOp<sh::BroadcastInDimOp>())
    value = broadcast.getOperand();
  DenseElementsAttr known;
  if (!matchPattern(value, m_Constant(&known)) || !known.isSplat() ||
      !isa<FloatType>(known.getElementType()))
    return std::nullopt;
  return known.getSplatValue<APFloat>();
}

Canonical ascend::canonicalOf(Value value) {
  // The value of each selection, and the last operand.
  SmallVector<Value, 3> chain{value}, compared;
  bool hasPlainZeros = false, hasOneNaN = false;
  while (auto select = chain.back().getDefiningOp<sh::SelectOp>()) {
    auto test = select.getPred().getDefiningOp<sh::CompareOp>();
    std::optional<APFloat> number = numberOf(select.getOnTrue());
    if (!test || !number ||
        test.getCompareType() == sh::ComparisonType::TOTALORDER)
      break;
    Value lhs = test.getLhs(), rhs = test.getRhs();
    std::optional<APFloat> limit = numberOf(rhs);
    if (test.getComparisonDirection() == Direction::EQ && limit &&
        limit->isZero() && number->isPosZero())
      hasPlainZeros = true;
    else if (test.getComparisonDirection() == Direction::NE && lhs == rhs &&
             number->isNaN())
      hasOneNaN = true;
    else
      break;
    compared.push_back(lhs);
    chain.push_back(select.getOnFalse());
  }
  bool ofOneValue = llvm::all_of(
      compared, [&](Value it) { return llvm::is_contained(chain, it); });
  if (!ofOneValue)
    return {value, false};
  return {chain.back(), hasPlainZeros && hasOneNaN};
}

static void spell(sh::CompareOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto compare = [&](Direction direction, Value x, Value y) -> Value {
    return sh::CompareOp::create(
        b, op.getType(), x, y, direction,
        sh::ComparisonTypeAttr::get(b.getContext(), sh::ComparisonType::FLOAT));
  };
  auto both = [&](Value x, Value y) -> Value {
    return sh::AndOp::create(b, op.getType(), x, y);
  };
  auto either = [&](Value x, Value y) -> Value {
    return sh::OrOp::create(b, op.getType(), x, y);
  };
  auto isNaN = [&](Value x) { return compare(Direction::NE, x, x); };
  auto isNumber = [&](Value x) { return compare(Direction::EQ, x, x); };
  auto isLess = [&](Value x, Value y) {
    return either(compare(Direction::LT, x, y), both(isNumber(x), isNaN(y)));
  };
  auto isEqual = [&](Value x, Value y) {
    return either(compare(Direction::EQ, x, y), both(isNaN(x), isNaN(y)));
  };
  auto isNot = [&](Value x) -> Value {
    return sh::NotOp::create(b, op.getType(), x);
  };
  Value x = op.getLhs(), y = op.getRhs(), result;
  switch (op.getComparisonDirection()) {
  case Direction::EQ:
    result = isEqual(x, y);
    break;
  case Direction::NE:
    result = isNot(isEqual(x, y));
    break;
  case Direction::LT:
    result = isLess(x, y);
    break;
  case Direction::GT:
    result = isLess(y, x);
    break;
  case Direction::LE:
    result = isNot(isLess(y, x));
    break;
  case Direction::GE:
    result = isNot(isLess(x, y));
    break;
  }
  op.getResult().replaceAllUsesWith(result);
  op.erase();
}

void ascend::spellTotalOrder(ModuleOp module) {
  SmallVector<sh::CompareOp> found;
  module.walk([&](sh::CompareOp op) {
    if (op.getCompareType() == sh::ComparisonType::TOTALORDER &&
        isa<FloatType>(getElementTypeOrSelf(op.getLhs())) &&
        !isa<sh::SortOp>(op->getParentOp()) &&
        canonicalOf(op.getLhs()).isCanonical &&
        canonicalOf(op.getRhs()).isCanonical)
      found.push_back(op);
  });
  for (sh::CompareOp op : found)
    spell(op);
}
