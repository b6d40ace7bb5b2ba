// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Known values: comparisons, and the intervals that they imply in the branches
// of a selection.

#include "mercator/analysis/values/KnownVisitor.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::known;
using mlir::Value;

Interval
KnownValues::Visitor::satisfying(stablehlo::ComparisonDirection direction,
                                 Interval y) {
  Interval one = Interval::point(1);
  switch (direction) {
  case stablehlo::ComparisonDirection::EQ:
    return y;
  case stablehlo::ComparisonDirection::NE:
    return Interval::everything();
  case stablehlo::ComparisonDirection::LT:
    return {Interval::kMin, (y - one).upper};
  case stablehlo::ComparisonDirection::LE:
    return {Interval::kMin, y.upper};
  case stablehlo::ComparisonDirection::GT:
    return {(y + one).lower, Interval::kMax};
  case stablehlo::ComparisonDirection::GE:
    return {y.lower, Interval::kMax};
  }
  return Interval::everything();
}

stablehlo::ComparisonDirection
KnownValues::Visitor::opposite(stablehlo::ComparisonDirection direction) {
  using enum stablehlo::ComparisonDirection;
  switch (direction) {
  case EQ:
    return NE;
  case NE:
    return EQ;
  case LT:
    return GE;
  case LE:
    return GT;
  case GT:
    return LE;
  case GE:
    return LT;
  }
  return direction;
}

KnownElement KnownValues::Visitor::visitCompare(stablehlo::CompareOp op) {
  if (!isInteger(op.getLhs()))
    return unknown();
  KnownElement a = same(op.getLhs()), b = same(op.getRhs());
  Expr difference = a.exact && b.exact ? arena.sub(a.exact, b.exact) : Expr();
  Interval d = a.range - b.range;
  if (difference)
    d = d.intersect(intervalOf(difference));
  stablehlo::ComparisonDirection direction = op.getComparisonDirection();
  Interval zero = Interval::point(0);
  auto never = [&](stablehlo::ComparisonDirection way) {
    if (way == stablehlo::ComparisonDirection::NE)
      return d == zero;
    return d.intersect(satisfying(way, zero)).isEmpty();
  };
  if (d.isEmpty())
    return unknown();
  if (never(direction))
    return constant(0);
  if (never(opposite(direction)))
    return constant(1);
  return unknown();
}

stablehlo::ComparisonDirection
KnownValues::Visitor::swapped(stablehlo::ComparisonDirection direction) {
  using enum stablehlo::ComparisonDirection;
  switch (direction) {
  case LT:
    return GT;
  case LE:
    return GE;
  case GT:
    return LT;
  case GE:
    return LE;
  default:
    return direction;
  }
}

Interval KnownValues::Visitor::impliedBy(Value pred, bool truth, Value x,
                                         unsigned budget) {
  using enum stablehlo::ComparisonDirection;
  mlir::Operation *op = pred.getDefiningOp();
  if (!op || budget == 0)
    return Interval::everything();
  auto implied = [&](Value part, bool partTruth) {
    return impliedBy(part, partTruth, x, budget - 1);
  };
  // A conjunction (both parts hold) or a disjunction (at least one holds).
  auto both = [&](mlir::Operation *parts, bool areBoth) {
    Interval a = implied(parts->getOperand(0), truth),
             b = implied(parts->getOperand(1), truth);
    return areBoth ? a.intersect(b) : a.hull(b);
  };
  if (llvm::isa<stablehlo::AndOp>(op))
    return both(op, truth);
  if (llvm::isa<stablehlo::OrOp>(op))
    return both(op, !truth);
  if (llvm::isa<stablehlo::NotOp>(op))
    return implied(op->getOperand(0), !truth);
  auto compare = llvm::dyn_cast<stablehlo::CompareOp>(op);
  if (!compare || !isInteger(compare.getLhs()))
    return Interval::everything();
  stablehlo::ComparisonDirection direction =
      truth ? compare.getComparisonDirection()
            : opposite(compare.getComparisonDirection());
  if (compare.getLhs() == x)
    return satisfying(direction, same(compare.getRhs()).range);
  if (compare.getRhs() == x)
    return satisfying(swapped(direction), same(compare.getLhs()).range);
  // A comparison of a predicate with a known truth value.
  if (!tensorOf(compare.getLhs()).getElementType().isInteger(1) ||
      (direction != EQ && direction != NE))
    return Interval::everything();
  for (auto [one, other] : {std::pair(compare.getLhs(), compare.getRhs()),
                            std::pair(compare.getRhs(), compare.getLhs())})
    if (Interval is = same(other).range; is.isPoint())
      return implied(one, (is.lower != 0) == (direction == EQ));
  return Interval::everything();
}

Interval KnownValues::Visitor::branchRange(Value branch, Value pred,
                                           bool truth) {
  Interval all = same(branch).range.intersect(impliedBy(pred, truth, branch));
  auto add = branch.getDefiningOp<stablehlo::AddOp>();
  if (!add)
    return all;
  for (auto [x, other] : {std::pair(add.getLhs(), add.getRhs()),
                          std::pair(add.getRhs(), add.getLhs())}) {
    Interval sum =
        same(x).range.intersect(impliedBy(pred, truth, x)) + same(other).range;
    if (fitsType(sum, branch))
      all = all.intersect(sum);
  }
  return all;
}

KnownElement KnownValues::Visitor::visitSelect(stablehlo::SelectOp op) {
  Value choice = op.getPred();
  KnownElement pred = same(choice);
  if (pred.exact && arena.isConstant(pred.exact))
    return same(arena.constantValue(pred.exact) ? op.getOnTrue()
                                                : op.getOnFalse());
  KnownElement a = same(op.getOnTrue()), b = same(op.getOnFalse());
  if (a.exact && a.exact == b.exact)
    return a;
  if (tensorOf(choice).getRank() != tensorOf(value).getRank())
    return unknown(a.range.hull(b.range));
  return unknown(branchRange(op.getOnTrue(), choice, true)
                     .hull(branchRange(op.getOnFalse(), choice, false)));
}

std::optional<Interval> KnownValues::Visitor::chosen(Value inside,
                                                     stablehlo::ReduceOp op,
                                                     unsigned budget) {
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(inside)) {
    unsigned number = argument.getArgNumber(), inputs = op.getInputs().size();
    if (argument.getOwner() != &op.getBody().front())
      return std::nullopt;
    return known.range(number < inputs ? op.getInitValues()[number]
                                       : op.getInputs()[number - inputs]);
  }
  mlir::Operation *definition = inside.getDefiningOp();
  mlir::ValueRange choices = definition->getOperands();
  if (llvm::isa<stablehlo::SelectOp>(definition))
    choices = choices.drop_front();
  else if (!llvm::isa<stablehlo::MinOp, stablehlo::MaxOp>(definition))
    return std::nullopt;
  if (budget == 0)
    return std::nullopt;
  Interval range = Interval::empty();
  for (Value choice : choices) {
    std::optional<Interval> one = chosen(choice, op, budget - 1);
    if (!one)
      return std::nullopt;
    range = range.hull(*one);
  }
  return range;
}

KnownElement KnownValues::Visitor::visitReduce(stablehlo::ReduceOp op) {
  if (!op.getBody().hasOneBlock() || !isInteger(value))
    return unknown();
  unsigned number = llvm::cast<mlir::OpResult>(value).getResultNumber();
  mlir::Operation *end = op.getBody().front().getTerminator();
  if (number >= end->getNumOperands())
    return unknown();
  std::optional<Interval> range = chosen(end->getOperand(number), op, 6);
  return range ? unknown(*range) : unknown();
}
