// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/flow/Access.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

/// Emits an error at `op` unless `dims` has one value for each `?` of `type`.
static LogicalResult verifyDims(Operation *op, DispatchTensorType type,
                                ValueRange dims) {
  return util::verifyDynamicDims(op, "dispatch tensor",
                                 type.asRankedTensorType(), dims);
}

//===----------------------------------------------------------------------===//
// flow.dispatch.tie_shape
//===----------------------------------------------------------------------===//

LogicalResult DispatchTieShapeOp::verify() {
  return verifyDims(*this, getResult().getType(), getDynamicDims());
}

SmallVector<int64_t> DispatchTieShapeOp::getTiedResultOperandIndices() {
  return {0};
}

OpFoldResult DispatchTieShapeOp::fold(FoldAdaptor) {
  if (getDynamicDims().empty())
    return getOperand();
  return {};
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

std::optional<llvm::SmallBitVector>
flow::findDroppedDims(ArrayRef<int64_t> sizes, ArrayRef<int64_t> shape) {
  llvm::SmallBitVector dropped(sizes.size());
  if (shape.size() > sizes.size())
    return std::nullopt;
  size_t left = sizes.size() - shape.size();
  for (size_t dim = sizes.size(); dim-- > 0;) {
    int64_t size = sizes[dim];
    bool fits = !shape.empty() &&
                (ShapedType::isDynamic(size) || shape.back() == size ||
                 ShapedType::isDynamic(shape.back()));
    // An unknown extent may be 1. It is kept unless it must be dropped.
    if (left != 0 && size == 1 && !(fits && shape.back() == 1)) {
      dropped.set(dim);
      --left;
    } else if (fits) {
      shape = shape.drop_back();
    } else {
      return std::nullopt;
    }
  }
  return dropped;
}

/// Verifies a slice of `tensor` that is, or becomes, a value of type `value`.
template <typename OpT>
static LogicalResult verifySlice(OpT op, DispatchTensorType tensor,
                                 RankedTensorType value, ValueRange dims) {
  if (failed(verifyDims(op, tensor, dims)))
    return failure();
  if (value.getElementType() != tensor.getBoundElementType())
    return op.emitOpError()
           << "expected elements of type " << tensor.getBoundElementType()
           << ", got " << value.getElementType();
  if (!findDroppedDims(op.getStaticSizes(), value.getShape()))
    return op.emitOpError()
           << "expected a tensor with the sizes of the slice, got " << value;
  return success();
}

template <typename OpT>
static bool spansWhole(OpT op, DispatchTensorType tensor, ValueRange dims) {
  return llvm::all_of(op.getMixedOffsets(), isZeroInteger) &&
         llvm::all_of(op.getMixedStrides(), isOneInteger) &&
         op.getStaticSizes() == tensor.getShape() &&
         llvm::equal(op.getSizes(), dims);
}

/// Offsets, sizes and strides of the whole `tensor`.
namespace {
struct Whole {
  Whole(Builder &builder, DispatchTensorType tensor, ValueRange dims)
      : offsets(tensor.getRank(), builder.getIndexAttr(0)),
        sizes(util::getMixedShape(builder, tensor.getShape(), dims)),
        strides(tensor.getRank(), builder.getIndexAttr(1)) {}
  SmallVector<OpFoldResult> offsets, sizes, strides;
};

struct Slice {
  Slice(ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
        ArrayRef<OpFoldResult> strides) {
    dispatchIndexOpFoldResults(offsets, dynamicOffsets, staticOffsets);
    dispatchIndexOpFoldResults(sizes, dynamicSizes, staticSizes);
    dispatchIndexOpFoldResults(strides, dynamicStrides, staticStrides);
  }
  SmallVector<Value> dynamicOffsets, dynamicSizes, dynamicStrides;
  SmallVector<int64_t> staticOffsets, staticSizes, staticStrides;
};
} // namespace

//===----------------------------------------------------------------------===//
// flow.dispatch.tensor.load
//===----------------------------------------------------------------------===//

void DispatchTensorLoadOp::build(OpBuilder &builder, OperationState &state,
                                 RankedTensorType resultType, Value source,
                                 ValueRange sourceDims,
                                 ArrayRef<NamedAttribute> attributes) {
  Whole all(builder, cast<DispatchTensorType>(source.getType()), sourceDims);
  build(builder, state, resultType, source, sourceDims, all.offsets, all.sizes,
        all.strides, attributes);
}

void DispatchTensorLoadOp::build(OpBuilder &builder, OperationState &state,
                                 RankedTensorType resultType, Value source,
                                 ValueRange sourceDims,
                                 ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes,
                                 ArrayRef<OpFoldResult> strides,
                                 ArrayRef<NamedAttribute> attributes) {
  Slice slice(offsets, sizes, strides);
  build(builder, state, resultType, source, slice.dynamicOffsets,
        slice.dynamicSizes, slice.dynamicStrides, sourceDims,
        slice.staticOffsets, slice.staticSizes, slice.staticStrides);
  state.addAttributes(attributes);
}

void DispatchTensorLoadOp::build(OpBuilder &builder, OperationState &state,
                                 Value source, ValueRange sourceDims,
                                 ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes,
                                 ArrayRef<OpFoldResult> strides,
                                 ArrayRef<NamedAttribute> attributes) {
  build(builder, state,
        inferResultType(cast<DispatchTensorType>(source.getType()), sizes),
        source, sourceDims, offsets, sizes, strides, attributes);
}

RankedTensorType
DispatchTensorLoadOp::inferResultType(DispatchTensorType sourceType,
                                      ArrayRef<OpFoldResult> sizes) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(sizes, dynamic, shape);
  return RankedTensorType::get(shape, sourceType.getBoundElementType());
}

