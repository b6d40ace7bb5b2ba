// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shifts that cancel, before a program is partitioned. Internal.
//
//   %0 = pad %x, low = [2], high = [2]     tensor<16xf32> to tensor<20xf32>
//   %1 = slice %0 [2:18]                   becomes %x
//
// Along a divided dimension, each of the two would move elements between devices.

#ifndef MERCATOR_TRANSFORMS_SPMD_SHIFTS_H
#define MERCATOR_TRANSFORMS_SPMD_SHIFTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::spmd {

/// Replaces a slice inside of what a pad of one use pads. Ensures: the same results.
void joinShifts(mlir::func::FuncOp function);

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_SHIFTS_H
