// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Canonicalizations of the loads and stores of dispatches.

#include "mercator/dialects/flow/Access.h"

#include "mlir/Dialect/Affine/ViewLikeInterfaceUtils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// Replaces dynamic extents of `tensor` by the extents it is tied to.
static LogicalResult reuseTiedDims(Operation *op, Value tensor,
                                   MutableOperandRange dims,
                                   PatternRewriter &rewriter) {
  auto tied = tensor.getDefiningOp<DispatchTieShapeOp>();
  if (!tied || llvm::equal(OperandRange(dims), tied.getDynamicDims()))
    return failure();
  rewriter.modifyOpInPlace(op, [&] { dims.assign(tied.getDynamicDims()); });
  return success();
}
static LogicalResult reuseDimsOfLoad(DispatchTensorLoadOp op,
                                     PatternRewriter &rewriter) {
  return reuseTiedDims(op, op.getSource(), op.getSourceDimsMutable(), rewriter);
}
static LogicalResult reuseDimsOfStore(DispatchTensorStoreOp op,
                                      PatternRewriter &rewriter) {
  return reuseTiedDims(op, op.getTarget(), op.getTargetDimsMutable(), rewriter);
}

//===----------------------------------------------------------------------===//
// Constant offsets, sizes and strides
//===----------------------------------------------------------------------===//

namespace {
struct MixedSlice {
  SmallVector<OpFoldResult> offsets, sizes, strides;
};
} // namespace

/// The slice with constants as attributes; none if nothing changes.
template <typename OpT> static std::optional<MixedSlice> foldConstants(OpT op) {
  MixedSlice slice{op.getMixedOffsets(), op.getMixedSizes(),
                   op.getMixedStrides()};
  bool changed =
      succeeded(foldDynamicIndexList(slice.offsets, /*onlyNonNegative=*/true));
  changed |=
      succeeded(foldDynamicIndexList(slice.sizes, /*onlyNonNegative=*/true));
  changed |= succeeded(foldDynamicIndexList(slice.strides));
  if (changed)
    return slice;
  return std::nullopt;
}

/// `type` with the extents that the static sizes determine.
static RankedTensorType withSizes(RankedTensorType type,
                                  const llvm::SmallBitVector &dropped,
                                  ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape;
  ArrayRef<int64_t> old = type.getShape();
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    if (dropped.test(dim))
      continue;
    std::optional<int64_t> known = getConstantIntValue(size);
    // Where the type disagrees with a size, its extent is kept.
    shape.push_back(ShapedType::isDynamic(old.front()) && known ? *known
                                                                : old.front());
    old = old.drop_front();
  }
  return type.clone(shape);
}

static LogicalResult foldConstantsOfLoad(DispatchTensorLoadOp op,
                                         PatternRewriter &rewriter) {
  std::optional<MixedSlice> slice = foldConstants(op);
  if (!slice)
    return failure();
  RankedTensorType type =
      withSizes(op.getType(), op.getDroppedDims(), slice->sizes);
  Value result = DispatchTensorLoadOp::create(
      rewriter, op.getLoc(), type, op.getSource(), op.getSourceDims(),
      slice->offsets, slice->sizes, slice->strides);
  if (type != op.getType())
    result =
        tensor::CastOp::create(rewriter, op.getLoc(), op.getType(), result);
  rewriter.replaceOp(op, result);
  return success();
}

static LogicalResult foldConstantsOfStore(DispatchTensorStoreOp op,
                                          PatternRewriter &rewriter) {
  std::optional<MixedSlice> slice = foldConstants(op);
  if (!slice)
    return failure();
  RankedTensorType type =
      withSizes(op.getValueType(), op.getDroppedDims(), slice->sizes);
  Value value = op.getValue();
  if (type != op.getValueType())
    value = tensor::CastOp::create(rewriter, op.getLoc(), type, value);
  rewriter.replaceOpWithNewOp<DispatchTensorStoreOp>(
      op, value, op.getTarget(), op.getTargetDims(), slice->offsets,
      slice->sizes, slice->strides);
  return success();
}

