// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Control flow: calls, branches, loops, tuples, constants.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Numbers.h"
#include "mercator/reference/stablehlo/Rules.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

static LogicalResult evaluateConstant(ConstantOp op, Step &step) {
  if (op.isElided()) {
    step.results[0] = Elided{op.getValue()};
    return success();
  }
  FailureOr<Tensor> value = step.constant(op.getValue());
  if (failed(value))
    return failure();
  // A quantized constant is written as its stored integers.
  step.results[0] =
      value->withType(cast<RankedTensorType>(op.getResult().getType()));
  return success();
}

static LogicalResult evaluateCall(func::CallOp op, Step &step) {
  if (step.evaluator.findExternal(op.getCalleeAttr(), op)) {
    if (EvaluationRule rule =
            step.evaluator.getRules().findExternal(op.getCallee()))
      return rule(step);
    if (const Evaluator::Opaque &opaque = step.evaluator.getOpaque())
      return opaque(step, op.getCallee());
  }
  step.isCounted = true;
  return give(step, step.evaluator.callTaking(op.getCalleeAttr(),
                                              step.takeFrom(0), op));
}

static LogicalResult evaluateComposite(CompositeOp op, Step &step) {
  step.isCounted = true;
  return give(step, step.evaluator.callTaking(op.getDecompositionAttr(),
                                              step.takeFrom(0), op));
}

static LogicalResult evaluateIf(IfOp op, Step &step) {
  bool pred = step.tensor(0).scalar().integer;
  step.isCounted = true;
  return give(step, step.evaluator.region(
                        pred ? op.getTrueBranch() : op.getFalseBranch(), {}));
}

static LogicalResult evaluateCase(CaseOp op, Step &step) {
  int64_t index = step.tensor(0).scalar().integer,
          count = op.getBranches().size();
  if (index < 0 || index >= count)
    index = count - 1;
  step.isCounted = true;
  return give(step, step.evaluator.region(op.getBranches()[index], {}));
}

static LogicalResult evaluateWhile(WhileOp op, Step &step) {
  std::vector<Value> state = step.takeFrom(0);
  step.isCounted = true;
  while (true) {
    FailureOr<std::vector<Value>> cond =
        step.evaluator.region(op.getCond(), state);
    if (failed(cond))
      return failure();
    if (!cond->front().tensor()->scalar().integer)
      return give(step, std::move(state));
    FailureOr<std::vector<Value>> next =
        step.evaluator.regionTaking(op.getBody(), std::move(state));
    if (failed(next))
      return failure();
    state = std::move(*next);
  }
}

static LogicalResult evaluateBarrier(OptimizationBarrierOp op, Step &step) {
  llvm::copy(step.operands, step.results.begin());
  return success();
}

static LogicalResult evaluateTuple(TupleOp op, Step &step) {
  step.results[0] =
      Tuple{std::vector<Value>(step.operands.begin(), step.operands.end())};
  return success();
}

static LogicalResult evaluateGetTupleElement(GetTupleElementOp op, Step &step) {
  step.results[0] = step.operands[0].tuple()->members[op.getIndex()];
  return success();
}

static LogicalResult evaluateCreateToken(CreateTokenOp op, Step &step) {
  step.results[0] = Token();
  return success();
}

static LogicalResult evaluateAfterAll(AfterAllOp op, Step &step) {
  step.results[0] = Token();
  return success();
}

void addControlRules(EvaluationRules &rules) {
  rules.add<ConstantOp, evaluateConstant>();
  rules.add<func::CallOp, evaluateCall>();
  rules.add<CompositeOp, evaluateComposite>();
  rules.add<IfOp, evaluateIf>();
  rules.add<CaseOp, evaluateCase>();
  rules.evaluatesRegionsOnce<IfOp>();
  rules.evaluatesRegionsOnce<CaseOp>();
  rules.add<WhileOp, evaluateWhile>();
  rules.add<OptimizationBarrierOp, evaluateBarrier>();
  rules.add<TupleOp, evaluateTuple>();
  rules.add<GetTupleElementOp, evaluateGetTupleElement>();
  rules.add<CreateTokenOp, evaluateCreateToken>();
  rules.add<AfterAllOp, evaluateAfterAll>();
}

} // namespace mercator::reference
