// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/Makers.h"

#include "mercator/analysis/Names.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;

Location mercator::flow::makerLocation(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op->getNumResults() == 1)
    return value.getLoc();
  unsigned number = cast<OpResult>(value).getResultNumber();
  Operation *end = op.getBlock()->getTerminator();
  if (number >= end->getNumOperands())
    return value.getLoc();
  Operation *part = end->getOperand(number).getDefiningOp();
  bool isNamed = part && part->getBlock() == op.getBlock() &&
                 !part->hasTrait<OpTrait::ConstantLike>() &&
                 !nameIn(part->getLoc()).empty();
  return isNamed ? part->getLoc() : value.getLoc();
}
