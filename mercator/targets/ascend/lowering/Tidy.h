// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What a converted program says twice, said once.
///
///   %1 = ascend.BroadcastTo(%x, %s) : (tensor<4xf32>, ..) -> tensor<3x4xf32>
///   %2 = ascend.Mul(%a, %1) : (tensor<3x4xf32>, tensor<3x4xf32>) -> ..
///
/// becomes
///
///   %2 = ascend.Mul(%a, %x) : (tensor<3x4xf32>, tensor<4xf32>) -> ..
///
/// as StableHLO wants operands of one shape and GE's operators broadcast. Two
/// transpositions, reshapes or broadcasts in a row become one, and none where
/// they undo each other.

#ifndef MERCATOR_TARGETS_ASCEND_LOWERING_TIDY_H
#define MERCATOR_TARGETS_ASCEND_LOWERING_TIDY_H

#include "mlir/IR/Block.h"

namespace mercator::ascend {

/// Leaves the operations that are no longer used. Linear.
void tidy(mlir::Block &block);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_LOWERING_TIDY_H
