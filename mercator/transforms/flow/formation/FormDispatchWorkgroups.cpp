// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/formation/RegionToWorkgroups.h"
#include "mercator/transforms/flow/formation/Regions.h"
#include "mercator/transforms/flow/operations/TensorToFlow.h"

#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

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
    if (getOperation().isExternal())
      return;
    IRRewriter rewriter(&getContext());
    if (failed(convertRegions(rewriter)) || failed(convertSlices(rewriter)) ||
        failed(convertOthers()))
      signalPassFailure();
  }

private:
  LogicalResult convert(flow::DispatchRegionOp region, RewriterBase &rewriter) {
    flow::cloneProducers(region, inlineConstantsMaxByteLength);
    return flow::convertToWorkgroups(region, rewriter);
  }

  LogicalResult convertRegions(RewriterBase &rewriter) {
    llvm::SmallVector<flow::DispatchRegionOp> regions;
    getOperation()->walk(
        [&](flow::DispatchRegionOp region) { regions.push_back(region); });
    for (flow::DispatchRegionOp region : regions)
      if (failed(convert(region, rewriter)))
        return failure();
    return success();
  }

  /// The remaining slices become copies or separate dispatches.
  LogicalResult convertSlices(RewriterBase &rewriter);

  /// Converts the other operations outside of dispatches, and slices next to
  /// loads and stores of whole tensors.
  LogicalResult convertOthers();
};
} // namespace

LogicalResult FormDispatchWorkgroups::convertSlices(RewriterBase &rewriter) {
  // Updating slices come first: their read slices may then move into a
  // dispatch.
  llvm::SmallVector<Operation *> slices, reads;
  getOperation()->walk([&](Operation *op) {
    if (isa<tensor::InsertSliceOp, tensor::ExtractSliceOp>(op) &&
        flow::isOutsideOfDispatches(op))
      (isa<tensor::InsertSliceOp>(op) ? slices : reads).push_back(op);
  });
  llvm::append_range(slices, reads);
  llvm::SmallVector<Operation *> remaining;
  for (Operation *op : slices) {
    auto insert = dyn_cast<tensor::InsertSliceOp>(op);
    if (failed(insert ? flow::convertToUpdate(insert, rewriter)
                      : flow::convertToSlice(cast<tensor::ExtractSliceOp>(op),
                                             rewriter)))
      remaining.push_back(op);
  }
  for (Operation *op : remaining) {
    if (op->use_empty()) {
      rewriter.eraseOp(op);
      continue;
    }
    // No dispatch takes indices.
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (type.getElementType().isIndex())
      continue;
    auto region = flow::wrapInRegion(rewriter, op, generateWorkloadRegion);
    if (failed(region) || failed(convert(*region, rewriter)))
      return failure();
  }
  return success();
}

LogicalResult FormDispatchWorkgroups::convertOthers() {
  RewritePatternSet patterns(&getContext());
  flow::populateTensorToFlowPatterns(patterns);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  flow::TensorReshapeOp::getCanonicalizationPatterns(patterns, &getContext());
  tensor::populateFoldTensorEmptyPatterns(patterns);
  if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
    return failure();
  RewritePatternSet folds(&getContext());
  flow::populateTensorSliceOpWithDispatchTensorOpFoldingPatterns(folds);
  return applyPatternsGreedily(getOperation(), std::move(folds));
}
