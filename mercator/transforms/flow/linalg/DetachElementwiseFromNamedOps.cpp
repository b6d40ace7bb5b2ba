// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contraction that accumulates into the result of another linalg operation
// becomes a contraction that starts from zero, and an addition. The two can be
// fused separately with their neighbors. Together they would be an operation
// that reads and writes one buffer which a third one fills.
//
// An init that is an argument, a constant or a load is kept: it already has its
// own buffer, and accumulating in place moves fewer bytes. A fill is kept too,
// because it is free in the dispatch that uses it.

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/linalg/LinalgBuilders.h"

#include "mlir/Analysis/SliceAnalysis.h"

namespace mercator::flow {
#define GEN_PASS_DEF_DETACHELEMENTWISEFROMNAMEDOPS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

/// The operation that combines the accumulator with each new term, if zero is
/// its identity element: an addition or an `or`. A max pooling is no sum.
static Operation *summation(linalg::LinalgOp op) {
  SmallVector<Operation *, 4> combiners;
  if (!matchReduction(op.getRegionOutputArgs(), 0, combiners) ||
      combiners.size() != 1 ||
      !isa<arith::AddFOp, arith::AddIOp, arith::OrIOp>(combiners.front()))
    return nullptr;
  return combiners.front();
}

namespace {
struct DetachInit : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
        (!linalg::isaContractionOpInterface(op) &&
         !isa<linalg::ConvolutionOpInterface>(*op)))
      return failure();
    Value init = op.getDpsInitOperand(0)->get();
    auto producer = init.getDefiningOp<linalg::LinalgOp>();
    if (!producer || isa<linalg::FillOp>(*producer))
      return rewriter.notifyMatchFailure(op, "its init has its own buffer");
    auto type = cast<RankedTensorType>(init.getType());
    Operation *sum = summation(op);
    if (!sum || !flow::isNumber(type.getElementType()))
      return rewriter.notifyMatchFailure(op, "it does not add to its init");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value zeros = flow::zeros(b, tensor::getMixedSizes(b, b.getLoc(), init),
                              type.getElementType());
    rewriter.modifyOpInPlace(op, [&] { op.setDpsInitOperand(0, zeros); });

    b.setInsertionPointAfter(op);
    Value result = op->getResult(0);
    SmallVector<AffineMap> maps(3, b.getMultiDimIdentityMap(type.getRank()));
    SmallVector<utils::IteratorType> loops(type.getRank(),
                                           utils::IteratorType::parallel);
    auto added = linalg::GenericOp::create(
        b, type, ValueRange{result, init}, zeros, maps, loops,
        [&](OpBuilder &body, Location loc, ValueRange args) {
          IRMapping operands;
          operands.map(sum->getOperands(), args.take_front(2));
          Operation *last = body.clone(*sum, operands);
          linalg::YieldOp::create(body, loc, last->getResult(0));
        });
    rewriter.replaceAllUsesExcept(result, added.getResult(0), added);
    return success();
  }
};

struct DetachElementwiseFromNamedOps
    : flow::impl::DetachElementwiseFromNamedOpsBase<
          DetachElementwiseFromNamedOps> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DetachInit>(&getContext());
    flow::rewriteEverywhere(getOperation(), std::move(patterns));
  }
};
} // namespace
