// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The operations of sdy: the placement of a tensor does not change it. What
// moves data between devices stays (KeptOperations.h).

#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/transforms/stablehlo/lowering/Translation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace mercator::stablehlo {

static FailureOr<Values> lowerSameValue(Lowering &l) {
  return Values(l.translation.lookup(l.op->getOperand(0)));
}

static FailureOr<Values> lowerNamedComputation(sdy::NamedComputationOp op,
                                               Lowering &l) {
  Block &body = op.getBody().front();
  for (auto [argument, operand] :
       llvm::zip(body.getArguments(), op->getOperands()))
    l.translation.set(argument, Values(l.translation.lookup(operand)));
  return l.translation.block(body, l.b);
}

static FailureOr<Values> lowerShardedConstant(sdy::ConstantOp op, Lowering &l) {
  return lowerElements(l, op.getValue());
}

static FailureOr<Values> lowerGroup(sdy::ShardingGroupOp, Lowering &) {
  return Values();
}

void addShardingRules(LoweringRules &rules) {
  rules.add<sdy::NamedComputationOp, lowerNamedComputation>();
  rules.add<sdy::ConstantOp, lowerShardedConstant>();
  rules.add<sdy::ShardingGroupOp, lowerGroup>();
  rules.addWhere(sdy::isSameValue, lowerSameValue);
}

} // namespace mercator::stablehlo
