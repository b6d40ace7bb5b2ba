// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/linalg/LinalgBuilders.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace mercator::flow {
#define GEN_PASS_DEF_LINALGNAMEDOPCONVERSION
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

namespace {
struct LinalgNamedOpConversion
    : flow::impl::LinalgNamedOpConversionBase<LinalgNamedOpConversion> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateSimplifyDepthwiseConvPatterns(patterns);
    flow::rewriteEverywhere(getOperation(), std::move(patterns));
  }
};
} // namespace
