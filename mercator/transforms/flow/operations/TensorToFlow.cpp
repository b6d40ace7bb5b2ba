// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/operations/TensorToFlow.h"

#include "mercator/dialects/flow/Flow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mercator;

bool flow::isOutsideOfDispatches(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (isa<DispatchWorkgroupsOp, DispatchRegionOp, ExecutableOp,
            linalg::LinalgOp, tensor::GenerateOp, tensor::PadOp>(parent))
      return false;
  return true;
}

bool flow::isContiguous(llvm::ArrayRef<OpFoldResult> offsets,
                        llvm::ArrayRef<OpFoldResult> sizes,
                        llvm::ArrayRef<OpFoldResult> strides,
                        llvm::ArrayRef<int64_t> shape) {
  bool innerAreWhole = true;
  for (unsigned dim = shape.size(); dim-- > 0;) {
    std::optional<int64_t> offset = getConstantIntValue(offsets[dim]);
    std::optional<int64_t> size = getConstantIntValue(sizes[dim]);
    if (!offset || !size || !isConstantIntValue(strides[dim], 1))
      return false;
    if (!innerAreWhole && *size != 1)
      return false;
    innerAreWhole = innerAreWhole && *offset == 0 && *size == shape[dim];
  }
  return true;
}

bool flow::isContiguous(tensor::ExtractSliceOp op) {
  return isContiguous(op.getMixedOffsets(), op.getMixedSizes(),
                      op.getMixedStrides(), op.getSourceType().getShape());
}

bool flow::isContiguous(tensor::InsertSliceOp op) {
  return isContiguous(op.getMixedOffsets(), op.getMixedSizes(),
                      op.getMixedStrides(), op.getType().getShape());
}

static llvm::SmallVector<Value> getDims(PatternRewriter &rewriter, Location loc,
                                        Value value) {
  return util::buildDynamicDimsForValue(loc, value, rewriter);
}

/// The shape of a slice before dimensions of size 1 are dropped.
static RankedTensorType getWholeType(RankedTensorType base,
                                     llvm::ArrayRef<OpFoldResult> sizes) {
  return RankedTensorType::get(*getConstantIntValues(sizes),
                               base.getElementType());
}

LogicalResult flow::convertToUpdate(tensor::InsertSliceOp op,
                                    RewriterBase &rewriter) {
  if (!isOutsideOfDispatches(op) || !isContiguous(op))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value source = op.getSource();
  RankedTensorType whole = getWholeType(op.getType(), op.getMixedSizes());
  if (op.getSourceType().getRank() < whole.getRank())
    source =
        TensorReshapeOp::create(rewriter, loc, whole, source, ValueRange());
  auto offsets =
      getValueOrCreateConstantIndexOp(rewriter, loc, op.getMixedOffsets());
  rewriter.replaceOpWithNewOp<TensorUpdateOp>(op, op.getDest(), offsets,
                                              source);
  return success();
}

LogicalResult flow::convertToSlice(tensor::ExtractSliceOp op,
                                   RewriterBase &rewriter) {
  if (!isOutsideOfDispatches(op) || !isContiguous(op))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  RankedTensorType whole = getWholeType(op.getSourceType(), op.getMixedSizes());
  auto offsets =
      getValueOrCreateConstantIndexOp(rewriter, loc, op.getMixedOffsets());
  auto sizes =
      getValueOrCreateConstantIndexOp(rewriter, loc, op.getMixedSizes());
  auto dims = util::buildDynamicDimsForValue(loc, op.getSource(), rewriter);
  Value slice = TensorSliceOp::create(rewriter, loc, whole, op.getSource(),
                                      dims, offsets, sizes, ValueRange());
  // The result may drop dimensions, or have a known size as dynamic.
  if (op.getType() != whole) {
    llvm::SmallBitVector dropped = op.getDroppedDims();
    llvm::SmallVector<Value> resultDims;
    int64_t kept = 0;
    for (auto [i, size] : llvm::enumerate(sizes))
      if (!dropped[i] && op.getType().isDynamicDim(kept++))
        resultDims.push_back(size);
    slice =
        TensorReshapeOp::create(rewriter, loc, op.getType(), slice, resultDims);
  }
  rewriter.replaceOp(op, slice);
  return success();
}

