// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/gather/Planner.h"
#include "mercator/targets/ascend/gather/Strategies.h"

using namespace llvm;
using namespace mercator;
using namespace mercator::gather;

StringRef gather::name(Strategy strategy) {
  switch (strategy) {
  case Strategy::constant:
    return "constant";
  case Strategy::noGather:
    return "no gather";
  case Strategy::slice:
    return "slice";
  case Strategy::gatherV2:
    return "GatherV2";
  case Strategy::gatherElements:
    return "GatherElements";
  case Strategy::gatherNd:
    return "GatherNd";
  case Strategy::flatGatherV2:
    return "flat GatherV2";
  }
  return "";
}

const Candidate *Planning::best() const {
  const auto *found = find_if(candidates, [](const Candidate &candidate) {
    return candidate.feasible;
  });
  return found == candidates.end() ? nullptr : found;
}

std::optional<Plan> StrategyBuilder::plan(Strategy strategy, std::string &why) {
  if (isEmpty() && strategy != Strategy::constant) {
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
    if (role == Role::full && problem.column(dim))
      b.note("dimension " + std::to_string(dim) +
             " is taken whole, for any starts");
  Result result;
  switch (strategy) {
  case Strategy::constant:
    result = constant(why);
    break;
  case Strategy::noGather:
    result = noGather(why);
    break;
  case Strategy::slice:
    result = slice(why);
    break;
  case Strategy::gatherV2:
    result = gatherV2(why);
    break;
  case Strategy::gatherElements:
    result = gatherElements(why);
    break;
  case Strategy::gatherNd:
    result = gatherNd(why);
    break;
  case Strategy::flatGatherV2:
    result = flatGatherV2(why);
    break;
  }
  if (!result)
    return std::nullopt;
  return b.finish(*result);
}

Planning gather::planGather(const GatherProblem &problem, Refuse refuse) {
  Planning planning;
  planning.candidates.reserve(kStrategies);
  const StrategyBuilder builder(problem);
  for (unsigned i = 0; i < kStrategies; ++i) {
    Candidate &candidate =
        planning.candidates.emplace_back(Candidate{.strategy = Strategy(i)});
    candidate.plan =
        StrategyBuilder(builder).plan(candidate.strategy, candidate.why);
    candidate.feasible = candidate.plan.has_value();
    if (!candidate.plan || !refuse)
      continue;
    for (const PlanStep &step : candidate.plan->steps)
      if (std::string why = refuse(*candidate.plan, step); !why.empty()) {
        candidate.feasible = false;
        candidate.why = std::move(why);
        break;
      }
  }
  return planning;
}
