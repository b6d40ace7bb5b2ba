// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Canonicalizations of operations on whole tensors.

#include "mercator/dialects/flow/Flow.h"
#include "mercator/dialects/util/Util.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

static bool hasNoElements(Value tensor) {
  return llvm::is_contained(cast<RankedTensorType>(tensor.getType()).getShape(),
                            0);
}

/// A tensor without elements becomes an empty tensor.
template <typename OpT>
static LogicalResult replaceResultWithoutElements(OpT op,
                                                  PatternRewriter &rewriter) {
  if (!hasNoElements(op.getResult()))
    return failure();
  rewriter.replaceOpWithNewOp<TensorEmptyOp>(op, op.getType(),
                                             op.getResultDynamicDims(0));
  return success();
}

/// An operation that only rearranges the elements of operand 0 gives an empty
/// tensor if operand 0 is empty.
template <typename OpT>
static LogicalResult replaceIfOperandIsEmpty(OpT op,
                                             PatternRewriter &rewriter) {
  Value operand = op->getOperand(0);
  if (!hasNoElements(operand) && !operand.getDefiningOp<TensorEmptyOp>())
    return failure();
  rewriter.replaceOpWithNewOp<TensorEmptyOp>(op, op.getType(),
                                             op.getResultDynamicDims(0));
  return success();
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// tensor.dim of the result of an operation that has the extents as operands.
static LogicalResult resolveDim(tensor::DimOp op, PatternRewriter &rewriter) {
  std::optional<int64_t> index = op.getConstantIndex();
  auto type = dyn_cast<RankedTensorType>(op.getSource().getType());
  if (!index || !type || *index < 0 || *index >= type.getRank() ||
      !type.isDynamicDim(*index))
    return failure();
  std::optional<ValueRange> dims = util::findDynamicDims(op.getSource());
  if (!dims)
    return failure();
  rewriter.replaceOp(op, (*dims)[type.getDynamicDimIndex(*index)]);
  return success();
}

void FlowDialect::getCanonicalizationPatterns(
    RewritePatternSet &patterns) const {
  patterns.add(resolveDim);
}

/// A constant whose shape is hidden from the compiler becomes a reshape to
/// extents behind an optimization barrier.
static LogicalResult expandConstant(TensorConstantOp op,
                                    PatternRewriter &rewriter) {
  auto value = dyn_cast<TypedAttr>(op.getValue());
  if (!value)
    return failure();
  Value constant = arith::ConstantOp::create(rewriter, op.getLoc(), value);
  SmallVector<Value> dims;
  for (auto [extent, known] : llvm::zip_equal(
           op.getType().getShape(), op.getValue().getShapedType().getShape()))
    if (ShapedType::isDynamic(extent)) {
      Value size = arith::ConstantIndexOp::create(rewriter, op.getLoc(), known);
      dims.push_back(
          util::OptimizationBarrierOp::create(rewriter, op.getLoc(), size)
              .getResult(0));
    }
  rewriter.replaceOpWithNewOp<TensorReshapeOp>(
      op, op.getType(), constant, /*source_dims=*/ValueRange(), dims);
  return success();
}

void TensorConstantOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                   MLIRContext *context) {
  patterns.add(expandConstant);
}

void TensorTieShapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                   MLIRContext *context) {
  patterns.add(replaceIfOperandIsEmpty<TensorTieShapeOp>);
}

//===----------------------------------------------------------------------===//
// Reshapes, splats and copies
//===----------------------------------------------------------------------===//

/// A reshape of a reshape becomes one reshape of the first operand.
static LogicalResult mergeReshapes(TensorReshapeOp op,
                                   PatternRewriter &rewriter) {
  auto source = op.getSource().getDefiningOp<TensorReshapeOp>();
  if (!source || source == op)
    return failure();
  // The number of elements may have been unknown in between.
  RankedTensorType before = source.getSource().getType();
  if (before.hasStaticShape() && op.getType().hasStaticShape() &&
      before.getNumElements() != op.getType().getNumElements())
    return failure();
  rewriter.replaceOpWithNewOp<TensorReshapeOp>(
      op, op.getType(), source.getSource(), source.getSourceDims(),
      op.getResultDims());
  return success();
}

