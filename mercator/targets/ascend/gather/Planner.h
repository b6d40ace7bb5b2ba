// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Plans a gather: all known strategies, and the choice of one.
///
/// ```cpp (mlir::Operation *op, llvm::raw_ostream &os)
/// std::string why;
/// llvm::FailureOr<GatherProblem> problem = gatherProblem(op, why);
/// if (failed(problem))
///   return; // `why` says why not
/// Planning planning = planGather(*problem);
/// if (const Candidate *best = planning.best())
///   best->plan->print(os);
/// ```
///
/// The strategies:
///
///   constant         the result has no elements, or it is a slice at a
///                    constant position
///   no gather        each dimension is taken whole, from 0 on, or by batch
///   slice            one slice: the starts are its offsets
///   GatherElements   one element at a time along one dimension; the others
///                    follow the batch
///   GatherV2         one dimension is indexed
///   GatherNd         several dimensions are indexed by vectors
///   flat GatherV2    the indexed dimensions are merged to one, which one
///                    number indexes: applies whenever there are elements, and
///                    no intermediate tensor has more dimensions than the
///                    largest of operand, start indices and result
///   IndexByTensor    a tensor of indices for each indexed dimension; the
///                    others stay where they are
///
/// A strategy may have several plans, which differ in where dimensions are cut
/// and in whether the operand is transposed (Layout in Strategies.h); the
/// cheapest one that the device supports stands for it. The cheapest strategy is
/// chosen (Cost.h), of equally cheap ones the first. Each plan is exact: starts
/// are clamped as the specification defines, unless they are known to be in
/// range.
///
/// Complexity: quadratic in ranks, linear in the size of constant start
/// indices.

#ifndef MERCATOR_TARGETS_ASCEND_GATHER_PLANNER_H
#define MERCATOR_TARGETS_ASCEND_GATHER_PLANNER_H

#include "mercator/targets/ascend/gather/Cost.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mercator::gather {

enum class Strategy {
  Constant,
  NoGather,
  Slice,
  GatherElements,
  GatherV2,
  GatherNd,
  FlatGatherV2,
  IndexByTensor,
};
inline constexpr unsigned kStrategies = 8;
[[nodiscard]] llvm::StringRef name(Strategy strategy);

/// The names that the option `--way` takes: none, slice, gather-elements,
/// gather-v2, gather-nd, flat-gather-v2, index-by-tensor, constant.
[[nodiscard]] llvm::StringRef identifier(Strategy strategy);
[[nodiscard]] std::optional<Strategy> findStrategy(llvm::StringRef identifier);

struct Candidate {
  Strategy strategy;
  /// The cheapest plan.
  std::optional<Plan> plan = std::nullopt;
  Cost cost = {}; ///< of the plan
  /// The other plans of the strategy.
  llvm::SmallVector<Plan, 0> others = {};
  /// Why there is no plan, or why the device cannot execute it (for a feasible
  /// plan: why its preferred cores cannot).
  std::string why = {};
  bool feasible = false;
};

struct Planning {
  /// One for each strategy, in the order above.
  llvm::SmallVector<Candidate, 0> candidates;
  /// This strategy is taken if it is feasible, even if another one is cheaper.
  std::optional<Strategy> forced = std::nullopt;

  /// The chosen candidate: the forced one, or the cheapest. Null if the device
  /// supports none.
  [[nodiscard]] const Candidate *best() const;
};

/// Returns why a device cannot execute a step of a plan; empty if it can.
using Refuse =
    llvm::function_ref<std::string(const Plan &plan, const PlanStep &step)>;

[[nodiscard]] Planning planGather(const GatherProblem &problem,
                                  Refuse refuse = nullptr);

} // namespace mercator::gather

#endif // MERCATOR_TARGETS_ASCEND_GATHER_PLANNER_H
