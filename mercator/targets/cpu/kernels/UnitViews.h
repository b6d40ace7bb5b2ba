// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Reads through views that only add or drop dimensions of extent 1.
///
///   %t = memref.collapse_shape %s [[0, 1], [2]] : memref<1x8x64xf32> into memref<8x64xf32>
///   generic ins(%t) {(i, j) -> (i, j)}   =>   generic ins(%s) {(i, j) -> (0, i, j)}
///
/// So operations that hand over a buffer agree about its dimensions, and can run in one
/// loop over tiles (CellLoops.h). The batch of an attention is often 1.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_UNITVIEWS_H
#define MERCATOR_TARGETS_CPU_KERNELS_UNITVIEWS_H

#include "mlir/IR/Block.h"

namespace mercator::cpu {

/// Has the linalg operations of a block read the buffers behind such views.
void readThroughUnitViews(mlir::Block &block);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_UNITVIEWS_H
