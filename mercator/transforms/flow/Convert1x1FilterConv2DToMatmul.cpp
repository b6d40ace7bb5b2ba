// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"

namespace mercator::flow {
#define GEN_PASS_DEF_CONVERT1X1FILTERCONV2DTOMATMUL
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

namespace {
struct Convert1x1FilterConv2DToMatmul
    : flow::impl::Convert1x1FilterConv2DToMatmulBase<
          Convert1x1FilterConv2DToMatmul> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->emitError(
        "iree-flow-convert-1x1-filter-conv2d-to-matmul: not built yet");
    signalPassFailure();
  }
};
} // namespace
