// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/flow/Flow.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;
using mercator::util::verifyDynamicDims;

/// Whether values of both types can be the same tensor.
static bool areCompatible(ShapedType lhs, ShapedType rhs) {
  return lhs.getElementType() == rhs.getElementType() &&
         succeeded(verifyCompatibleShape(lhs, rhs));
}

static LogicalResult expectIndices(Operation *op, StringRef what, Value tensor,
                                   ValueRange indices) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  if (int64_t(indices.size()) == rank)
    return success();
  return op->emitOpError() << "expected " << rank << " " << what << ", got "
                           << indices.size();
}

LogicalResult TensorConstantOp::verify() {
  if (areCompatible(getValue().getShapedType(), getType()))
    return success();
  return emitOpError() << "expected a result that can be "
                       << getValue().getShapedType() << ", got " << getType();
}

LogicalResult TensorTieShapeOp::verify() {
  return verifyDynamicDims(*this, "result", getType(), getDynamicDims());
}
SmallVector<int64_t> TensorTieShapeOp::getTiedResultOperandIndices() {
  return {0};
}
LogicalResult
TensorTieShapeOp::reifyResultShapes(OpBuilder &builder,
                                    ReifiedRankedShapedTypeDims &shapes) {
  shapes.push_back(
      util::getMixedShape(builder, getType().getShape(), getDynamicDims()));
  return success();
}

LogicalResult TensorReshapeOp::verify() {
  if (failed(verifyDynamicDims(*this, "source", getSource().getType(),
                               getSourceDims())) ||
      failed(verifyDynamicDims(*this, "result", getType(), getResultDims())))
    return failure();
  RankedTensorType source = getSource().getType();
  if (source.hasStaticShape() && getType().hasStaticShape() &&
      source.getNumElements() != getType().getNumElements())
    return emitOpError() << "expected a result of " << source.getNumElements()
                         << " elements, got " << getType();
  return success();
}
SmallVector<int64_t> TensorReshapeOp::getTiedResultOperandIndices() {
  return {0};
}

/// The number of bits of a tensor; nothing if the shape or the element size is
/// unknown.
static std::optional<int64_t> countBits(RankedTensorType type) {
  Type element = type.getElementType();
  if (!type.hasStaticShape() || !element.isIntOrFloat())
    return std::nullopt;
  return type.getNumElements() * int64_t(element.getIntOrFloatBitWidth());
}

LogicalResult TensorBitCastOp::verify() {
  if (failed(verifyDynamicDims(*this, "source", getSource().getType(),
                               getSourceDims())) ||
      failed(verifyDynamicDims(*this, "result", getType(), getResultDims())))
    return failure();
  std::optional<int64_t> given = countBits(getSource().getType());
  std::optional<int64_t> wanted = countBits(getType());
  if (given && wanted && *given != *wanted)
    return emitOpError() << "expected a result of " << *given << " bits, got "
                         << getType();
  return success();
}
SmallVector<int64_t> TensorBitCastOp::getTiedResultOperandIndices() {
  return {0};
}

LogicalResult TensorLoadOp::verify() {
  if (failed(verifyDynamicDims(*this, "source", getSource().getType(),
                               getSourceDims())))
    return failure();
  return expectIndices(*this, "indices", getSource(), getIndices());
}

LogicalResult TensorStoreOp::verify() {
  if (failed(verifyDynamicDims(*this, "target", getTarget().getType(),
                               getTargetDims())))
    return failure();
  return expectIndices(*this, "indices", getTarget(), getIndices());
}

LogicalResult TensorEmptyOp::verify() {
  return verifyDynamicDims(*this, "result", getType(), getResultDims());
}

LogicalResult TensorSplatOp::verify() {
  return verifyDynamicDims(*this, "result", getType(), getResultDims());
}

LogicalResult TensorCloneOp::verify() {
  return verifyDynamicDims(*this, "operand", getType(), getArgumentDims());
}

LogicalResult TensorSliceOp::verify() {
  return failure(
      failed(verifyDynamicDims(*this, "source", getSource().getType(),
                               getSourceDims())) ||
      failed(verifyDynamicDims(*this, "result", getType(), getResultDims())) ||
      failed(expectIndices(*this, "start indices", getSource(),
                           getStartIndices())) ||
      failed(expectIndices(*this, "lengths", getSource(), getLengths())));
}

LogicalResult TensorUpdateOp::verify() {
  return failure(
      failed(verifyDynamicDims(*this, "update", getUpdate().getType(),
                               getUpdateDims())) ||
      failed(verifyDynamicDims(*this, "target", getType(), getTargetDims())) ||
      failed(expectIndices(*this, "start indices", getTarget(),
                           getStartIndices())));
}
SmallVector<int64_t> TensorUpdateOp::getTiedResultOperandIndices() {
  return {0};
}
ValueRange TensorUpdateOp::getOperandDynamicDims(unsigned index) {
  if (index == 0)
    return getTargetDims();
  return index == getODSOperandIndexAndLength(3).first
             ? ValueRange(getUpdateDims())
             : ValueRange();
}
