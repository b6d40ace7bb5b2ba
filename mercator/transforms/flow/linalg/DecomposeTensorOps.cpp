// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Rewrites operations that cannot be in a dispatch:
//
//   tensor.concat dim(0) %a, %b     insertions into a tensor.empty
//   tensor.generate %n { .. }       a linalg.generic with linalg.index
//   linalg.softmax dimension(1)     linalg.generics: maximum, exp, sum, quotient

#include "mercator/transforms/flow/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mercator::flow {
#define GEN_PASS_DEF_DECOMPOSETENSOROPS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

static LogicalResult decomposeGenerate(tensor::GenerateOp op,
                                       PatternRewriter &rewriter) {
  // No dispatch returns a tensor of indices.
  if (getElementTypeOrSelf(op.getType()).isIndex())
    return failure();
  return linalg::rewriteInDestinationPassingStyle(rewriter, op);
}

static LogicalResult decomposeSoftmax(linalg::SoftmaxOp op,
                                      PatternRewriter &rewriter) {
  FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
  if (failed(results))
    return failure();
  rewriter.replaceOp(op, *results);
  return success();
}

namespace {
struct DecomposeTensorOps
    : flow::impl::DecomposeTensorOpsBase<DecomposeTensorOps> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    tensor::populateDecomposeTensorConcatPatterns(patterns);
    patterns.add(decomposeGenerate);
    patterns.add(decomposeSoftmax);
    if (failed(applyPatternsGreedily(
            getOperation(), std::move(patterns),
            GreedyRewriteConfig()
                .enableFolding(false)
                .setRegionSimplificationLevel(
                    GreedySimplifyRegionLevel::Disabled))))
      signalPassFailure();
  }
};
} // namespace