namespace {
struct ConvertInsertSlice : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    return flow::convertToUpdate(op, rewriter);
  }
};

struct ConvertExtractSlice : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    return flow::convertToSlice(op, rewriter);
  }
};

struct ConvertExtract : OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    if (!flow::isOutsideOfDispatches(op) ||
        !isa<IntegerType, IndexType, FloatType, ComplexType, VectorType>(
            op.getType()))
      return failure();
    rewriter.replaceOpWithNewOp<flow::TensorLoadOp>(
        op, op.getType(), op.getTensor(), op.getIndices());
    return success();
  }
};

struct ConvertFill : OpRewritePattern<linalg::FillOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(linalg::FillOp op,
                                PatternRewriter &rewriter) const override {
    if (!flow::isOutsideOfDispatches(op) || !op.hasPureTensorSemantics() ||
        op.getNumResults() != 1)
      return failure();
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    if (!type.getElementType().isIntOrIndexOrFloat() &&
        !isa<ComplexType>(type.getElementType()))
      return failure();
    rewriter.replaceOpWithNewOp<flow::TensorSplatOp>(
        op, type, op.value(), getDims(rewriter, op.getLoc(), op.output()));
    return success();
  }
};

struct ConvertSplat : OpRewritePattern<tensor::SplatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::SplatOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || !flow::isOutsideOfDispatches(op))
      return failure();
    rewriter.replaceOpWithNewOp<flow::TensorSplatOp>(op, type, op.getInput(),
                                                     op.getDynamicSizes());
    return success();
  }
};

/// Whether flow has operations on single elements of this type.
static bool isElementType(Type type) {
  return type.isIntOrIndexOrFloat() || isa<ComplexType>(type);
}

/// Equal elements become a splat; different elements are stored one by one.
struct ConvertFromElements : OpRewritePattern<tensor::FromElementsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::FromElementsOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    if (!flow::isOutsideOfDispatches(op) ||
        !isElementType(type.getElementType()))
      return failure();
    if (!op.getElements().empty() && llvm::all_equal(op.getElements())) {
      rewriter.replaceOpWithNewOp<flow::TensorSplatOp>(
          op, type, op.getElements().front(), ValueRange());
      return success();
    }
    Location loc = op.getLoc();
    Value tensor =
        flow::TensorEmptyOp::create(rewriter, loc, type, ValueRange());
    SmallVector<int64_t> strides = computeStrides(type.getShape());
    for (auto [i, element] : llvm::enumerate(op.getElements())) {
      SmallVector<Value> indices;
      for (int64_t index : delinearize(int64_t(i), strides))
        indices.push_back(arith::ConstantIndexOp::create(rewriter, loc, index));
      tensor =
          flow::TensorStoreOp::create(rewriter, loc, element, tensor, indices);
    }
    rewriter.replaceOp(op, tensor);
    return success();
  }
};

struct ConvertInsert : OpRewritePattern<tensor::InsertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::InsertOp op,
                                PatternRewriter &rewriter) const override {
    if (!flow::isOutsideOfDispatches(op) ||
        !isElementType(op.getScalar().getType()))
      return failure();
    rewriter.replaceOpWithNewOp<flow::TensorStoreOp>(
        op, op.getScalar(), op.getDest(), op.getIndices());
    return success();
  }
};

