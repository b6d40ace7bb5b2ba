// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linalg-fold-unit-extent-dims drops loops of extent 1 from linalg.generic, but
// not from named convolutions. A convolution of a batch of one would keep a
// dimension that its bias and its activation have lost, and the reshape between
// them would keep them in different dispatches.

#include "mercator/transforms/flow/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace mercator::flow {
#define GEN_PASS_DEF_GENERALIZEUNITLOOPS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

static bool isNamedConvolution(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && !isa<linalg::GenericOp>(*op) &&
         isa<linalg::ConvolutionOpInterface>(*op);
}

namespace {
struct GeneralizeUnitLoops
    : flow::impl::GeneralizeUnitLoopsBase<GeneralizeUnitLoops> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (isNamedConvolution(op) &&
          llvm::is_contained(op.getStaticLoopRanges(), 1))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      rewriter.setInsertionPoint(op);
      (void)linalg::generalizeNamedOp(rewriter, op);
    }
  }
};
} // namespace
