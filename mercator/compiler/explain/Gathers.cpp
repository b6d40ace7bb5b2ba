// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/explain/Gathers.h"

#include "mercator/compiler/explain/Dispatches.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/gather/EmitPlan.h"
#include "mercator/targets/ascend/gather/Planner.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using namespace mercator::gather;
using llvm::StringRef;

const Explanation::Gather::Way *Explanation::Gather::takenWay() const {
  auto taken = llvm::find_if(ways, [](const Way &way) { return way.taken; });
  return taken == ways.end() ? nullptr : &*taken;
}

//===----------------------------------------------------------------------===//
// Start indices
//===----------------------------------------------------------------------===//

namespace {
/// What the planner knows of a column of the start indices.
struct KnownStart {
  size_t column;
  /// None if it is any value of its type.
  std::optional<std::string> range;
  /// Why the clamp does nothing; empty if it does something.
  std::string idleBelow, idleAbove;
};
} // namespace

static KnownStart knownStart(const GatherProblem &problem, size_t k) {
  const Column &column = problem.columns[k];
  unsigned bits = problem.indexBits;
  // A bound that follows from the type alone is not knowledge.
  int64_t least = problem.indexIsSigned ? llvm::minIntN(bits) : 0;
  int64_t most = problem.indexIsSigned ? llvm::maxIntN(bits)
                 : bits >= 64          ? INT64_MAX
                                       : (int64_t)llvm::maxUIntN(bits);
  auto [lower, upper] = column.starts;
  bool hasLower = lower > least, hasUpper = upper < most;
  KnownStart known{.column = k, .range = {}, .idleBelow = {}, .idleAbove = {}};
  if (hasLower && hasUpper)
    known.range =
        "in [" + std::to_string(lower) + ", " + std::to_string(upper) + "]";
  else if (hasLower)
    known.range = "at least " + std::to_string(lower);
  else if (hasUpper)
    known.range = "at most " + std::to_string(upper);
  int64_t last = *problem.lastStart(column.dim);
  if (!problem.indexIsSigned)
    known.idleBelow = "the type has no negative numbers";
  else if (lower >= 0)
    known.idleBelow = std::to_string(lower) + " is the lower bound";
  if (upper <= last)
    known.idleAbove = (hasUpper ? "" : "the type ends at ") +
                      std::to_string(upper) +
                      (hasUpper ? " is the upper bound" : "");
  // A bound that saves no clamp is not shown.
  if (known.idleBelow.empty() && known.idleAbove.empty())
    known.range = std::nullopt;
  return known;
}

static std::string clampText(const GatherProblem &problem,
                             const KnownStart &known) {
  std::string last =
      std::to_string(*problem.lastStart(problem.columns[known.column].dim));
  if (problem.constantStarts)
    return "clamped to [0, " + last + "] at compile time";
  if (known.idleBelow.empty() && known.idleAbove.empty())
    return "clamped to [0, " + last + "]";
  if (known.idleBelow.empty())
    return "clamped to 0 from below; not from above: " + known.idleAbove;
  if (known.idleAbove.empty())
    return "clamped to " + last +
           " from above; not from below: " + known.idleBelow;
  return "not needed: " + known.idleBelow + ", " + known.idleAbove +
         ", and [0, " + last + "] contains that";
}

static std::string knownText(const GatherProblem &problem,
                             const KnownStart &known) {
  if (problem.columns[known.column].iotaAxis)
    return "counts along batch axis " +
           std::to_string(*problem.columns[known.column].iotaAxis);
  if (problem.constantStarts)
    return "constant";
  return known.range.value_or("any");
}