/// A reshape or a slice of a splat without other uses becomes a splat.
template <typename Op>
static LogicalResult passSplat(Op op, PatternRewriter &rewriter) {
  auto splat = op.getSource().template getDefiningOp<TensorSplatOp>();
  if (!splat || !splat->hasOneUse())
    return failure();
  rewriter.replaceOpWithNewOp<TensorSplatOp>(op, op.getType(), splat.getValue(),
                                             op.getResultDims());
  return success();
}

void TensorReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                  MLIRContext *context) {
  patterns.add(mergeReshapes);
  patterns.add(passSplat<TensorReshapeOp>);
  patterns.add(replaceIfOperandIsEmpty<TensorReshapeOp>);
  patterns.add(replaceResultWithoutElements<TensorReshapeOp>);
}

/// A load of an element of a splat becomes the splat's value.
static LogicalResult loadOfSplat(TensorLoadOp op, PatternRewriter &rewriter) {
  auto splat = op.getSource().getDefiningOp<TensorSplatOp>();
  if (!splat)
    return failure();
  rewriter.replaceOp(op, splat.getValue());
  return success();
}

void TensorLoadOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                               MLIRContext *context) {
  patterns.add(loadOfSplat);
}

void TensorSplatOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                MLIRContext *context) {
  patterns.add(replaceResultWithoutElements<TensorSplatOp>);
}

void TensorCloneOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                MLIRContext *context) {
  patterns.add(replaceIfOperandIsEmpty<TensorCloneOp>);
}

//===----------------------------------------------------------------------===//
// Slices and updates
//===----------------------------------------------------------------------===//

void TensorSliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                MLIRContext *context) {
  patterns.add(passSplat<TensorSliceOp>);
  patterns.add(replaceIfOperandIsEmpty<TensorSliceOp>);
  patterns.add(replaceResultWithoutElements<TensorSliceOp>);
}

/// The source of a cast, or `value` itself.
static Value beforeCast(Value value) {
  auto cast = value.getDefiningOp<tensor::CastOp>();
  return cast && isa<RankedTensorType>(cast.getSource().getType())
             ? cast.getSource()
             : value;
}

/// The dynamic extents of `inner`. Requires: `inner` is cast to a value of
/// `type` whose dynamic extents are `dims`.
static SmallVector<Value> dimsBeforeCast(Value inner, RankedTensorType type,
                                         ValueRange dims,
                                         PatternRewriter &rewriter) {
  SmallVector<Value> inside;
  for (auto [size, extent] :
       llvm::zip_equal(cast<RankedTensorType>(inner.getType()).getShape(),
                       type.getShape())) {
    Value dim;
    if (ShapedType::isDynamic(extent)) {
      dim = dims.front();
      dims = dims.drop_front();
    }
    if (!ShapedType::isDynamic(size))
      continue;
    inside.push_back(
        dim ? dim
            : arith::ConstantIndexOp::create(rewriter, inner.getLoc(), extent));
  }
  return inside;
}

/// An update of cast values takes the sources of the casts.
static LogicalResult updateBeforeCasts(TensorUpdateOp op,
                                       PatternRewriter &rewriter) {
  Value target = beforeCast(op.getTarget());
  Value update = beforeCast(op.getUpdate());
  if (target == op.getTarget() && update == op.getUpdate())
    return failure();
  Value result =
      TensorUpdateOp::create(rewriter, op.getLoc(), target.getType(), target,
                             dimsBeforeCast(target, op.getTarget().getType(),
                                            op.getTargetDims(), rewriter),
                             op.getStartIndices(), update,
                             dimsBeforeCast(update, op.getUpdate().getType(),
                                            op.getUpdateDims(), rewriter));
  if (result.getType() != op.getType())
    result =
        tensor::CastOp::create(rewriter, op.getLoc(), op.getType(), result);
  rewriter.replaceOp(op, result);
  return success();
}

/// An update without elements gives its target.
static LogicalResult updateByNothing(TensorUpdateOp op,
                                     PatternRewriter &rewriter) {
  if (!hasNoElements(op.getUpdate()))
    return failure();
  rewriter.replaceOp(op, op.getTarget());
  return success();
}

void TensorUpdateOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                 MLIRContext *context) {
  patterns.add(updateBeforeCasts);
  patterns.add(updateByNothing);
  patterns.add(replaceResultWithoutElements<TensorUpdateOp>);
}
