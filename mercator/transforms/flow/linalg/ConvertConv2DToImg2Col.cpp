// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies the windows that a convolution reads to the rows of a matrix and
// multiplies it with the filter. linalg has such a rewrite too, but its gather
// computes the window by dividing one index. Here a linalg.generic with six
// loops reads affinely,
//
//   windows[n, oh, ow, kh, kw, c] = image[n, oh * sh + kh * dh, ...],
//
// and the matrix is a reshape of its result.

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/linalg/LinalgBuilders.h"

namespace mercator::flow {
#define GEN_PASS_DEF_CONVERTCONV2DTOIMG2COL
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

/// A copy of the elements of `image` at the indices `source`; the result has
/// one dimension for each size.
static Value gather(ImplicitLocOpBuilder &b, Value image,
                    ArrayRef<OpFoldResult> sizes, ArrayRef<AffineExpr> source) {
  unsigned rank = sizes.size();
  auto type = cast<RankedTensorType>(image.getType());
  Value init = flow::emptyTensor(b, sizes, type.getElementType());
  AffineMap maps[] = {AffineMap::get(rank, 0, source, b.getContext()),
                      b.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, init.getType(), image, init, maps, loops,
             [](OpBuilder &body, Location loc, ValueRange args) {
               linalg::YieldOp::create(body, loc, args[0]);
             })
      .getResult(0);
}

/// The common part of the three convolutions.
template <typename ConvOp> struct Conv {
  ConvOp op;
  Value image = op.getInputs()[0], filter = op.getInputs()[1];
  Value init = op.getOutputs()[0];

  int64_t images() const {
    return cast<RankedTensorType>(init.getType()).getDimSize(0);
  }
  bool isNumeric() const {
    return llvm::all_of(op->getOperandTypes(), [](Type type) {
      return flow::isNumber(getElementTypeOrSelf(type));
    });
  }
  /// The index of a window's element along an axis: 0 for rows, 1 for columns.
  AffineExpr at(int axis, AffineExpr window, AffineExpr element) {
    auto get = [&](DenseIntElementsAttr values) {
      return values.getValues<int64_t>()[axis];
    };
    return window * get(op.getStrides()) + element * get(op.getDilations());
  }
};

/// Appends the extents of the given axes of a tensor.
static void append(SmallVector<OpFoldResult> &sizes, ImplicitLocOpBuilder &b,
                   Value tensor, ArrayRef<int64_t> axes) {
  for (int64_t axis : axes)
    sizes.push_back(tensor::getMixedSize(b, b.getLoc(), tensor, axis));
}

namespace {
struct ChannelsLast : OpRewritePattern<linalg::Conv2DNhwcHwcfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::Conv2DNhwcHwcfOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return failure();
    Conv<linalg::Conv2DNhwcHwcfOp> conv{op};
    bool batched = conv.images() != 1;
    if (batched && !conv.isNumeric())
      return rewriter.notifyMatchFailure(op, "no arithmetic for its type");
    SmallVector<ReassociationIndices> ofWindows = {{0, 1, 2}, {3, 4, 5}};
    SmallVector<ReassociationIndices> ofResult = {{0, 1, 2}, {3}};
    SmallVector<ReassociationIndices> ofFilter = {{0, 1, 2}, {3}};
    if (batched) {
      ofWindows = {{0}, {1, 2}, {3, 4, 5}};
      ofResult = {{0}, {1, 2}, {3}};
    }
    if (!flow::canCollapse(conv.init, ofResult) ||
        !flow::canCollapse(conv.filter, ofFilter))
      return rewriter.notifyMatchFailure(op, "two unknown extents in one");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<OpFoldResult> sizes;
    append(sizes, b, conv.init, {0, 1, 2});
    append(sizes, b, conv.filter, {0, 1, 2});
    AffineExpr n, oh, ow, kh, kw, c;
    bindDims(b.getContext(), n, oh, ow, kh, kw, c);
    Value windows = gather(b, conv.image, sizes,
                           {n, conv.at(0, oh, kh), conv.at(1, ow, kw), c});
    Value x = flow::collapse(b, windows, ofWindows);
    Value w = flow::collapse(b, conv.filter, ofFilter);
    Value y = flow::collapse(b, conv.init, ofResult);
    Value result;
    if (batched) {
      // linalg.batch_matmul would need a batch dimension of the filter.
      result = flow::contract(b, x, "nmk", w, "kf", y, "nmf");
    } else {
      result = linalg::MatmulOp::create(b, y.getType(), ValueRange{x, w}, y)
                   .getResult(0);
    }
    rewriter.replaceOp(op, flow::expandLike(b, result, conv.init, ofResult));
    return success();
  }
};

