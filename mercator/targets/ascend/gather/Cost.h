// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What a plan moves. The planner takes the plan of the least cost.
///
/// ```cpp (const Plan &plan, const GatherProblem &problem)
/// Cost cost = costOf(plan, problem);
/// int64_t moved = cost.bytes; // what `explain` prints
/// ```
///
/// The bytes are a lower bound: GE may insert conversions between layouts. For
/// unknown extents all numbers are estimates (SymbolicExtent::estimate).
///
/// Plans are compared by `weight` (operators/Cost.h).

#ifndef MERCATOR_TARGETS_ASCEND_GATHER_COST_H
#define MERCATOR_TARGETS_ASCEND_GATHER_COST_H

#include "mercator/targets/ascend/gather/Plan.h"
#include "mercator/targets/ascend/operators/Cost.h"

namespace mercator::gather {

using ascend::Cost;

/// Bytes that a step reads and writes; 0 for a step that moves nothing.
/// Saturates.
[[nodiscard]] int64_t bytesMovedBy(const Plan &plan, size_t step,
                                   const GatherProblem &problem);

/// Complexity: linear in the number of steps. Sums saturate.
[[nodiscard]] Cost costOf(const Plan &plan, const GatherProblem &problem);

} // namespace mercator::gather

#endif // MERCATOR_TARGETS_ASCEND_GATHER_COST_H
