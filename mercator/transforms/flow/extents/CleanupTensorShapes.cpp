// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/flow/Flow.h"
#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/extents/LoopExtents.h"

namespace mercator::flow {
#define GEN_PASS_DEF_CLEANUPTENSORSHAPES
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

namespace {
struct CleanupTensorShapes
    : flow::impl::CleanupTensorShapesBase<CleanupTensorShapes> {
  using Base::Base;

  void runOnOperation() override {
    flow::resolveLoopExtents(getOperation());
    bool asked = false;
    getOperation()->walk([&](Operation *op) {
      if (auto tie = dyn_cast<flow::TensorTieShapeOp>(op)) {
        // In a graph region an operation may be its own operand.
        if (tie.getOperand() == tie.getResult())
          return;
        tie.getResult().replaceAllUsesWith(tie.getOperand());
        tie.erase();
      } else if (isa<tensor::DimOp, tensor::RankOp>(op)) {
        op->emitOpError()
            << "unexpected during shape cleanup, where every extent is a value "
               "that something else computes";
        asked = true;
      }
    });
    if (asked)
      signalPassFailure();
  }
};
} // namespace
