// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a test program asks of its evaluator: the dialect `interpreter`.

#include "mercator/dialects/interpreter/Interpreter.h"
#include "mercator/reference/Rules.h"

using namespace mlir;
using namespace mercator::interpreter;

namespace mercator::reference {

static void show(Step &step, StringRef name) {
  if (const Evaluator::Show &function = step.evaluator.getShow())
    function(name, step.tensor(0));
}

static LogicalResult evaluatePrint(PrintOp op, Step &step) {
  show(step, "");
  return success();
}

static LogicalResult evaluateProbe(ProbeOp op, Step &step) {
  show(step, op.getProbeId());
  step.results[0] = step.operands[0];
  return success();
}

void addInterpreterRules(Rules &rules) {
  rules.add<PrintOp, evaluatePrint>();
  rules.add<ProbeOp, evaluateProbe>();
}

} // namespace mercator::reference
