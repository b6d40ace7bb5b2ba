// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Removes redundant operations from a converted program.
///
///   %1 = ascend.BroadcastTo(%x, %s) : (tensor<4xf32>, ..) -> tensor<3x4xf32>
///   %2 = ascend.Mul(%a, %1) : (tensor<3x4xf32>, tensor<3x4xf32>) -> ..
///
/// becomes
///
///   %2 = ascend.Mul(%a, %x) : (tensor<3x4xf32>, tensor<4xf32>) -> ..
///
/// StableHLO requires operands of the same shape; GE's operators broadcast. Two
/// transpositions, reshapes or broadcasts in a row become one, or none if they
/// cancel. A sort of which only the first elements are used becomes a TopKV2.

#ifndef MERCATOR_TARGETS_ASCEND_GRAPH_TIDY_H
#define MERCATOR_TARGETS_ASCEND_GRAPH_TIDY_H

#include "mlir/IR/Block.h"

namespace mercator::ascend {

/// Keeps operations that become unused. Linear.
void tidy(mlir::Block &block);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_GRAPH_TIDY_H
