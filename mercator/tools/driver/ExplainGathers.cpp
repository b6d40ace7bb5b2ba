// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/tools/driver/ExplainGathers.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/lowering/EmitPlan.h"

using namespace mercator;
using namespace mercator::gather;

std::vector<GatherExplanation>
mercator::explainGathers(const MapProgram &program, const Device &device) {
  std::vector<GatherExplanation> gathers;
  for (const Computation &computation : program.getComputations())
    for (mlir::Operation &op : *computation.block) {
      if (!llvm::isa<stablehlo::GatherOp, stablehlo::DynamicGatherOp,
                     stablehlo::DynamicSliceOp>(op))
        continue;
      GatherExplanation &gather = gathers.emplace_back();
      gather.instruction = {&computation, &op, nullptr};
      llvm::FailureOr<GatherProblem> problem =
          gatherProblem(&op, gather.unknown);
      if (failed(problem))
        continue;
      gather.problem = std::move(*problem);
      gather.planning = ascend::planFor(
          gather.problem,
          llvm::cast<mlir::RankedTensorType>(op.getOperand(0).getType())
              .getElementType(),
          device);
    }
  return gathers;
}

KnownStart mercator::knownStart(const GatherProblem &problem, size_t k) {
  const Column &column = problem.columns[k];
  unsigned bits = problem.indexBits;
  // What the type alone says is nothing that is known.
  int64_t least = problem.indexIsSigned ? llvm::minIntN(bits) : 0;
  int64_t most = problem.indexIsSigned ? llvm::maxIntN(bits)
                 : bits >= 64          ? INT64_MAX
                                       : (int64_t)llvm::maxUIntN(bits);
  bool hasLower = column.lower && *column.lower > least;
  bool hasUpper = column.upper && *column.upper < most;
  KnownStart known{.column = k, .range = {}, .idleBelow = {}, .idleAbove = {}};
  auto number = [](int64_t value) { return std::to_string(value); };
  if (hasLower && hasUpper)
    known.range =
        "in [" + number(*column.lower) + ", " + number(*column.upper) + "]";
  else if (hasLower)
    known.range = "at least " + number(*column.lower);
  else if (hasUpper)
    known.range = "at most " + number(*column.upper);
  int64_t last = problem.lastStart(column.dim);
  if (!problem.indexIsSigned)
    known.idleBelow = "the type has no negative numbers";
  else if (column.lower && *column.lower >= 0)
    known.idleBelow = number(*column.lower) + " is the least";
  if (column.upper && *column.upper <= last)
    known.idleAbove = (hasUpper ? "" : "the type ends at ") +
                      number(*column.upper) + (hasUpper ? " is the most" : "");
  // A bound that saves no clamp says nothing to a reader.
  if (known.idleBelow.empty() && known.idleAbove.empty())
    known.range = std::nullopt;
  return known;
}
