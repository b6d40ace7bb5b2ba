// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/gather/Cost.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mercator;
using namespace mercator::gather;

Cost gather::costOf(const Plan &plan, int64_t elementBytes) {
  auto bytesOf = [&](const PlanStep &step) {
    int64_t each = step.indexBits ? (step.indexBits + 7) / 8 : elementBytes;
    return SaturatingMultiply<uint64_t>(step.size(), each);
  };
  uint64_t bytes = 0;
  Cost cost;
  for (const PlanStep &step : plan.steps) {
    switch (step.kind) {
    case StepKind::operand:
    case StepKind::starts:
    case StepKind::constant:
    case StepKind::empty:
    case StepKind::reshape:
      continue;
    case StepKind::gatherV2:
    case StepKind::gatherElements:
    case StepKind::gatherNd:
      // It reads as much of the operand as it writes, and the indices.
      cost.indexEntries = plan.steps[step.inputs[1]].size();
      bytes =
          SaturatingAdd(bytes, SaturatingMultiply<uint64_t>(2, bytesOf(step)),
                        bytesOf(plan.steps[step.inputs[1]]));
      continue;
    case StepKind::slice:
    case StepKind::dynamicSlice:
      bytes =
          SaturatingAdd(bytes, SaturatingMultiply<uint64_t>(2, bytesOf(step)));
      continue;
    default:
      bytes = SaturatingAdd(bytes, bytesOf(step));
      for (unsigned input : step.inputs)
        bytes = SaturatingAdd(bytes, bytesOf(plan.steps[input]));
    }
  }
  cost.bytes = std::min<uint64_t>(bytes, INT64_MAX);
  return cost;
}
