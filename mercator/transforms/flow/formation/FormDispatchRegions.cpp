// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/formation/Grouping.h"
#include "mercator/transforms/flow/formation/Regions.h"

namespace mercator::flow {
#define GEN_PASS_DEF_FORMDISPATCHREGIONS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

namespace {
struct FormDispatchRegions
    : flow::impl::FormDispatchRegionsBase<FormDispatchRegions> {
  using Base::Base;

  void runOnOperation() override {
    FunctionOpInterface function = getOperation();
    if (fusion != "heuristic") {
      function->emitError("expected 'heuristic' for the option 'fusion', got '")
          << fusion << "'";
      return signalPassFailure();
    }
    // Code in executables is already dispatched.
    if (function.isExternal() ||
        function->getParentOfType<flow::ExecutableOp>())
      return;
    flow::Reasons reasons(function);
    flow::Grouping grouping =
        flow::groupByHeuristic(function, aggressiveFusion, reasons);
    reasons.report(grouping);
    flow::formRegions(&getContext(), grouping, generateWorkloadRegion);
  }
};
} // namespace
