// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Copies that permute dimensions, as transposes of square blocks in registers.
///
///   y[j, i] = x[i, j]     for tiles of 64 x 64, for blocks of 16 x 16 elements:
///                            16 vectors of x, four rounds of shuffles, 16 vectors of y
///
/// A copy element by element reads or writes one element of a cache line at a time.
/// This one uses whole lines, and few pages of memory at once.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_TRANSPOSECODE_H
#define MERCATOR_TARGETS_CPU_KERNELS_TRANSPOSECODE_H

#include "mercator/targets/cpu/kernels/ParallelLoops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::cpu {

/// n vectors of n elements, n a power of 2: element k of result i is element i of
/// vector k.
llvm::SmallVector<mlir::Value> transposed(mlir::OpBuilder &builder,
                                          mlir::Location loc,
                                          llvm::SmallVector<mlir::Value> rows);

/// The tiles of a part, in one loop, so that neighbors along the last of `order` follow
/// each other. `counts`: how many there are along each dimension. `body` gets the
/// number of the tile along each dimension.
void forEachTile(mlir::OpBuilder &builder, mlir::Location loc, PartRange part,
                 mlir::AffineMap order, llvm::ArrayRef<int64_t> counts,
                 llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> body);

/// Replaces the linalg operations of a kernel on buffers that are such copies.
/// `vectorBytes` is the width of the machine's vectors.
void emitTransposes(mlir::func::FuncOp kernel, int64_t vectorBytes);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_TRANSPOSECODE_H
