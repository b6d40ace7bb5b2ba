// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Slice, dynamic_slice, real_dynamic_slice, dynamic_update_slice:
// tensor.extract_slice and tensor.insert_slice.

#include "mercator/transforms/stablehlo/lowering/Builders.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace mercator::stablehlo {

/// True if a slice has no elements. tensor.extract_slice and tensor.insert_slice
/// do not take one that begins at the end of a dimension.
static bool isEmptySlice(RankedTensorType type, ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) {
  for (auto [extent, offset, size] :
       llvm::zip(type.getShape(), offsets, sizes)) {
    std::optional<int64_t> first = getConstantIntValue(offset);
    if (isConstantIntValue(size, 0) ||
        (first && ShapedType::isStatic(extent) && *first >= extent))
      return true;
  }
  return false;
}

/// True if the slice is the whole tensor.
static bool isWhole(ImplicitLocOpBuilder &b, Value tensor,
                    ArrayRef<OpFoldResult> offsets,
                    ArrayRef<OpFoldResult> sizes,
                    ArrayRef<OpFoldResult> strides) {
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!isConstantIntValue(offsets[dim], 0) ||
        !isConstantIntValue(strides[dim], 1) ||
        !areEqualSizes(size, extentOf(b, tensor, int64_t(dim))))
      return false;
  return true;
}

Value sliceTensor(ImplicitLocOpBuilder &b, Value tensor,
                  ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
                  ArrayRef<OpFoldResult> strides) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (isEmptySlice(type, offsets, sizes))
    return empty(b, sizes, type.getElementType());
  if (isWhole(b, tensor, offsets, sizes, strides))
    return tensor;
  return b.createOrFold<tensor::ExtractSliceOp>(
      RankedTensorType::get(shapeOf(sizes), type.getElementType()), tensor,
      offsets, sizes, strides);
}

Value insertTensor(ImplicitLocOpBuilder &b, Value part, Value into,
                   ArrayRef<OpFoldResult> offsets,
                   ArrayRef<OpFoldResult> strides) {
  part = refine(b, part);
  Sizes sizes = extentsOf(b, part);
  auto type = cast<RankedTensorType>(into.getType());
  if (isEmptySlice(type, offsets, sizes))
    return into;
  if (isWhole(b, into, offsets, sizes, strides))
    return part;
  return b.createOrFold<tensor::InsertSliceOp>(part, into, offsets, sizes,
                                               strides);
}

static Sizes sizesOf(Builder &b, ArrayRef<int64_t> numbers) {
  Sizes sizes;
  for (int64_t number : numbers)
    sizes.push_back(b.getIndexAttr(number));
  return sizes;
}

static Sizes ones(Builder &b, size_t rank) {
  return Sizes(rank, b.getIndexAttr(1));
}

static FailureOr<Value> lowerSlice(SliceOp op, SliceOp::Adaptor in,
                                   Lowering &l) {
  if (failed(expectResultElement(l, in.getOperand())))
    return failure();
  SmallVector<int64_t> extents;
  for (auto [start, limit, stride] :
       llvm::zip(op.getStartIndices(), op.getLimitIndices(), op.getStrides()))
    extents.push_back(limit == start ? 0 : (limit - start - 1) / stride + 1);
  return castTo(
      l.b,
      sliceTensor(l.b, in.getOperand(), sizesOf(l.b, op.getStartIndices()),
                  sizesOf(l.b, extents), sizesOf(l.b, op.getStrides())),
      l.type());
}

/// The start of a window that is clamped, so that the window is in the tensor.
static Sizes startsOf(Lowering &l, Value tensor, ValueRange starts,
                      Type startType, ArrayRef<OpFoldResult> window) {
  Sizes offsets;
  for (auto [dim, start] : llvm::enumerate(starts)) {
    OpFoldResult most =
        subSizes(l.b, extentOf(l.b, tensor, int64_t(dim)), window[dim]);
    offsets.push_back(getAsOpFoldResult(
        clampStart(l.b, scalarOf(l.b, start), isUnsigned(startType), most)));
  }
  return offsets;
}

