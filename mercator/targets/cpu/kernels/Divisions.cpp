// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/Divisions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

/// In place of what is divided by zero: the evaluator's number.
static constexpr uint64_t kUndefined = 0x5a5a5a5a5a5a5a5a;

static bool isSignedDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
             arith::FloorDivSIOp>(op);
}

static bool isSafe(Value divisor) {
  APInt number;
  return matchPattern(divisor, m_ConstantInt(&number)) && !number.isZero() &&
         !number.isAllOnes();
}

/// Whether the condition holds wherever the value is the number.
static bool asksFor(Value condition, Value value, int number) {
  Operation *op = condition.getDefiningOp();
  if (isa_and_nonnull<arith::OrIOp>(op))
    return asksFor(op->getOperand(0), value, number) ||
           asksFor(op->getOperand(1), value, number);
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  APInt other;
  return compare && compare.getPredicate() == arith::CmpIPredicate::eq &&
         compare.getLhs() == value &&
         matchPattern(compare.getRhs(), m_ConstantInt(&other)) &&
         (number == 0 ? other.isZero() : other.isAllOnes());
}

/// True if the divisor is another constant than 0 and -1, or is one where it would be
/// 0 or -1, as the lowering of StableHLO writes it.
static bool isGuarded(Operation *division) {
  Value divisor = division->getOperand(1);
  auto chosen = divisor.getDefiningOp<arith::SelectOp>();
  if (!chosen)
    return isSafe(divisor);
  Value otherwise = chosen.getFalseValue();
  return isSafe(chosen.getTrueValue()) &&
         (isSafe(otherwise) ||
          (asksFor(chosen.getCondition(), otherwise, 0) &&
           (!isSignedDivision(division) ||
            asksFor(chosen.getCondition(), otherwise, -1))));
}

static void guard(Operation *op) {
  Value x = op->getOperand(0), y = op->getOperand(1);
  Type type = y.getType();
  ImplicitLocOpBuilder b(op->getLoc(), op);
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  auto number = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
  };
  auto equals = [&](Value value, const APInt &constant) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, value,
                                 number(constant));
  };
  Value isZero = equals(y, APInt::getZero(width)), isSpecial = isZero;
  if (isSignedDivision(op)) {
    Value isLowest = equals(x, APInt::getSignedMinValue(width));
    Value isMinusOne = equals(y, APInt::getAllOnes(width));
    isSpecial = arith::OrIOp::create(
        b, isZero, arith::AndIOp::create(b, isLowest, isMinusOne));
  }
  // In one bit 1 is -1, and anything divided by it is itself.
  Value one = number(APInt(width, 1));
  op->setOperand(1, arith::SelectOp::create(b, isSpecial, one, y));
  b.setInsertionPointAfter(op);
  Value undefined = number(APInt(64, kUndefined).trunc(width));
  Value result = op->getResult(0);
  Operation *chosen = arith::SelectOp::create(b, isZero, undefined, result);
  result.replaceAllUsesExcept(chosen->getResult(0), chosen);
}

void mercator::cpu::guardDivisions(ModuleOp module) {
  SmallVector<Operation *> divisions;
  module.walk([&](Operation *op) {
    if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
            arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op) &&
        op->getResult(0).getType().isIntOrIndex() && !isGuarded(op))
      divisions.push_back(op);
  });
  for (Operation *op : divisions)
    guard(op);
}
