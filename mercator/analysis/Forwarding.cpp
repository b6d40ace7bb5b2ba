// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/Forwarding.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/sdy/Sdy.h"

using namespace mercator;
using namespace mercator::maps;
using mlir::Value;

Value maps::forwardedOperand(mlir::OpResult result) {
  mlir::Operation *op = result.getOwner();
  if (llvm::isa<hlo::CopyOp, hlo::ElementOp, stablehlo::OptimizationBarrierOp>(
          op) ||
      sdy::isSameValue(op))
    return op->getOperand(result.getResultNumber());
  return {};
}

std::optional<Leaf> maps::forwardedLeaf(Leaf leaf, Leaves &leaves) {
  auto result = llvm::dyn_cast<mlir::OpResult>(leaf.value);
  if (!result)
    return std::nullopt;
  mlir::Operation *op = result.getOwner();
  if (llvm::isa<stablehlo::TupleOp>(op)) {
    auto [member, inside] = leaves.member(result.getType(), leaf.leaf);
    return Leaf{op->getOperand(member), inside};
  }
  if (auto element = llvm::dyn_cast<stablehlo::GetTupleElementOp>(op)) {
    Value tuple = element.getOperand();
    return Leaf{tuple,
                leaves.offset(tuple.getType(), element.getIndex()) + leaf.leaf};
  }
  // A future has one leaf for each result.
  if (auto done = llvm::dyn_cast<stablehlo::AsyncDoneOp>(op))
    return Leaf{done.getOperand(), result.getResultNumber()};
  if (Value operand = forwardedOperand(result))
    return Leaf{operand, leaf.leaf};
  return std::nullopt;
}
