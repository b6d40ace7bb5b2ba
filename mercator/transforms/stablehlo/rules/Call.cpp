// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Composites, asynchronous operations, and custom calls that only annotate. Custom calls that stand for
// operations of StableHLO are spelled as such before (SpellCustomCalls.cpp);
// others stay calls.

#include "mercator/dialects/stablehlo/Annotations.h"
#include "mercator/transforms/stablehlo/lowering/Translation.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace mercator::stablehlo {

static FailureOr<Values> lowerComposite(CompositeOp op, Lowering &l) {
  auto call = func::CallOp::create(l.b, op.getDecompositionAttr(),
                                   lowerTypes(op->getResultTypes()),
                                   l.translation.all(op->getOperands()));
  return Values(call.getResults());
}

static bool isAnnotationCall(Operation *op) {
  auto call = dyn_cast<CustomCallOp>(op);
  return call && isAnnotation(call);
}

static FailureOr<Values> lowerAnnotation(Lowering &l) {
  if (l.op->getNumResults() == 0)
    return Values();
  return l.translation.all(l.op->getOperands());
}

/// The body is done at once: what runs beside what is decided later.
static FailureOr<Values> lowerAsyncStart(AsyncStartOp op, Lowering &l) {
  Block &body = op.getBody().front();
  for (auto [argument, operand] :
       llvm::zip(body.getArguments(), op->getOperands()))
    l.translation.set(argument, Values(l.translation.lookup(operand)));
  return l.translation.block(body, l.b);
}

static FailureOr<Values> lowerAsyncDone(AsyncDoneOp op, Lowering &l) {
  return Values(l.translation.lookup(op->getOperand(0)));
}

/// Test programs run functions on several devices. Like a call, this has the
/// types of the lowered functions.
static bool isParallelRun(Operation *op) {
  return op->getName().getStringRef() == "interpreter.run_parallel";
}

static FailureOr<Values> lowerParallelRun(Lowering &l) {
  OperationState state(l.b.getLoc(), l.op->getName());
  state.addOperands(l.translation.all(l.op->getOperands()));
  state.addTypes(lowerTypes(l.op->getResultTypes()));
  state.addAttributes(l.op->getAttrDictionary().getValue());
  return Values(l.b.create(state)->getResults());
}

void addCallRules(LoweringRules &rules) {
  rules.add<CompositeOp, lowerComposite>();
  rules.add<AsyncStartOp, lowerAsyncStart>();
  rules.add<AsyncDoneOp, lowerAsyncDone>();
  rules.addWhere(isAnnotationCall, lowerAnnotation);
  rules.addWhere(isParallelRun, lowerParallelRun);
}

} // namespace mercator::stablehlo
