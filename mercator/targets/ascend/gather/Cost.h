// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What a plan moves. The cost is for the reader of `explain` and of remarks:
/// the planner takes the first feasible strategy in a fixed order (Planner.h)
/// and does not compare costs.
///
///   Cost cost = costOf(*candidate.plan, problem.elementBytes);

#ifndef MERCATOR_TARGETS_ASCEND_GATHER_COST_H
#define MERCATOR_TARGETS_ASCEND_GATHER_COST_H

#include "mercator/targets/ascend/gather/Plan.h"

namespace mercator::gather {

struct Cost {
  /// Bytes read and written by the steps that move something; a reshape and an
  /// input do not.
  int64_t bytes = 0;
  /// Elements of the indices that the gather itself takes.
  int64_t indexEntries = 0;
};

/// Requires: the elements of the operand have `elementBytes` bytes.
[[nodiscard]] Cost costOf(const Plan &plan, int64_t elementBytes);

} // namespace mercator::gather

#endif // MERCATOR_TARGETS_ASCEND_GATHER_COST_H