static std::vector<Explanation::Gather::Start>
startsOf(const GatherProblem &problem) {
  std::vector<Explanation::Gather::Start> starts;
  auto roles = problem.roles();
  for (auto [k, column] : llvm::enumerate(problem.columns)) {
    KnownStart known = knownStart(problem, k);
    Role role = roles[column.dim];
    bool isRead = role == Role::Point || role == Role::Window;
    bool atRuntime = isRead && !problem.constantStarts;
    starts.push_back(
        {.dimension = column.dim,
         .last = *problem.lastStart(column.dim),
         .constant = problem.constantStarts.has_value(),
         .lower = column.starts.hasLower() ? std::optional(column.starts.lower)
                                           : std::nullopt,
         .upper = column.starts.hasUpper() ? std::optional(column.starts.upper)
                                           : std::nullopt,
         .countsAlong = column.iotaAxis,
         .clampBelow = atRuntime && known.idleBelow.empty(),
         .clampAbove = atRuntime && known.idleAbove.empty(),
         .known = knownText(problem, known),
         .clamp = role == Role::Full ? "not read"
                  : role == Role::Trimmed
                      ? "not read: it is always " +
                            std::to_string(*problem.fixedStart(column.dim))
                  : role == Role::Batching
                      ? "not read: all starts are in bounds"
                      : clampText(problem, known)});
  }
  return starts;
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

/// The part that a slice takes of a dimension.
static std::string howTaken(const GatherProblem &problem, int64_t dim,
                            Role role) {
  const Column *column = problem.column(dim);
  std::string starts =
      column ? "start " + std::to_string(column - problem.columns.begin()) : "";
  switch (role) {
  case Role::Batching:
    return "follows batch axis " + std::to_string(problem.batchingAxes()[dim]);
  case Role::Full:
    return column ? "whole; " + starts + " can only be 0" : "whole";
  case Role::Trimmed: {
    int64_t first = *problem.fixedStart(dim);
    if (!first)
      return "the first " + problem.sliceSizes[dim].str();
    return problem.sliceSizes[dim].str() + ", from " + std::to_string(first) +
           " on: " + starts + " is known";
  }
  case Role::Point:
    return "one, at " + starts;
  case Role::Window:
    return problem.sliceSizes[dim].str() + ", from " + starts + " on";
  }
  return "";
}

/// The axis of the result that a dimension becomes. None if the dimension is
/// collapsed or a batching dimension.
static std::optional<int64_t> resultAxis(const GatherProblem &problem,
                                         int64_t dim) {
  if (!problem.isOffset(dim))
    return std::nullopt;
  int64_t before = 0;
  for (int64_t other = 0; other < dim; ++other)
    before += problem.isOffset(other);
  return problem.offsetDims[before];
}

static std::vector<Explanation::Gather::Dimension>
dimensionsOf(const GatherProblem &problem) {
  std::vector<Explanation::Gather::Dimension> dimensions;
  for (auto [dim, role] : llvm::enumerate(problem.roles())) {
    auto &dimension = dimensions.emplace_back(Explanation::Gather::Dimension{
        .extent = problem.operandShape[dim].number(),
        .taken = problem.sliceSizes[dim].number(),
        .role = name(role).str(),
        .howTaken = howTaken(problem, dim, role),
        .batchAxis = {},
        .resultAxis = resultAxis(problem, dim)});
    if (role == Role::Batching)
      dimension.batchAxis = problem.batchingAxes()[dim];
  }
  return dimensions;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// Why a candidate that the device supports is not taken.
static std::string whyDearer(const gather::Candidate &candidate,
                             const gather::Candidate &best, bool isForced) {
  std::string other = identifier(best.strategy).str();
  if (isForced)
    return "--way takes " + other;
  const gather::Cost &cost = candidate.cost, &least = best.cost;
  llvm::SmallVector<std::string> more;
  auto compare = [&](int64_t here, int64_t there, StringRef what) {
    if (here > there)
      more.push_back(std::to_string(here - there) + " more " + what.str() +
                     (here - there == 1 ? "" : "s"));
  };
  compare(cost.bytes, least.bytes, "byte");
  compare(cost.nodes, least.nodes, "node");
  if (more.empty() && cost.indexEntries > least.indexEntries)
    more.push_back(std::to_string(cost.indexEntries - least.indexEntries) +
                   " more index entries");
  std::string why = cost.movesOperand && !least.movesOperand
                        ? "it transposes or slices the operand: "
                        : "";
  if (!more.empty())
    return why + llvm::join(more, " and ") + " than " + other;
  return why + (cost.weight > least.weight ? "smaller pieces than " + other
                                           : "it costs as much as " + other +
                                                 ", which is tried first");
}

static std::string whyNot(const gather::Candidate &candidate,
                          const gather::Candidate *best,
                          const gather::Planning &planning) {
  if (!candidate.feasible || !best)
    return candidate.why;
  return whyDearer(candidate, *best, best->strategy == planning.forced);
}

/// Adds a node to those with the same reason.
static void add(std::vector<Explanation::AiCpu> &aiCpu,
                const ascend::StepBesideCores &node) {
  auto found = llvm::find_if(
      aiCpu, [&](const auto &known) { return known.why == node.why; });
  if (found == aiCpu.end())
    found = aiCpu.insert(aiCpu.end(), {node.why, 0, 0});
  ++found->nodes;
  found->bytes += node.bytes;
}

static void describe(const gather::Planning &planning,
                     const GatherProblem &problem, mlir::Type element,
                     const Device &device, Explanation::Gather &gather) {
  const gather::Candidate *best = planning.best();
  std::vector<ascend::StepBesideCores> besideBest;
  for (const gather::Candidate &candidate : planning.candidates) {
    bool isTaken = &candidate == best;
    Explanation::Gather::Way way{.name = identifier(candidate.strategy).str(),
                                 .taken = isTaken,
                                 .possible = candidate.feasible,
                                 .isPlanned = candidate.plan.has_value()};
    if (candidate.plan) {
      way.bytes = candidate.cost.bytes;
      way.indexEntries = candidate.cost.indexEntries;
      way.nodes = candidate.cost.nodes;
      way.movesOperand = candidate.cost.movesOperand;
      auto beside =
          ascend::besideCores(*candidate.plan, problem, element, device);
      for (const ascend::StepBesideCores &node : beside)
        add(way.aiCpu, node);
      if (isTaken)
        besideBest = std::move(beside);
    }
    if (!isTaken)
      way.whyNot = whyNot(candidate, best, planning);
    gather.ways.push_back(std::move(way));
  }
  if (!best)
    return;
  gather.notes.assign(best->plan->notes.begin(), best->plan->notes.end());
  std::string steps;
  llvm::raw_string_ostream all(steps);
  best->plan->print(all);
  llvm::SmallVector<StringRef> lines;
  StringRef(steps).rtrim().split(lines, '\n');
  for (auto [i, line] : llvm::enumerate(lines)) {
    bool isBeside = llvm::any_of(
        besideBest, [&](const auto &node) { return node.step == i; });
    gather.plan.push_back(line.str() + (isBeside ? ", on the AI CPU" : ""));
  }
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

static Explanation::Gather explainGather(const InstructionTable &table,
                                         const Instruction &instruction,
                                         const ascend::PlanOptions &options) {
  mlir::Operation *op = instruction.op;
  auto tensor = [&](mlir::Value value) {
    Explanation::Tensor tensor = describe(value);
    tensor.name = table.nameOf(value);
    return tensor;
  };
  Explanation::Gather gather;
  gather.function = instruction.computation->name;
  gather.instruction = table.nameOf(op);
  gather.operation = op->getName().getStringRef().str();
  gather.place = placeOf(op->getLoc());
  gather.from = tensor(op->getOperand(0));
  for (mlir::Value starts : llvm::drop_begin(op->getOperands()))
    gather.starts.push_back(tensor(starts));
  gather.gives = tensor(op->getResult(0));
  forEachRecord(table, instruction, indexing::Direction::OutToIn,
                [&](const MapRecord &r) { gather.maps.push_back(r); });

  llvm::FailureOr<GatherProblem> problem = gatherProblem(op, gather.unknown);
  if (failed(problem))
    return gather;
  gather.dimensions = dimensionsOf(*problem);
  gather.startColumns = startsOf(*problem);
  mlir::Type element =
      llvm::cast<mlir::RankedTensorType>(op->getOperand(0).getType())
          .getElementType();
  describe(ascend::planFor(*problem, element, options), *problem, element,
           *options.device, gather);
  return gather;
}

bool mercator::isGather(mlir::Operation *op) {
  return llvm::isa<stablehlo::GatherOp, stablehlo::DynamicGatherOp,
                   stablehlo::DynamicSliceOp>(op);
}

std::vector<Explanation::Gather>
mercator::explainGathers(const InstructionTable &table,
                         const ascend::PlanOptions &options) {
  std::vector<Explanation::Gather> gathers;
  for (const Computation &computation : table.getComputations())
    for (mlir::Operation &op : *computation.block)
      if (isGather(&op))
        gathers.push_back(
            explainGather(table, {&computation, &op, nullptr}, options));
  return gathers;
}
