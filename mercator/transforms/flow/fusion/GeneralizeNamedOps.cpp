// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fusion and linalg-fold-unit-extent-dims know only linalg.generic. So named
// elementwise operations become one, and so do convolutions with a loop of
// extent 1: a convolution of a batch of one would keep a dimension that its bias
// and its activation lose, and the reshape between them would keep them in
// different dispatches. Products and other convolutions keep their names.

#include "mercator/analysis/Sizes.h"
#include "mercator/transforms/flow/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace mercator::flow {
#define GEN_PASS_DEF_GENERALIZENAMEDOPS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

/// Whether an operand or the result is large.
static bool hasLargeTensor(linalg::LinalgOp op) {
  constexpr int64_t kLarge = 16 * 1024 * 1024;
  return llvm::any_of(op->getOperandTypes(), [](Type type) {
    return bytesOf(type).value_or(0) >= kLarge;
  });
}

static bool shouldGeneralize(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() ||
      isa<linalg::GenericOp, linalg::FillOp>(*op))
    return false;
  if (isa<linalg::ConvolutionOpInterface>(*op))
    return llvm::is_contained(op.getStaticLoopRanges(), 1);
  // So no reshape of a large tensor hides what it is computed from
  // (RecomputeTensors.cpp).
  if (isa<linalg::BatchMatmulOp>(*op))
    return op.getStaticLoopRanges()[0] == 1 && hasLargeTensor(op);
  return op.getNumParallelLoops() == op.getNumLoops();
}

namespace {
struct GeneralizeNamedOps
    : flow::impl::GeneralizeNamedOpsBase<GeneralizeNamedOps> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (shouldGeneralize(op))
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