/// A store of a cast value stores the source of the cast if its type is more
/// precise.
static LogicalResult storeBeforeCast(DispatchTensorStoreOp op,
                                     PatternRewriter &rewriter) {
  auto cast = op.getValue().getDefiningOp<tensor::CastOp>();
  if (!cast || !tensor::canFoldIntoConsumerOp(cast))
    return failure();
  // The more precise type may disagree with the slice.
  auto source = llvm::cast<RankedTensorType>(cast.getSource().getType());
  if (!findDroppedDims(op.getStaticSizes(), source.getShape()))
    return failure();
  rewriter.modifyOpInPlace(
      op, [&] { op.getValueMutable().assign(cast.getSource()); });
  return success();
}

void DispatchTensorLoadOp::getCanonicalizationPatterns(
    RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add(reuseDimsOfLoad);
  patterns.add(foldConstantsOfLoad);
}

void DispatchTensorStoreOp::getCanonicalizationPatterns(
    RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add(reuseDimsOfStore);
  patterns.add(foldConstantsOfStore);
  patterns.add(storeBeforeCast);
}

//===----------------------------------------------------------------------===//
// Slices of slices
//===----------------------------------------------------------------------===//

/// Whether certainly nothing is written between two operations of a block.
/// Requires: `first` precedes `last`. Looks at a limited number of operations,
/// to stay linear over a block of slices.
static bool isQuietBetween(Operation *first, Operation *last) {
  constexpr int kMostSteps = 64;
  if (first->getBlock() != last->getBlock())
    return false;
  Operation *op = first->getNextNode();
  for (int step = 0; op && step < kMostSteps; ++step) {
    if (op == last)
      return true;
    if (!isMemoryEffectFree(op) && !isa<DispatchTensorLoadOp>(op))
      return false;
    op = op->getNextNode();
  }
  return false;
}

/// A slice of a loaded tensor becomes a load of that slice.
static LogicalResult loadOfSlice(tensor::ExtractSliceOp op,
                                 PatternRewriter &rewriter) {
  auto load = op.getSource().getDefiningOp<DispatchTensorLoadOp>();
  if (!load || (load.getSourceType().isWritable() && !isQuietBetween(load, op)))
    return failure();
  MixedSlice slice;
  if (failed(affine::mergeOffsetsSizesAndStrides(
          rewriter, op.getLoc(), load, op, load.getDroppedDims(), slice.offsets,
          slice.sizes, slice.strides)))
    return failure();
  rewriter.replaceOpWithNewOp<DispatchTensorLoadOp>(
      op, op.getType(), load.getSource(), load.getSourceDims(), slice.offsets,
      slice.sizes, slice.strides);
  return success();
}

/// A tensor that is loaded, changed in one slice and stored to the same place
/// becomes a store of the slice.
static LogicalResult storeOfSlice(DispatchTensorStoreOp op,
                                  PatternRewriter &rewriter) {
  auto insert = op.getValue().getDefiningOp<tensor::InsertSliceOp>();
  if (!insert)
    return failure();
  auto load = insert.getDest().getDefiningOp<DispatchTensorLoadOp>();
  if (!load ||
      util::findTiedBaseValue(load.getSource()) !=
          util::findTiedBaseValue(op.getTarget()) ||
      load.getMixedOffsets() != op.getMixedOffsets() ||
      load.getMixedSizes() != op.getMixedSizes() ||
      load.getMixedStrides() != op.getMixedStrides() ||
      load.getType() != op.getValueType() || !isQuietBetween(load, op))
    return failure();
  MixedSlice slice;
  if (failed(affine::mergeOffsetsSizesAndStrides(
          rewriter, op.getLoc(), op, insert, op.getDroppedDims(), slice.offsets,
          slice.sizes, slice.strides)))
    return failure();
  rewriter.replaceOpWithNewOp<DispatchTensorStoreOp>(
      op, insert.getSource(), op.getTarget(), op.getTargetDims(), slice.offsets,
      slice.sizes, slice.strides);
  return success();
}

void flow::populateTensorSliceOpWithDispatchTensorOpFoldingPatterns(
    RewritePatternSet &patterns) {
  patterns.add(loadOfSlice);
  patterns.add(storeOfSlice);
}
