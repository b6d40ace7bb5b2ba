// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With a filter of one element and strides of one, each pixel of the result is
// the same matrix applied to one pixel of the image.

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/extents/Extents.h"
#include "mercator/transforms/flow/linalg/LinalgBuilders.h"

namespace mercator::flow {
#define GEN_PASS_DEF_CONVERT1X1FILTERCONV2DTOMATMUL
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

/// The pixels of the image that are read. The image may have more: the loops of
/// a convolution are those of its result.
static Value pixelsRead(ImplicitLocOpBuilder &b, Value image, Value init,
                        int64_t row) {
  if (flow::haveEqualExtents(image, row, init, row) &&
      flow::haveEqualExtents(image, row + 1, init, row + 1))
    return image;
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), image);
  for (int64_t axis : {row, row + 1})
    sizes[axis] = tensor::getMixedSize(b, b.getLoc(), init, axis);
  SmallVector<OpFoldResult> offsets(4, b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(4, b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, image, offsets, sizes, strides);
}

namespace {
template <typename ConvOp> struct PointwiseConv : OpRewritePattern<ConvOp> {
  using OpRewritePattern<ConvOp>::OpRewritePattern;

  static constexpr bool kChannelsLast =
      std::is_same_v<ConvOp, linalg::Conv2DNhwcHwcfOp>;
  /// The axis of rows; the axis of columns follows.
  static constexpr int64_t kRow = kChannelsLast ? 1 : 2;
  static constexpr int64_t kFilterRow = kChannelsLast ? 0 : 2;

  LogicalResult matchAndRewrite(ConvOp conv,
                                PatternRewriter &rewriter) const override {
    if (!conv.hasPureTensorSemantics())
      return failure();
    Value image = conv.getInputs()[0], filter = conv.getInputs()[1];
    Value init = conv.getOutputs()[0];
    auto imageType = cast<RankedTensorType>(image.getType());
    auto filterType = cast<RankedTensorType>(filter.getType());
    // A filter of one element is the same for any dilation.
    if (filterType.getDimSize(kFilterRow) != 1 ||
        filterType.getDimSize(kFilterRow + 1) != 1 ||
        !llvm::all_of(conv.getStrides().template getValues<int64_t>(),
                      [](int64_t stride) { return stride == 1; }))
      return rewriter.notifyMatchFailure(conv, "more than one pixel, or steps");

    // With channels last, rows of the batch are contiguous. With channels
    // first, only a batch of one is a matrix.
    SmallVector<ReassociationIndices> pixels, weights;
    bool batched = !kChannelsLast && imageType.getDimSize(0) != 1;
    if (kChannelsLast) {
      pixels = {{0, 1, 2}, {3}};
      weights = {{0, 1, 2}, {3}};
    } else {
      weights = {{0}, {1, 2, 3}};
      if (batched)
        pixels = {{0}, {1}, {2, 3}};
      else
        pixels = {{0, 1}, {2, 3}};
    }
    if (!flow::canCollapse(image, pixels) || !flow::canCollapse(init, pixels) ||
        !flow::canCollapse(filter, weights))
      return rewriter.notifyMatchFailure(conv, "two unknown extents in one");
    if (batched && !llvm::all_of(conv->getOperandTypes(), [](Type type) {
          return flow::isNumber(getElementTypeOrSelf(type));
        }))
      return rewriter.notifyMatchFailure(conv, "no arithmetic for its type");

    ImplicitLocOpBuilder b(conv.getLoc(), rewriter);
    image = pixelsRead(b, image, init, kRow);
    Value x = flow::collapse(b, image, pixels);
    Value w = flow::collapse(b, filter, weights);
    Value y = flow::collapse(b, init, pixels);
    Value result;
    if (batched) {
      // linalg.batch_matmul would need a copy of the filter for each image.
      result = flow::contract(b, w, "fc", x, "ncp", y, "nfp");
    } else {
      SmallVector<Value, 2> operands = {x, w};
      if (!kChannelsLast)
        std::swap(operands[0], operands[1]);
      result =
          linalg::MatmulOp::create(b, y.getType(), operands, y).getResult(0);
    }
    rewriter.replaceOp(conv, flow::expandLike(b, result, init, pixels));
    return success();
  }
};

struct Convert1x1FilterConv2DToMatmul
    : flow::impl::Convert1x1FilterConv2DToMatmulBase<
          Convert1x1FilterConv2DToMatmul> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<PointwiseConv<linalg::Conv2DNhwcHwcfOp>,
                 PointwiseConv<linalg::Conv2DNchwFchwOp>>(&getContext());
    flow::rewriteEverywhere(getOperation(), std::move(patterns));
  }
};
} // namespace
