// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Gathers with extents that are known only at run time.
///
///   %rows = "stablehlo.gather"(%table, %ids) ..
///       : (tensor<100x16xf32>, tensor<?x8x1xi32>) -> tensor<?x8x16xf32>
///
/// The planner of gathers works on numbers. A prime stands for each unknown
/// extent: 1009 in place of `?`. A plan has that number, and its products with
/// others, in the shapes of its steps, where the operators get the extent
/// itself: a -1 in a Reshape, GE's Shape otherwise. A plan is used only if other
/// primes give the same plan. Facts about starts do not depend on the primes: an
/// unknown batch axis has any coordinates, and starts in a dimension of the
/// operand with an unknown extent are clamped at run time.
///
/// A single slice (a batch of one) needs no plan: it is a Slice at the clamped
/// starts.

#ifndef MERCATOR_TARGETS_ASCEND_RULES_DYNAMICGATHER_H
#define MERCATOR_TARGETS_ASCEND_RULES_DYNAMICGATHER_H

#include "mercator/analysis/extents/EqualExtents.h"
#include "mercator/targets/ascend/rules/Convert.h"

namespace mercator::ascend {

/// The dimension whose extent a prime stands for.
struct StandIn {
  int64_t prime;
  bool isOfOperand; ///< else of the start indices
  int64_t dim;
};

struct DynamicPlan {
  gather::Plan plan;
  gather::Strategy strategy;
  llvm::SmallVector<StandIn, 4> standIns;
  /// For each column of the starts, the last start in its dimension is
  /// computed at run time.
  llvm::SmallVector<bool, 4> isClamped;
  /// The dimension and the size of the slices of each column.
  llvm::SmallVector<std::pair<int64_t, int64_t>, 4> columns;
};

/// Whether a shape of the gather, dynamic_gather or dynamic_slice has an extent
/// that is known only at run time, or the sizes of its slices are.
[[nodiscard]] bool isDynamicGather(mlir::Operation *op, EqualExtents &extents);
/// Whether the slices are one.
[[nodiscard]] bool isSingleSlice(mlir::Operation *op);

/// None, and the reason, if no plan is right for all extents.
[[nodiscard]] std::optional<DynamicPlan>
planDynamicGather(mlir::Operation *op, const PlanOptions &options,
                  EqualExtents &extents, std::string &why);
[[nodiscard]] mlir::FailureOr<mlir::Value>
emitDynamicPlan(Conversion &c, const DynamicPlan &plan);

/// Requires: isSingleSlice.
[[nodiscard]] mlir::FailureOr<mlir::Value> convertSingleSlice(Conversion &c);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_RULES_DYNAMICGATHER_H
