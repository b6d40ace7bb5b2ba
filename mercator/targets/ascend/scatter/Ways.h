// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The nodes of each way to update a tensor. Internal to this folder.

#ifndef MERCATOR_TARGETS_ASCEND_SCATTER_WAYS_H
#define MERCATOR_TARGETS_ASCEND_SCATTER_WAYS_H

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/scatter/Planner.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mercator::scatter {

/// Requires, for all three: the update has elements, and `dimensions` describes
/// the operation. `way` is Way::Rows or Way::Elements.
[[nodiscard]] mlir::Value scatterRows(mlir::ImplicitLocOpBuilder &b, Way way,
                                      stablehlo::DynamicUpdateSliceOp op,
                                      llvm::ArrayRef<Dimension> dimensions);
[[nodiscard]] mlir::Value scatterRows(mlir::ImplicitLocOpBuilder &b, Way way,
                                      stablehlo::ScatterOp op, Combination by,
                                      llvm::ArrayRef<Dimension> dimensions);
/// The element type in which elements and updates are combined: of integers of
/// fewer than 32 bits, the low bits of sums and products in 32 bits.
[[nodiscard]] mlir::Type combinedIn(Combination by, mlir::Type element);
/// Requires: the update is smaller than the operand, whose extents are at most
/// INT32_MAX.
[[nodiscard]] mlir::Value chooseByMask(mlir::ImplicitLocOpBuilder &b,
                                       stablehlo::DynamicUpdateSliceOp op,
                                       llvm::ArrayRef<Dimension> dimensions);

/// A start as an integer in [least, most]: as it is if that is known.
[[nodiscard]] mlir::Value clamped(mlir::ImplicitLocOpBuilder &b,
                                  mlir::Value start, indexing::Interval known,
                                  int64_t least, int64_t most,
                                  mlir::Type index);

} // namespace mercator::scatter

#endif // MERCATOR_TARGETS_ASCEND_SCATTER_WAYS_H
