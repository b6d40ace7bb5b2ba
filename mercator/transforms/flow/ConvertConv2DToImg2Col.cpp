// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"

namespace mercator::flow {
#define GEN_PASS_DEF_CONVERTCONV2DTOIMG2COL
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

namespace {
struct ConvertConv2DToImg2Col
    : flow::impl::ConvertConv2DToImg2ColBase<ConvertConv2DToImg2Col> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->emitError(
        "iree-flow-convert-conv2d-to-img2col: not built yet");
    signalPassFailure();
  }
};
} // namespace
