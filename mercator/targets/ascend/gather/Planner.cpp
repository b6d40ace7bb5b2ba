// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/gather/Planner.h"
#include "mercator/targets/ascend/gather/Strategies.h"

using namespace llvm;
using namespace mercator;
using namespace mercator::gather;

StringRef gather::name(Strategy strategy) {
  switch (strategy) {
  case Strategy::Constant:
    return "constant";
  case Strategy::NoGather:
    return "no gather";
  case Strategy::Slice:
    return "slice";
  case Strategy::GatherV2:
    return "GatherV2";
  case Strategy::GatherElements:
    return "GatherElements";
  case Strategy::GatherNd:
    return "GatherNd";
  case Strategy::FlatGatherV2:
    return "flat GatherV2";
  case Strategy::IndexByTensor:
    return "IndexByTensor";
  }
  return "";
}

StringRef gather::identifier(Strategy strategy) {
  switch (strategy) {
  case Strategy::Constant:
    return "constant";
  case Strategy::NoGather:
    return "none";
  case Strategy::Slice:
    return "slice";
  case Strategy::GatherV2:
    return "gather-v2";
  case Strategy::GatherElements:
    return "gather-elements";
  case Strategy::GatherNd:
    return "gather-nd";
  case Strategy::FlatGatherV2:
    return "flat-gather-v2";
  case Strategy::IndexByTensor:
    return "index-by-tensor";
  }
  return "";
}

std::optional<Strategy> gather::findStrategy(StringRef text) {
  for (unsigned i = 0; i < kStrategies; ++i)
    if (identifier(Strategy(i)) == text)
      return Strategy(i);
  return std::nullopt;
}

const Candidate *Planning::best() const {
  const Candidate *best = nullptr;
  for (const Candidate &candidate : candidates) {
    if (!candidate.feasible)
      continue;
    if (candidate.strategy == forced)
      return &candidate;
    if (!best || candidate.cost < best->cost)
      best = &candidate;
  }
  return best;
}

std::optional<Plan> StrategyBuilder::plan(Strategy strategy, std::string &why) {
  if (isEmpty() && strategy != Strategy::Constant) {
    why = "the result has no elements";
    return std::nullopt;
  }
  for (auto [dim, axis] : enumerate(paired))
    if (axis >= 0 && !is_contained(problem.operandBatchingDims, (int64_t)dim))
      b.note(
          "the starts of dimension " + std::to_string(dim) +
          " count along batch axis " + std::to_string(axis) +
          (problem.batchingOffset(dim)
               ? " from " + std::to_string(problem.batchingOffset(dim)) + " on"
               : "") +
          ": it follows the batch");
  for (auto [dim, role] : enumerate(roles))
    if (role == Role::Full && problem.column(dim))
      b.note("dimension " + std::to_string(dim) +
             " is taken whole, for any starts");
  Result result;
  switch (strategy) {
  case Strategy::Constant:
    result = constant(why);
    break;
  case Strategy::NoGather:
    result = noGather(why);
    break;
  case Strategy::Slice:
    result = slice(why);
    break;
  case Strategy::GatherV2:
    result = gatherV2(why);
    break;
  case Strategy::GatherElements:
    result = gatherElements(why);
    break;
  case Strategy::GatherNd:
    result = gatherNd(why);
    break;
  case Strategy::FlatGatherV2:
    result = flatGatherV2(why);
    break;
  case Strategy::IndexByTensor:
    result = indexByTensor(why);
    break;
  }
  if (!result)
    return std::nullopt;
  return b.finish(*result);
}

/// Why the device cannot execute a plan; empty if it can.
static std::string whyRefused(const Plan &plan, Refuse refuse) {
  if (refuse)
    for (const PlanStep &step : plan.steps)
      if (std::string why = refuse(plan, step); !why.empty())
        return why;
  return "";
}

Planning gather::planGather(const GatherProblem &problem, Refuse refuse) {
  Planning planning;
  planning.candidates.reserve(kStrategies);
  SmallVector<StrategyBuilder, kLayouts> builders;
  for (unsigned i = 0; i < kLayouts; ++i)
    builders.emplace_back(problem, Layout(i));
  for (unsigned i = 0; i < kStrategies; ++i) {
    Candidate &candidate =
        planning.candidates.emplace_back(Candidate{.strategy = Strategy(i)});
    for (const StrategyBuilder &builder : builders) {
      if (!builder.differs(candidate.strategy))
        continue;
      std::string why;
      std::optional<Plan> plan =
          StrategyBuilder(builder).plan(candidate.strategy, why);
      if (!plan) {
        if (!candidate.plan && candidate.why.empty())
          candidate.why = std::move(why);
        continue;
      }
      why = whyRefused(*plan, refuse);
      Cost cost = costOf(*plan, problem);
      // A plan that the device supports, then a cheaper one.
      bool isBetter =
          !candidate.plan || why.empty() > candidate.feasible ||
          (why.empty() == candidate.feasible && cost < candidate.cost);
      if (isBetter) {
        if (candidate.plan)
          candidate.others.push_back(std::move(*candidate.plan));
        candidate.plan = std::move(plan);
        candidate.cost = cost;
        candidate.feasible = why.empty();
        candidate.why = std::move(why);
      } else {
        candidate.others.push_back(std::move(*plan));
      }
    }
  }
  return planning;
}
