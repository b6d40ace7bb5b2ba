// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shifts that become one movement. Internal.
//
// Before a program is partitioned, those that cancel:
//
//   %0 = pad %x, low = [2], high = [2]     tensor<16xf32> to tensor<20xf32>
//   %1 = slice %0 [2:18]                   becomes %x
//
// Along a divided dimension, each of the two would move elements between devices.
//
// When shardings are known, the slices that a divided concatenation reads. A roll:
//
//   %0 = slice %x [3:16]                   %0 = pad %x, low = [-3], high = [3]
//   %1 = slice %x [0:3]                    %1 = pad %x, low = [13], high = [-13]
//   %2 = concatenate %0, %1                %2 = select %isBelow13, %0, %1
//
// The first row of %1 would go to the first of 4 devices, as the first of three
// rows, and then to the last device, as row 13 of the result. A pad has the extents
// of the result, so every row goes where it is read.

#ifndef MERCATOR_TRANSFORMS_SPMD_SHIFTS_H
#define MERCATOR_TRANSFORMS_SPMD_SHIFTS_H

#include "mercator/transforms/spmd/Propagation.h"

namespace mercator::spmd {

/// Replaces a slice inside of what a pad of one use pads. Ensures: the same results.
void joinShifts(mlir::func::FuncOp function);

/// Replaces the slices of one use that are concatenated along a divided dimension.
/// Ensures: the same results, in the same shardings.
void joinSlices(mlir::func::FuncOp function, ShardedProgram &program);

} // namespace mercator::spmd

#endif // MERCATOR_TRANSFORMS_SPMD_SHIFTS_H
