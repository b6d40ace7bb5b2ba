// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The passes of Passes.td. Each calls a function of the folders below.

#include "mercator/targets/ascend/Passes.h"

#include "mercator/targets/ascend/graph/FormGraphs.h"
#include "mercator/targets/ascend/prepare/InlineCalls.h"
#include "mercator/targets/ascend/rules/Convert.h"

namespace mercator::ascend {
#define GEN_PASS_DEF_CONVERTSTABLEHLOTOASCEND
#define GEN_PASS_DEF_FORMASCENDGRAPHS
#include "mercator/targets/ascend/Passes.h.inc"
} // namespace mercator::ascend

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

namespace {
struct ConvertStablehloToAscend
    : ascend::impl::ConvertStablehloToAscendBase<ConvertStablehloToAscend> {
  using Base::Base;

  void runOnOperation() override {
    const Device *device = findDevice("ascend", soc);
    if (!device) {
      getOperation()->emitError(
          "expected 'any' or '910b' for the option 'soc', got '")
          << soc.getValue() << "'";
      return signalPassFailure();
    }
    std::optional<gather::Strategy> way = gather::findStrategy(this->way);
    if (!way && !this->way.empty()) {
      getOperation()->emitError("expected a way of gathers for the option "
                                "'way', got '")
          << this->way.getValue() << "'";
      return signalPassFailure();
    }
    // Passes that need a whole graph report the remaining operations.
    (void)convertToAscend(
        getOperation(),
        {.plan = {.device = device, .way = way}, .gatherV2D = gatherV2D});
  }
};

struct FormAscendGraphs : ascend::impl::FormAscendGraphsBase<FormAscendGraphs> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(inlineCalls(getOperation())))
      return signalPassFailure();
    // Passes that need graphs report the remaining functions.
    formGraphs(getOperation());
  }
};
} // namespace
