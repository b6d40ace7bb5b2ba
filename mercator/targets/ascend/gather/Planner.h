// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Plans a gather: every way that is known to do it, and the one to take.
///
///   FailureOr<GatherProblem> problem = gatherProblem(op, why);
///   Planning planning = planGather(*problem, canDo);
///   if (const Candidate *best = planning.best())
///     best->plan->print(os);
///
/// The ways, cheapest first:
///
///   constant         the result has no elements, or it is a slice at a place
///                    known now
///   no gather        each dimension is taken whole, from 0 on, or by batch
///   slice            one slice: the starts are its offsets
///   GatherElements   one element at a time, along one dimension, the others
///                    going along with the batch
///   GatherV2         one dimension is indexed
///   GatherNd         several dimensions are indexed, by vectors
///   flat GatherV2    the indexed dimensions become one, which one number
///                    indexes: applies to all that have elements, and no
///                    tensor on the way has more dimensions than the largest
///                    of operand, start indices and result
///
/// The first that applies and that the device can do is taken. (What
/// GatherElements does GatherV2 with batch dimensions does, too: asked after
/// it, it would never be taken.) Each is exact: starts are clamped as the
/// specification says, but where they are known to lie inside.
///
/// Complexity: quadratic in ranks, linear in the size of constant start
/// indices.

#ifndef MERCATOR_TARGETS_ASCEND_GATHER_PLANNER_H
#define MERCATOR_TARGETS_ASCEND_GATHER_PLANNER_H

#include "mercator/targets/ascend/gather/Plan.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mercator::gather {

enum class Strategy {
  constant,
  noGather,
  slice,
  gatherElements,
  gatherV2,
  gatherNd,
  flatGatherV2,
};
inline constexpr unsigned kStrategies = 7;
[[nodiscard]] llvm::StringRef name(Strategy strategy);

struct Candidate {
  Strategy strategy;
  std::optional<Plan> plan = std::nullopt;
  /// Why there is no plan, or why the device (of a feasible one: the first
  /// choice of its processors) cannot carry it out.
  std::string why = {};
  bool feasible = false;
};

struct Planning {
  /// One for each way, in the order above.
  llvm::SmallVector<Candidate, 0> candidates;

  /// The candidate to take; null where the device can do none.
  [[nodiscard]] const Candidate *best() const;
};

/// Says why a device cannot carry out a step of a plan; empty where it can.
using Refuse =
    llvm::function_ref<std::string(const Plan &plan, const PlanStep &step)>;

[[nodiscard]] Planning planGather(const GatherProblem &problem,
                                  Refuse refuse = nullptr);

} // namespace mercator::gather

#endif // MERCATOR_TARGETS_ASCEND_GATHER_PLANNER_H
