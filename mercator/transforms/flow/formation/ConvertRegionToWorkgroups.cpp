// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/formation/RegionToWorkgroups.h"

#include "mlir/IR/PatternMatch.h"

namespace mercator::flow {
#define GEN_PASS_DEF_CONVERTREGIONTOWORKGROUPS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

namespace {
struct ConvertRegionToWorkgroups
    : flow::impl::ConvertRegionToWorkgroupsBase<ConvertRegionToWorkgroups> {
  using Base::Base;

  void runOnOperation() override {
    llvm::SmallVector<flow::DispatchRegionOp> regions;
    getOperation()->walk(
        [&](flow::DispatchRegionOp region) { regions.push_back(region); });
    IRRewriter rewriter(&getContext());
    for (flow::DispatchRegionOp region : regions)
      if (failed(flow::convertToWorkgroups(region, rewriter)))
        return signalPassFailure();
  }
};
} // namespace
