// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The operations of hlo: a fusion is only a boundary that another compiler drew,
// so its body takes its place. hlo.bitcast and hlo.copy are in Reshape.cpp.

#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/transforms/stablehlo/lowering/Translation.h"

using namespace mlir;

namespace mercator::stablehlo {

static FailureOr<Values> lowerFusion(hlo::FusionOp op, Lowering &l) {
  Block &body = op.getBody().front();
  for (auto [argument, operand] :
       llvm::zip(body.getArguments(), op->getOperands()))
    l.translation.set(argument, Values(l.translation.lookup(operand)));
  return l.translation.block(body, l.b);
}

static FailureOr<Values> lowerElement(hlo::ElementOp op, Lowering &l) {
  return Values(l.translation.lookup(op->getOperand(0)));
}

void addHloRules(LoweringRules &rules) {
  rules.add<hlo::FusionOp, lowerFusion>();
  rules.add<hlo::ElementOp, lowerElement>();
}

} // namespace mercator::stablehlo
