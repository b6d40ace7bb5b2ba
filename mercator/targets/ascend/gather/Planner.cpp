// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/gather/Planner.h"
#include "mercator/targets/ascend/gather/Strategies.h"

using namespace llvm;
using namespace mercator;
using namespace mercator::gather;

StringRef gather::name(Way way) {
  switch (way) {
  case Way::constant:
    return "constant";
  case Way::noGather:
    return "no gather";
  case Way::slice:
    return "slice";
  case Way::gatherV2:
    return "GatherV2";
  case Way::gatherElements:
    return "GatherElements";
  case Way::gatherNd:
    return "GatherNd";
  case Way::flatGatherV2:
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

std::optional<Plan> Planner::plan(Way way, std::string &why) {
  if (isEmpty() && way != Way::constant) {
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
  switch (way) {
  case Way::constant:
    result = constant(why);
    break;
  case Way::noGather:
    result = noGather(why);
    break;
  case Way::slice:
    result = slice(why);
    break;
  case Way::gatherV2:
    result = gatherV2(why);
    break;
  case Way::gatherElements:
    result = gatherElements(why);
    break;
  case Way::gatherNd:
    result = gatherNd(why);
    break;
  case Way::flatGatherV2:
    result = flatGatherV2(why);
    break;
  }
  if (!result)
    return std::nullopt;
  return b.finish(*result);
}

Planning gather::planGather(const GatherProblem &problem, Refuse refuse) {
  Planning planning;
  planning.candidates.reserve(kWays);
  const Planner planner(problem);
  for (unsigned i = 0; i < kWays; ++i) {
    Candidate &candidate =
        planning.candidates.emplace_back(Candidate{.way = Way(i)});
    candidate.plan = Planner(planner).plan(candidate.way, candidate.why);
    candidate.feasible = candidate.plan.has_value();
    if (!candidate.plan || !refuse)
      continue;
    for (const Step &step : candidate.plan->steps)
      if (std::string why = refuse(*candidate.plan, step); !why.empty()) {
        candidate.feasible = false;
        candidate.why = std::move(why);
        break;
      }
  }
  return planning;
}
