// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/ascend/Convert.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/ascend/Build.h"
#include "mercator/transforms/ascend/EmitPlan.h"
#include "mercator/transforms/ascend/Passes.h"

#include "mlir/IR/Remarks.h"

#include <vector>

namespace mercator::ascend {
#define GEN_PASS_DEF_CONVERTSTABLEHLOTOASCEND
#include "mercator/transforms/ascend/Passes.h.inc"
} // namespace mercator::ascend

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

static remark::RemarkOpts remarkOf(StringRef name, Operation *op) {
  constexpr llvm::StringLiteral category = "gather-planning";
  return remark::RemarkOpts::name(name).category(category).function(
      op->getName().getStringRef());
}

static bool isGather(Operation *op) {
  return isa<stablehlo::GatherOp, stablehlo::DynamicGatherOp,
             stablehlo::DynamicSliceOp>(op);
}

/// The start indices: a tensor of index vectors, or scalars.
static ValueRange startsOf(Operation *op) {
  if (auto slice = dyn_cast<stablehlo::DynamicSliceOp>(op))
    return slice.getStartIndices();
  return op->getOperands().slice(1, 1);
}

/// The plan to carry out; nothing where there is none. Either way remarks say
/// why.
static std::optional<gather::Plan> plan(Operation *op, Soc soc) {
  std::string why;
  FailureOr<gather::GatherProblem> problem = gather::gatherProblem(op, why);
  if (failed(problem)) {
    remark::failed(op->getLoc(), remarkOf("not-planned", op)) << why;
    return std::nullopt;
  }
  Type element = typeOf(op->getOperand(0)).getElementType();
  gather::Planning planning = planFor(*problem, element, soc);
  for (const gather::Candidate &candidate : planning.candidates)
    if (!candidate.why.empty())
      remark::missed(op->getLoc(), remarkOf(gather::name(candidate.way), op))
          << candidate.why;
  const gather::Candidate *best = planning.best();
  if (!best)
    return std::nullopt;
  gather::Cost cost = best->plan->cost(problem->elementBytes);
  std::string costs = std::to_string(cost.bytes) + " bytes, " +
                      std::to_string(cost.indexEntries) + " index entries";
  // A cheaper way that applies, but not to this type, rank or device.
  const auto *cheaper =
      llvm::find_if(planning.candidates, [](const gather::Candidate &it) {
        return it.plan.has_value();
      });
  if (!best->why.empty())
    costs += "; what the cores lack is left to the AI CPU";
  else if (cheaper != best)
    costs += ("; in the place of " + gather::name(cheaper->way) + ", since " +
              cheaper->why)
                 .str();
  remark::passed(op->getLoc(), remarkOf(gather::name(best->way), op)) << costs;
  return best->plan;
}

/// Why the operation cannot even be looked at; empty where it can.
static std::string whyNotAtAll(Operation *op) {
  if (op->getNumResults() != 1 && !isa<stablehlo::ReduceOp>(op))
    return "an operation of " + std::to_string(op->getNumResults()) +
           " results has no operator in GE";
  for (ValueRange values :
       {ValueRange(op->getOperands()), ValueRange(op->getResults())})
    for (Value value : values) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      std::string text;
      llvm::raw_string_ostream(text) << value.getType();
      if (!type)
        return "GE has no values of type " + text;
      if (!type.hasStaticShape())
        return "the shape of " + text + " is not known";
      if (type.getRank() > 8)
        return "GE has tensors of rank 8 at most, not " + text;
      if (!geType(type.getElementType()))
        return "GE has no elements as those of " + text;
    }
  return "";
}

static FailureOr<Value> convertOther(Conversion &c) {
  c.why = whyNotAtAll(c.op);
  if (!c.why.empty())
    return failure();
  for (Rule rule : {convertElementwise, convertDataMovement, convertReduction,
                    convertProduct}) {
    FailureOr<Value> result = rule(c);
    if (succeeded(result) || !c.why.empty())
      return result;
  }
  return c.no("there is no rule for " + c.op->getName().getStringRef());
}

std::vector<Unconverted>
ascend::convertToAscend(ModuleOp module, const ConvertOptions &options) {
  // What is known of start indices is asked of the program as it is, so gathers
  // are planned before anything is changed.
  std::vector<std::pair<Operation *, std::optional<gather::Plan>>> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa_and_nonnull<stablehlo::StablehloDialect>(op->getDialect()))
      return WalkResult::advance();
    std::optional<gather::Plan> found;
    std::string why;
    if (isGather(op))
      found = plan(op, options.soc);
    ops.push_back({op, std::move(found)});
    return WalkResult::skip(); // what a region computes belongs to its
                               // operation
  });

  std::vector<Unconverted> left;
  for (auto &[op, found] : ops) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    Conversion c{op, b, options, ""};
    FailureOr<Value> result = failure();
    if (found)
      result = emitPlan(b, *found, op->getOperand(0), startsOf(op),
                        options.gatherV2D);
    else if (isGather(op))
      c.why = "no plan of the gather can be carried out";
    else
      result = convertOther(c);
    if (succeeded(result)) {
      op->getResult(0).replaceAllUsesWith(*result);
      for (auto [i, other] : llvm::enumerate(c.others))
        op->getResult(i + 1).replaceAllUsesWith(other);
      op->erase();
      continue;
    }
    remark::missed(op->getLoc(), remark::RemarkOpts::name("not-converted")
                                     .category("ascend-conversion")
                                     .function(op->getName().getStringRef()))
        << c.why;
    left.push_back({op, std::move(c.why)});
  }
  return left;
}

namespace {
struct ConvertStablehloToAscend
    : ascend::impl::ConvertStablehloToAscendBase<ConvertStablehloToAscend> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<Soc> device = findSoc(soc);
    if (!device) {
      getOperation()->emitError(
          "expected 'any' or '910b' for the option 'soc', got '")
          << soc.getValue() << "'";
      return signalPassFailure();
    }
    // What stays is for whoever needs a whole graph to complain of.
    (void)convertToAscend(getOperation(),
                          {.soc = *device, .gatherV2D = gatherV2D});
  }
};
} // namespace