/// Channels come before pixels, so the filter is the left matrix.
struct ChannelsFirst : OpRewritePattern<linalg::Conv2DNchwFchwOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::Conv2DNchwFchwOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return failure();
    Conv<linalg::Conv2DNchwFchwOp> conv{op};
    bool batched = conv.images() != 1;
    if (batched && !conv.isNumeric())
      return rewriter.notifyMatchFailure(op, "no arithmetic for its type");
    SmallVector<ReassociationIndices> ofWindows = {{0, 1, 2, 3}, {4, 5}};
    SmallVector<ReassociationIndices> ofResult = {{0, 1}, {2, 3}};
    SmallVector<ReassociationIndices> ofFilter = {{0}, {1, 2, 3}};
    if (batched) {
      ofWindows = {{0}, {1, 2, 3}, {4, 5}};
      ofResult = {{0}, {1}, {2, 3}};
    }
    if (!flow::canCollapse(conv.init, ofResult) ||
        !flow::canCollapse(conv.filter, ofFilter))
      return rewriter.notifyMatchFailure(op, "two unknown extents in one");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<OpFoldResult> sizes;
    append(sizes, b, conv.init, {0});
    append(sizes, b, conv.filter, {1, 2, 3});
    append(sizes, b, conv.init, {2, 3});
    AffineExpr n, c, kh, kw, oh, ow;
    bindDims(b.getContext(), n, c, kh, kw, oh, ow);
    Value windows = gather(b, conv.image, sizes,
                           {n, c, conv.at(0, oh, kh), conv.at(1, ow, kw)});
    Value w = flow::collapse(b, conv.filter, ofFilter);
    Value x = flow::collapse(b, windows, ofWindows);
    Value y = flow::collapse(b, conv.init, ofResult);
    Value result;
    if (batched) {
      result = flow::contract(b, w, "fk", x, "nkp", y, "nfp");
    } else {
      result = linalg::MatmulOp::create(b, y.getType(), ValueRange{w, x}, y)
                   .getResult(0);
    }
    rewriter.replaceOp(op, flow::expandLike(b, result, conv.init, ofResult));
    return success();
  }
};

/// For each channel, a matrix of windows times a vector. So channels are moved
/// to the front and afterwards to the end.
struct Depthwise : OpRewritePattern<linalg::DepthwiseConv2DNhwcHwcOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::DepthwiseConv2DNhwcHwcOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return failure();
    Conv<linalg::DepthwiseConv2DNhwcHwcOp> conv{op};
    bool batched = conv.images() != 1;
    if (batched && !conv.isNumeric())
      return rewriter.notifyMatchFailure(op, "no arithmetic for its type");
    SmallVector<ReassociationIndices> ofWindows = {{0, 1}, {2, 3}, {4, 5}};
    SmallVector<ReassociationIndices> ofResult = {{0, 1}, {2, 3}};
    SmallVector<ReassociationIndices> ofFilter = {{0}, {1, 2}};
    if (batched) {
      ofWindows = {{0}, {1}, {2, 3}, {4, 5}};
      ofResult = {{0}, {1}, {2, 3}};
    }
    // For the transposed tensors.
    auto permuted = [](Value tensor, ArrayRef<int64_t> axes) {
      SmallVector<int64_t> shape;
      for (int64_t axis : axes)
        shape.push_back(
            cast<RankedTensorType>(tensor.getType()).getDimSize(axis));
      return shape;
    };
    constexpr int64_t kChannelsFirst[] = {0, 3, 1, 2};
    constexpr int64_t kFilterChannelsFirst[] = {2, 0, 1};
    if (!flow::canCollapse(permuted(conv.init, kChannelsFirst), ofResult) ||
        !flow::canCollapse(permuted(conv.filter, kFilterChannelsFirst),
                           ofFilter))
      return rewriter.notifyMatchFailure(op, "two unknown extents in one");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value image = flow::transpose(b, conv.image, kChannelsFirst);
    Value filter = flow::transpose(b, conv.filter, kFilterChannelsFirst);
    Value init = flow::transpose(b, conv.init, kChannelsFirst);
    SmallVector<OpFoldResult> sizes;
    append(sizes, b, init, {0, 1, 2, 3});
    append(sizes, b, filter, {1, 2});
    AffineExpr n, c, oh, ow, kh, kw;
    bindDims(b.getContext(), n, c, oh, ow, kh, kw);
    Value windows =
        gather(b, image, sizes, {n, c, conv.at(0, oh, kh), conv.at(1, ow, kw)});
    Value x = flow::collapse(b, windows, ofWindows);
    Value w = flow::collapse(b, filter, ofFilter);
    Value y = flow::collapse(b, init, ofResult);
    Value result;
    if (batched) {
      result = flow::contract(b, x, "ncpk", w, "ck", y, "ncp");
    } else {
      result =
          linalg::BatchMatvecOp::create(b, y.getType(), ValueRange{x, w}, y)
              .getResult(0);
    }
    result = flow::expandLike(b, result, init, ofResult);
    rewriter.replaceOp(op, flow::transpose(b, result, {0, 2, 3, 1}));
    return success();
  }
};

struct ConvertConv2DToImg2Col
    : flow::impl::ConvertConv2DToImg2ColBase<ConvertConv2DToImg2Col> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ChannelsLast, ChannelsFirst, Depthwise>(&getContext());
    flow::rewriteEverywhere(getOperation(), std::move(patterns));
  }
};
} // namespace
