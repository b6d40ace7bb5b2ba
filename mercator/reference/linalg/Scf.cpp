// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Control flow with regions: the dialect scf. The Evaluator itself follows
// branches.

#include "mercator/reference/core/Numbers.h"
#include "mercator/reference/linalg/Rules.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace mercator::reference {

static int64_t numberAt(const Step &step, size_t i) {
  return step.tensor(i).scalar().integer;
}

static LogicalResult evaluateIf(scf::IfOp op, Step &step) {
  Region &taken = numberAt(step, 0) ? op.getThenRegion() : op.getElseRegion();
  step.isCounted = true;
  if (taken.empty())
    return success();
  return give(step, step.evaluator.region(taken, {}));
}

static LogicalResult evaluateFor(scf::ForOp op, Step &step) {
  int64_t at = numberAt(step, 0), end = numberAt(step, 1),
          by = numberAt(step, 2);
  if (by <= 0)
    return step.error() << "expected a step above zero, got " << by;
  bool isUnsigned = op.getUnsignedCmp();
  auto isBelow = [&](int64_t a, int64_t b) -> bool {
    return isUnsigned ? uint64_t(a) < uint64_t(b) : a < b;
  };
  std::vector<Value> state = step.takeFrom(3);
  step.isCounted = true;
  while (isBelow(at, end)) {
    FailureOr<Value> induction =
        number(step, op.getInductionVar().getType(), Scalar::whole(at));
    if (failed(induction))
      return failure();
    state.insert(state.begin(), *induction);
    FailureOr<std::vector<Value>> next =
        step.evaluator.regionTaking(op.getRegion(), std::move(state));
    if (failed(next))
      return failure();
    state = std::move(*next);
    int64_t sum = 0;
    if (__builtin_add_overflow(at, by, &sum))
      break;
    at = sum;
  }
  return give(step, std::move(state));
}

static LogicalResult evaluateWhile(scf::WhileOp op, Step &step) {
  std::vector<Value> state = step.takeFrom(0);
  step.isCounted = true;
  while (true) {
    FailureOr<std::vector<Value>> before =
        step.evaluator.regionTaking(op.getBefore(), std::move(state));
    if (failed(before))
      return failure();
    bool goesOn = before->front().tensor()->scalar().integer;
    before->erase(before->begin());
    if (!goesOn)
      return give(step, std::move(before));
    FailureOr<std::vector<Value>> after =
        step.evaluator.regionTaking(op.getAfter(), std::move(*before));
    if (failed(after))
      return failure();
    state = std::move(*after);
  }
}

static LogicalResult evaluateSwitch(scf::IndexSwitchOp op, Step &step) {
  int64_t choice = numberAt(step, 0);
  step.isCounted = true;
  for (auto [value, region] : llvm::zip(op.getCases(), op.getCaseRegions()))
    if (value == choice)
      return give(step, step.evaluator.region(region, {}));
  return give(step, step.evaluator.region(op.getDefaultRegion(), {}));
}

static LogicalResult evaluateExecute(scf::ExecuteRegionOp op, Step &step) {
  return give(step, step.evaluator.region(op.getRegion(), {}));
}

static LogicalResult evaluateAssert(cf::AssertOp op, Step &step) {
  if (numberAt(step, 0))
    return success();
  return step.error() << "expected what it asserts: " << op.getMsg();
}

void addScfRules(EvaluationRules &rules) {
  rules.add<scf::IfOp, evaluateIf>();
  rules.evaluatesRegionsOnce<scf::IfOp>();
  rules.evaluatesRegionsOnce<scf::IndexSwitchOp>();
  rules.add<scf::ForOp, evaluateFor>();
  rules.add<scf::WhileOp, evaluateWhile>();
  rules.add<scf::IndexSwitchOp, evaluateSwitch>();
  rules.add<scf::ExecuteRegionOp, evaluateExecute>();
  rules.add<cf::AssertOp, evaluateAssert>();
}

} // namespace mercator::reference