/// A dimension that is dynamic in one type may be static in the other. `known`
/// are the extents of the source.
static std::pair<SmallVector<Value>, SmallVector<Value>>
getDimsOfBoth(PatternRewriter &rewriter, Location loc, RankedTensorType from,
              ArrayRef<Value> known, RankedTensorType to) {
  SmallVector<Value> fromDims;
  SmallVector<Value> toDims;
  for (auto [a, b] : llvm::zip_equal(from.getShape(), to.getShape())) {
    Value dim;
    if (ShapedType::isDynamic(a)) {
      dim = known.front();
      known = known.drop_front();
      if (ShapedType::isStatic(b))
        dim = arith::ConstantIndexOp::create(rewriter, loc, b);
      fromDims.push_back(dim);
    } else if (ShapedType::isDynamic(b)) {
      dim = arith::ConstantIndexOp::create(rewriter, loc, a);
    }
    if (ShapedType::isDynamic(b))
      toDims.push_back(dim);
  }
  return {fromDims, toDims};
}

/// tensor.cast and tensor.bitcast.
template <typename Cast, typename FlowOp>
struct ConvertCast : OpRewritePattern<Cast> {
  using OpRewritePattern<Cast>::OpRewritePattern;
  LogicalResult matchAndRewrite(Cast op,
                                PatternRewriter &rewriter) const override {
    auto from = dyn_cast<RankedTensorType>(op.getSource().getType());
    auto to = dyn_cast<RankedTensorType>(op.getType());
    if (!from || !to || !flow::isOutsideOfDispatches(op))
      return failure();
    Location loc = op.getLoc();
    auto [fromDims, toDims] = getDimsOfBoth(
        rewriter, loc, from, getDims(rewriter, loc, op.getSource()), to);
    rewriter.replaceOpWithNewOp<FlowOp>(op, to, op.getSource(), fromDims,
                                        toDims);
    return success();
  }
};

/// tensor.reshape, whose extents are the elements of a tensor.
struct ConvertDynamicReshape : OpRewritePattern<tensor::ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || !isa<RankedTensorType>(op.getSource().getType()) ||
        !flow::isOutsideOfDispatches(op))
      return failure();
    Location loc = op.getLoc();
    SmallVector<Value> dims;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      if (!type.isDynamicDim(i))
        continue;
      Value index = arith::ConstantIndexOp::create(rewriter, loc, i);
      Value dim =
          tensor::ExtractOp::create(rewriter, loc, op.getShape(), index);
      if (!dim.getType().isIndex())
        dim = arith::IndexCastOp::create(rewriter, loc, rewriter.getIndexType(),
                                         dim);
      dims.push_back(dim);
    }
    rewriter.replaceOpWithNewOp<flow::TensorReshapeOp>(op, type, op.getSource(),
                                                       dims);
    return success();
  }
};

/// tensor.collapse_shape and tensor.expand_shape.
template <typename Reshape> struct ConvertReshape : OpRewritePattern<Reshape> {
  using OpRewritePattern<Reshape>::OpRewritePattern;
  LogicalResult matchAndRewrite(Reshape op,
                                PatternRewriter &rewriter) const override {
    if (!flow::isOutsideOfDispatches(op))
      return failure();
    Location loc = op.getLoc();
    ReifiedRankedShapedTypeDims shapes;
    if (failed(reifyResultShapes(rewriter, op, shapes)))
      return failure();
    llvm::SmallVector<Value> dims;
    for (auto [extent, size] :
         llvm::zip_equal(op.getResultType().getShape(), shapes.front()))
      if (ShapedType::isDynamic(extent))
        dims.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, size));
    rewriter.replaceOpWithNewOp<flow::TensorReshapeOp>(op, op.getResultType(),
                                                       op.getSrc(), dims);
    return success();
  }
};
} // namespace

void flow::populateTensorToFlowPatterns(RewritePatternSet &patterns) {
  patterns.add<ConvertInsertSlice, ConvertExtractSlice, ConvertExtract,
               ConvertFill, ConvertSplat, ConvertFromElements, ConvertInsert,
               ConvertCast<tensor::CastOp, flow::TensorReshapeOp>,
               ConvertCast<tensor::BitcastOp, flow::TensorBitCastOp>,
               ConvertDynamicReshape, ConvertReshape<tensor::CollapseShapeOp>,
               ConvertReshape<tensor::ExpandShapeOp>>(patterns.getContext());
}
