// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/Annotations.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

bool mercator::stablehlo::isAnnotation(CustomCallOp op) {
  static constexpr StringLiteral names[] = {
      "Sharding", "annotate_device_placement", "LayoutConstraint",
      "xla.sdy.FuncResultSharding", "xla.sdy.ShardingGroup"};
  StringRef target = op.getCallTargetName();
  if (!llvm::is_contained(names, target))
    return false;
  // A sharding group has no result.
  return op->getNumResults() == 0 ||
         op->getOperandTypes() == op->getResultTypes();
}
