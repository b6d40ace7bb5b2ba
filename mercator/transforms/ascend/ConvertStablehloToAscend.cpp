// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
  gather::Planning planning =
      gather::planGather(*problem, refusals(element, soc));
  for (const gather::Candidate &candidate : planning.candidates)
    if (!candidate.feasible)
      remark::missed(op->getLoc(), remarkOf(gather::name(candidate.way), op))
          << candidate.why;
  const gather::Candidate *best = planning.best();
  if (!best)
    return std::nullopt;
  gather::Cost cost = best->plan->cost(problem->elementBytes);
  remark::passed(op->getLoc(), remarkOf(gather::name(best->way), op))
      << (Twine(cost.bytes) + " bytes, " + Twine(cost.indexEntries) +
          " index entries")
             .str();
  return best->plan;
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
    // What is known of start indices is asked of the program as it is.
    std::vector<std::pair<Operation *, gather::Plan>> plans;
    getOperation()->walk([&](Operation *op) {
      if (isGather(op))
        if (std::optional<gather::Plan> found = plan(op, *device))
          plans.push_back({op, std::move(*found)});
    });
    for (auto &[op, found] : plans) {
      ImplicitLocOpBuilder b(op->getLoc(), op);
      op->getResult(0).replaceAllUsesWith(
          emitPlan(b, found, op->getOperand(0), startsOf(op)));
      op->erase();
    }
  }
};
} // namespace
