// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/linalg/LinalgBuilders.h"

namespace mercator::flow {
#define GEN_PASS_DEF_TENSORPADTOTENSORINSERTSLICE
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

/// Whether the only user is a linalg operation that may take the pad into its
/// own dispatch. Operations with zero points (`_q`) do not.
static bool isForLinalg(tensor::PadOp pad) {
  if (!pad->hasOneUse())
    return false;
  Operation *user = *pad->user_begin();
  return isa<linalg::LinalgOp>(user) &&
         !user->getName().getStringRef().ends_with("_q");
}

namespace {
struct PadToInsertSlice : OpRewritePattern<tensor::PadOp> {
  PadToInsertSlice(MLIRContext *context, bool skipOneLinalgUse)
      : OpRewritePattern(context), skipOneLinalgUse(skipOneLinalgUse) {}

  LogicalResult matchAndRewrite(tensor::PadOp pad,
                                PatternRewriter &rewriter) const override {
    // A uniform value: a constant, or a value from outside.
    Value value = pad.getConstantPaddingValue();
    if (!value)
      return rewriter.notifyMatchFailure(pad, "its values differ");
    if (skipOneLinalgUse && isForLinalg(pad))
      return rewriter.notifyMatchFailure(pad, "left for its user");
    SmallVector<OpFoldResult> low = pad.getMixedLowPad();
    SmallVector<OpFoldResult> high = pad.getMixedHighPad();
    for (OpFoldResult amount : llvm::concat<OpFoldResult>(low, high))
      if (getConstantIntValue(amount).value_or(0) < 0)
        return rewriter.notifyMatchFailure(pad, "it crops");

    ImplicitLocOpBuilder b(pad.getLoc(), rewriter);
    Value source = pad.getSource();
    RankedTensorType type = pad.getResultType();
    SmallVector<OpFoldResult> sourceSizes =
        tensor::getMixedSizes(b, b.getLoc(), source);
    SmallVector<OpFoldResult> sizes;
    for (int64_t axis = 0; axis != type.getRank(); ++axis) {
      if (!type.isDynamicDim(axis)) {
        sizes.push_back(b.getIndexAttr(type.getDimSize(axis)));
        continue;
      }
      AffineExpr before, after, between;
      bindSymbols(b.getContext(), before, after, between);
      OpFoldResult size = affine::makeComposedFoldedAffineApply(
          b, b.getLoc(), before + after + between,
          {low[axis], high[axis], sourceSizes[axis]});
      // As a dynamic extent, as in the type.
      sizes.push_back(getValueOrCreateConstantIndexOp(b, b.getLoc(), size));
    }
    if (value.getParentRegion() == &pad.getRegion())
      value = b.clone(*value.getDefiningOp())->getResult(0);
    Value init = flow::emptyTensor(b, sizes, type.getElementType());
    Value filled = linalg::FillOp::create(b, value, init).getResult(0);
    SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
    rewriter.replaceOpWithNewOp<tensor::InsertSliceOp>(pad, source, filled, low,
                                                       sourceSizes, strides);
    return success();
  }

  bool skipOneLinalgUse;
};

struct TensorPadToTensorInsertSlice
    : flow::impl::TensorPadToTensorInsertSliceBase<
          TensorPadToTensorInsertSlice> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<PadToInsertSlice>(&getContext(), skipOneLinalgUse);
    flow::rewriteEverywhere(getOperation(), std::move(patterns));
  }
};
} // namespace