LogicalResult DispatchTensorLoadOp::verify() {
  return verifySlice(*this, getSourceType(), getType(), getSourceDims());
}

std::array<unsigned, 3> DispatchTensorLoadOp::getArrayAttrMaxRanks() {
  unsigned rank = getSourceType().getRank();
  return {rank, rank, rank};
}

llvm::SmallBitVector DispatchTensorLoadOp::getDroppedDims() {
  return *findDroppedDims(getStaticSizes(), getType().getShape());
}

bool DispatchTensorLoadOp::isLoadOfWholeSource() {
  return spansWhole(*this, getSourceType(), getSourceDims());
}

SmallVector<int64_t> DispatchTensorLoadOp::getTiedResultOperandIndices() {
  return {0};
}

/// The sizes, if they are exactly the unknown extents of a slice of that shape.
static ValueRange dimsOfSlice(ArrayRef<int64_t> staticSizes, ValueRange sizes,
                              ArrayRef<int64_t> shape) {
  std::optional<llvm::SmallBitVector> dropped =
      findDroppedDims(staticSizes, shape);
  if (!dropped)
    return {};
  for (auto [dim, size] : llvm::enumerate(staticSizes)) {
    if (dropped->test(dim))
      continue;
    if (ShapedType::isDynamic(size) != ShapedType::isDynamic(shape.front()))
      return {};
    shape = shape.drop_front();
  }
  return sizes;
}

ValueRange DispatchTensorLoadOp::getResultDynamicDims(unsigned) {
  return dimsOfSlice(getStaticSizes(), getSizes(), getType().getShape());
}

LogicalResult
DispatchTensorLoadOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  llvm::SmallBitVector dropped = getDroppedDims();
  SmallVector<OpFoldResult> shape;
  for (auto [dim, size] : llvm::enumerate(getMixedSizes()))
    if (!dropped.test(dim))
      shape.push_back(size);
  // A static extent of the type becomes an attribute, a dynamic one a value.
  for (auto [size, extent] : llvm::zip_equal(shape, getType().getShape()))
    size = ShapedType::isDynamic(extent)
               ? OpFoldResult(
                     getValueOrCreateConstantIndexOp(builder, getLoc(), size))
               : OpFoldResult(builder.getIndexAttr(extent));
  shapes.push_back(std::move(shape));
  return success();
}

void DispatchTensorLoadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  // A readonly tensor does not change while the dispatch runs.
  if (getSourceType().isWritable())
    effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
}

//===----------------------------------------------------------------------===//
// flow.dispatch.tensor.store
//===----------------------------------------------------------------------===//

void DispatchTensorStoreOp::build(OpBuilder &builder, OperationState &state,
                                  Value value, Value target,
                                  ValueRange targetDims,
                                  ArrayRef<NamedAttribute> attributes) {
  Whole all(builder, cast<DispatchTensorType>(target.getType()), targetDims);
  build(builder, state, value, target, targetDims, all.offsets, all.sizes,
        all.strides, attributes);
}

void DispatchTensorStoreOp::build(OpBuilder &builder, OperationState &state,
                                  Value value, Value target,
                                  ValueRange targetDims,
                                  ArrayRef<OpFoldResult> offsets,
                                  ArrayRef<OpFoldResult> sizes,
                                  ArrayRef<OpFoldResult> strides,
                                  ArrayRef<NamedAttribute> attributes) {
  Slice slice(offsets, sizes, strides);
  build(builder, state, TypeRange(), value, target, slice.dynamicOffsets,
        slice.dynamicSizes, slice.dynamicStrides, targetDims,
        slice.staticOffsets, slice.staticSizes, slice.staticStrides);
  state.addAttributes(attributes);
}

LogicalResult DispatchTensorStoreOp::verify() {
  return verifySlice(*this, getTargetType(), getValueType(), getTargetDims());
}

std::array<unsigned, 3> DispatchTensorStoreOp::getArrayAttrMaxRanks() {
  unsigned rank = getTargetType().getRank();
  return {rank, rank, rank};
}

llvm::SmallBitVector DispatchTensorStoreOp::getDroppedDims() {
  return *findDroppedDims(getStaticSizes(), getValueType().getShape());
}

bool DispatchTensorStoreOp::isStoreToWholeTarget() {
  return spansWhole(*this, getTargetType(), getTargetDims());
}

ValueRange DispatchTensorStoreOp::getOperandDynamicDims(unsigned index) {
  if (index == 0)
    return dimsOfSlice(getStaticSizes(), getSizes(), getValueType().getShape());
  return index == 1 ? ValueRange(getTargetDims()) : ValueRange();
}

void DispatchTensorStoreOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getTargetMutable());
}
