// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Converts gathers: gather, dynamic_gather and dynamic_slice.
///
///   %rows = "stablehlo.gather"(%table, %ids) ..
///       : (tensor<100x16xf32>, tensor<?x8x1xi32>) -> tensor<?x8x16xf32>
///
/// One planner plans static and unknown extents (gather/Problem.h). Where the
/// shapes of a plan have an unknown extent, the operators get the extent
/// itself: a -1 in a Reshape, GE's Shape otherwise. Starts in a dimension of the
/// operand with an unknown extent are clamped at run time, before the plan.
///
/// A single slice (a batch of one) of a tensor with unknown extents needs no
/// plan: it is a Slice at the clamped starts.

#ifndef MERCATOR_TARGETS_ASCEND_RULES_CONVERTGATHER_H
#define MERCATOR_TARGETS_ASCEND_RULES_CONVERTGATHER_H

#include "mercator/analysis/extents/EqualExtents.h"
#include "mercator/targets/ascend/rules/Convert.h"

namespace mercator::ascend {

struct GatherPlan {
  gather::GatherProblem problem;
  gather::Plan plan;
};

[[nodiscard]] bool isGather(mlir::Operation *op);
/// Whether a shape of the gather has an extent that is known only at run time,
/// or the sizes of its slices are. Requires: isGather.
[[nodiscard]] bool isDynamicGather(mlir::Operation *op, EqualExtents &extents);
/// Whether the slices are one. Requires: isGather.
[[nodiscard]] bool isSingleSlice(mlir::Operation *op);

/// The plan to execute, or nothing and the reason. Emits remarks in both cases.
[[nodiscard]] std::optional<GatherPlan> planGather(mlir::Operation *op,
                                                   const PlanOptions &options,
                                                   EqualExtents &extents,
                                                   std::string &why);
/// Carries the plan out.
[[nodiscard]] mlir::FailureOr<mlir::Value>
convertGather(Conversion &c, const GatherPlan &plan);

/// Requires: isSingleSlice.
[[nodiscard]] mlir::FailureOr<mlir::Value> convertSingleSlice(Conversion &c);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_RULES_CONVERTGATHER_H
