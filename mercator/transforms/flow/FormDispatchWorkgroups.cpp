// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"

namespace mercator::flow {
#define GEN_PASS_DEF_FORMDISPATCHWORKGROUPS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

namespace {
struct FormDispatchWorkgroups
    : flow::impl::FormDispatchWorkgroupsBase<FormDispatchWorkgroups> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->emitError(
        "iree-flow-form-dispatch-workgroups: not built yet");
    signalPassFailure();
  }
};
} // namespace