static Type elementOf(OperandRange tensors) {
  return tensors.empty() ? Type()
                         : cast<RankedTensorType>(tensors.front().getType())
                               .getElementType();
}

static FailureOr<Value>
lowerDynamicSlice(DynamicSliceOp op, DynamicSliceOp::Adaptor in, Lowering &l) {
  if (failed(expectResultElement(l, in.getOperand())))
    return failure();
  Sizes sizes = sizesOf(l.b, op.getSliceSizes());
  Sizes offsets = startsOf(l, in.getOperand(), in.getStartIndices(),
                           elementOf(op.getStartIndices()), sizes);
  return castTo(l.b,
                sliceTensor(l.b, in.getOperand(), offsets, sizes,
                            ones(l.b, sizes.size())),
                l.type());
}

static FailureOr<Value>
lowerDynamicUpdateSlice(DynamicUpdateSliceOp op,
                        DynamicUpdateSliceOp::Adaptor in, Lowering &l) {
  if (failed(expectResultElement(l, in.getOperand())) ||
      failed(expectResultElement(l, in.getUpdate())))
    return failure();
  Value operand = refine(l.b, in.getOperand(), l.type().getShape());
  Sizes offsets =
      startsOf(l, operand, in.getStartIndices(),
               elementOf(op.getStartIndices()), extentsOf(l.b, in.getUpdate()));
  return castTo(l.b,
                insertTensor(l.b, in.getUpdate(), operand, offsets,
                             ones(l.b, offsets.size())),
                l.type());
}

/// A slice that is known to leave the tensor would be rejected much later.
static LogicalResult checkSlice(Lowering &l, ArrayRef<int64_t> shape,
                                ArrayRef<OpFoldResult> starts,
                                ArrayRef<OpFoldResult> sizes,
                                ArrayRef<OpFoldResult> strides) {
  for (auto [dim, extent] : llvm::enumerate(shape)) {
    using Wide = __int128;
    Wide start = getConstantIntValue(starts[dim]).value_or(0),
         size = getConstantIntValue(sizes[dim]).value_or(0),
         stride = getConstantIntValue(strides[dim]).value_or(1);
    Wide end = size == 0 ? start : start + (size - 1) * stride + 1;
    if (start < 0 || size < 0 || stride < 1 ||
        (ShapedType::isStatic(extent) && end > extent))
      return l.refuse("the slice is not within dimension " + Twine(dim));
  }
  return success();
}

static FailureOr<Value> lowerRealDynamicSlice(RealDynamicSliceOp op,
                                              RealDynamicSliceOp::Adaptor in,
                                              Lowering &l) {
  RankedTensorType type = l.type();
  bool areUnsigned =
      isUnsigned(op.getStartIndices().getType().getElementType());
  auto sizesIn = [&](Value vector) {
    return elementsOf(l.b, vector, type.getRank(), areUnsigned);
  };
  Sizes starts = sizesIn(in.getStartIndices()),
        limits = sizesIn(in.getLimitIndices()),
        strides = sizesIn(in.getStrides()), sizes;
  auto operand = cast<RankedTensorType>(in.getOperand().getType());
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    sizes.push_back(ShapedType::isStatic(extent)
                        ? OpFoldResult(l.b.getIndexAttr(extent))
                        : ceilDivSizes(l.b,
                                       subSizes(l.b, limits[dim], starts[dim]),
                                       strides[dim]));
  if (failed(expectResultElement(l, in.getOperand())) ||
      failed(checkSlice(l, operand.getShape(), starts, sizes, strides)))
    return failure();
  return castTo(l.b, sliceTensor(l.b, in.getOperand(), starts, sizes, strides),
                type);
}

void addSliceRules(LoweringRules &rules) {
  rules.add<SliceOp, lowerSlice>();
  rules.add<DynamicSliceOp, lowerDynamicSlice>();
  rules.add<DynamicUpdateSliceOp, lowerDynamicUpdateSlice>();
  rules.add<RealDynamicSliceOp, lowerRealDynamicSlice>();
}

} // namespace mercator::stablehlo
