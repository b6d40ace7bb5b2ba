// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The checks of a test program: the dialect `check`, and the custom calls that
// represent its operations in exported programs.

#include "mercator/dialects/check/Check.h"
#include "mercator/reference/core/Check.h"
#include "mercator/reference/stablehlo/CustomCalls.h"
#include "mercator/reference/stablehlo/Rules.h"

using namespace mlir;
using namespace mercator::check;

namespace mercator::reference {

/// A failed check is an error at the operation, but the program continues.
static LogicalResult conclude(Step &step, const Comparison &comparison) {
  step.evaluator.recordCheck(comparison.passed());
  if (!comparison.passed())
    step.error() << comparison.text();
  return success();
}

template <typename Op> static FailureOr<Tensor> constant(Op op, Step &step) {
  return Tensor::from(op.getValue(), [&] { return step.error(); });
}

static LogicalResult evaluateEqConst(ExpectEqConstOp op, Step &step) {
  FailureOr<Tensor> value = constant(op, step);
  return failed(value) ? failure()
                       : conclude(step, compareEqual(step.tensor(0), *value));
}

template <typename Op>
static LogicalResult concludeNear(Op op, Step &step, const Tensor &expected) {
  double absolute = op.getTolerance().convertToDouble(), relative = 0;
  if (op.getAtol())
    absolute = op.getAtol()->convertToDouble();
  if (op.getRtol())
    relative = op.getRtol()->convertToDouble();
  return conclude(
      step, compareAlmostEqual(step.tensor(0), expected, absolute, relative));
}

static LogicalResult evaluateAlmostEqConst(ExpectAlmostEqConstOp op,
                                           Step &step) {
  FailureOr<Tensor> value = constant(op, step);
  return failed(value) ? failure() : concludeNear(op, step, *value);
}

static LogicalResult evaluateCloseConst(ExpectCloseConstOp op, Step &step) {
  FailureOr<Tensor> value = constant(op, step);
  return failed(value) ? failure()
                       : conclude(step, compareClose(step.tensor(0), *value,
                                                     op.getMinUlpDifference(),
                                                     op.getMaxUlpDifference()));
}

/// Operands whose declared types agree may still have different dynamic shapes.
static LogicalResult sameType(Step &step) {
  if (step.tensor(0).type() == step.tensor(1).type())
    return success();
  return step.error() << "expected operands of the same type, got "
                      << step.tensor(0).type() << " and "
                      << step.tensor(1).type();
}

static LogicalResult evaluateEq(ExpectEqOp op, Step &step) {
  if (failed(sameType(step)))
    return failure();
  return conclude(step, compareEqual(step.tensor(0), step.tensor(1)));
}

static LogicalResult evaluateAlmostEq(ExpectAlmostEqOp op, Step &step) {
  if (failed(sameType(step)))
    return failure();
  return concludeNear(op, step, step.tensor(1));
}

static LogicalResult evaluateClose(ExpectCloseOp op, Step &step) {
  if (failed(sameType(step)))
    return failure();
  return conclude(step, compareClose(step.tensor(0), step.tensor(1),
                                     op.getMinUlpDifference(),
                                     op.getMaxUlpDifference()));
}

/// Compares each element with `expected`, the truth.
template <typename Op> static LogicalResult evaluateTruth(Op op, Step &step) {
  const Tensor &operand = step.tensor(0);
  bool wanted = !std::is_same_v<Op, ExpectFalseOp>;
  int64_t wrong = 0, first = -1;
  for (int64_t i = 0; i < operand.size(); ++i)
    if ((operand.at(i).integer != 0) != wanted && wrong++ == 0)
      first = i;
  step.evaluator.recordCheck(wrong == 0);
  if (wrong == 0)
    return success();
  InFlightDiagnostic error = step.error();
  error << "expected " << (wanted ? "an integer other than 0" : "0") << ", got "
        << operand.at(first).integer;
  if (operand.size() != 1)
    error << " at position " << first << "; " << wrong << " of "
          << operand.size() << " elements differ";
  return success();
}

//===----------------------------------------------------------------------===//
// Custom calls
//===----------------------------------------------------------------------===//

/// `@check.eq` returns whether the check passed. Its operands come in either
/// order: the expected one is a constant.
static LogicalResult evaluateCheckEq(Step &step) {
  bool swapped = step.op->getOperand(0).getDefiningOp<stablehlo::ConstantOp>();
  const Tensor &a = step.tensor(swapped), &b = step.tensor(!swapped);
  Comparison comparison =
      a.element().format ? compareAlmostEqual(a, b, 1e-4) : compareEqual(a, b);
  if (!step.results.empty()) {
    FailureOr<Tensor> held = step.make();
    if (failed(held))
      return failure();
    for (int64_t i = 0; i < held->size(); ++i)
      held->set(i, Scalar::whole(comparison.passed()));
    step.results[0] = *held;
  }
  return conclude(step, comparison);
}

/// The exporters of these programs do not define the tolerance; these are the
/// distances for which the recorded values were made.
static LogicalResult evaluateCheckCall(stablehlo::CustomCallOp op, Step &step) {
  StringRef target = op.getCallTargetName();
  if (step.operands.size() != 2 || !step.operands[0].tensor() ||
      !step.operands[1].tensor())
    return step.error() << "expected two tensors for @" << target;
  if (failed(sameType(step)))
    return failure();
  const Tensor &actual = step.tensor(0), &expected = step.tensor(1);
  if (target == "check.eq")
    return evaluateCheckEq(step);
  if (!step.results.empty())
    return step.error() << "expected no results of @" << target;
  if (target == "check.expect_eq")
    return conclude(step, compareEqual(actual, expected));
  if (target == "check.expect_close") {
    if (!actual.element().format)
      return step.error() << "expected floats for @" << target << ", got "
                          << actual.type();
    return conclude(step, compareClose(actual, expected, 0, 3));
  }
  return conclude(step, compareAlmostEqual(actual, expected, 1e-3));
}

void addCheckCalls(CustomCalls &calls) {
  for (StringRef name : {"check.eq", "check.expect_eq", "check.expect_close",
                         "check.expect_almost_eq"})
    calls[name] = evaluateCheckCall;
}

void addCheckRules(EvaluationRules &rules) {
  rules.add<ExpectEqConstOp, evaluateEqConst>();
  rules.add<ExpectAlmostEqConstOp, evaluateAlmostEqConst>();
  rules.add<ExpectCloseConstOp, evaluateCloseConst>();
  rules.add<ExpectEqOp, evaluateEq>();
  rules.add<ExpectAlmostEqOp, evaluateAlmostEq>();
  rules.add<ExpectCloseOp, evaluateClose>();
  rules.add<ExpectTrueOp, evaluateTruth<ExpectTrueOp>>();
  rules.add<ExpectFalseOp, evaluateTruth<ExpectFalseOp>>();
  rules.add<ExpectAllTrueOp, evaluateTruth<ExpectAllTrueOp>>();
}

} // namespace mercator::reference
