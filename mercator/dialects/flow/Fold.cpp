// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Constant folding of operations on whole tensors.

#include "mercator/dialects/flow/Flow.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

/// A larger constant is not copied to change some of its elements: a chain of
/// changes would keep every version in memory.
static constexpr int64_t kMostFoldedElements = 1024;

/// The elements of a constant, if they are known and the constant is small.
static DenseElementsAttr smallElements(Attribute attr) {
  auto elements = dyn_cast_or_null<DenseElementsAttr>(attr);
  if (elements && elements.getNumElements() <= kMostFoldedElements &&
      elements.getElementType().isIntOrIndexOrFloat())
    return elements;
  return {};
}

/// The indices, if all are known and a box of those sizes at the indices lies
/// in `shape`.
static std::optional<SmallVector<int64_t>>
constantIndices(ArrayRef<Attribute> attrs, ArrayRef<int64_t> shape,
                ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> indices;
  for (auto [attr, extent, size] : llvm::zip_equal(attrs, shape, sizes)) {
    auto index = dyn_cast_or_null<IntegerAttr>(attr);
    if (!index || index.getInt() < 0 || index.getInt() > extent - size)
      return std::nullopt;
    indices.push_back(index.getInt());
  }
  return indices;
}

/// Calls `visit` with the position in `shape` of each element of the box, in
/// order.
static void forEachInBox(ArrayRef<int64_t> shape, ArrayRef<int64_t> start,
                         ArrayRef<int64_t> sizes,
                         function_ref<void(int64_t)> visit) {
  if (llvm::is_contained(sizes, 0))
    return;
  SmallVector<int64_t> at(shape.size(), 0);
  while (true) {
    int64_t position = 0;
    for (auto [extent, first, step] : llvm::zip_equal(shape, start, at))
      position = position * extent + first + step;
    visit(position);
    size_t dim = shape.size();
    while (dim > 0 && ++at[dim - 1] == sizes[dim - 1])
      at[--dim] = 0;
    if (dim == 0)
      return;
  }
}

/// Whether two tensors of these types and extents have the same shape.
static bool haveSameShape(RankedTensorType lhs, ValueRange lhsDims,
                          RankedTensorType rhs, ValueRange rhsDims) {
  return lhs == rhs && llvm::equal(lhsDims, rhsDims);
}

OpFoldResult TensorConstantOp::fold(FoldAdaptor) {
  if (getValue().getShapedType() == getType())
    return getValue();
  return {};
}

OpFoldResult TensorTieShapeOp::fold(FoldAdaptor) {
  if (getDynamicDims().empty())
    return getOperand();
  // The operand is already tied to the same extents.
  auto tied = getOperand().getDefiningOp<TensorTieShapeOp>();
  if (tied && tied != *this &&
      llvm::equal(tied.getDynamicDims(), getDynamicDims()))
    return getOperand();
  return {};
}

OpFoldResult TensorReshapeOp::fold(FoldAdaptor) {
  if (haveSameShape(getSource().getType(), getSourceDims(), getType(),
                    getResultDims()))
    return getSource();
  return {};
}

OpFoldResult TensorBitCastOp::fold(FoldAdaptor) {
  if (haveSameShape(getSource().getType(), getSourceDims(), getType(),
                    getResultDims()))
    return getSource();
  return {};
}

OpFoldResult TensorLoadOp::fold(FoldAdaptor adaptor) {
  auto source = dyn_cast_or_null<DenseElementsAttr>(adaptor.getSource());
  if (!source || !source.getElementType().isIntOrIndexOrFloat())
    return {};
  ArrayRef<int64_t> shape = source.getType().getShape();
  if (source.isSplat())
    return source.getSplatValue<Attribute>();
  std::optional<SmallVector<int64_t>> at = constantIndices(
      adaptor.getIndices(), shape, SmallVector<int64_t>(shape.size(), 1));
  if (!at)
    return {};
  return source.getValues<Attribute>()[llvm::to_vector_of<uint64_t>(*at)];
}

OpFoldResult TensorStoreOp::fold(FoldAdaptor adaptor) {
  DenseElementsAttr target = smallElements(adaptor.getTarget());
  if (!target || !adaptor.getValue())
    return {};
  ArrayRef<int64_t> shape = target.getType().getShape();
  SmallVector<int64_t> one(shape.size(), 1);
  std::optional<SmallVector<int64_t>> at =
      constantIndices(adaptor.getIndices(), shape, one);
  if (!at)
    return {};
  auto elements = llvm::to_vector(target.getValues<Attribute>());
  forEachInBox(shape, *at, one,
               [&](int64_t i) { elements[i] = adaptor.getValue(); });
  return DenseElementsAttr::get(target.getType(), elements);
}

OpFoldResult TensorCloneOp::fold(FoldAdaptor adaptor) {
  return adaptor.getOperand();
}

OpFoldResult TensorSliceOp::fold(FoldAdaptor adaptor) {
  DenseElementsAttr source = smallElements(adaptor.getSource());
  if (!source || !getType().hasStaticShape())
    return {};
  ArrayRef<int64_t> shape = source.getType().getShape();
  ArrayRef<int64_t> sizes = getType().getShape();
  std::optional<SmallVector<int64_t>> start =
      constantIndices(adaptor.getStartIndices(), shape, sizes);
  if (!start)
    return {};
  // The lengths repeat the extents of the result.
  for (auto [length, size] : llvm::zip_equal(adaptor.getLengths(), sizes)) {
    auto constant = dyn_cast_or_null<IntegerAttr>(length);
    if (!constant || constant.getInt() != size)
      return {};
  }
  SmallVector<Attribute> elements;
  auto values = source.getValues<Attribute>();
  forEachInBox(shape, *start, sizes,
               [&](int64_t i) { elements.push_back(values[i]); });
  return DenseElementsAttr::get(getType(), elements);
}

OpFoldResult TensorUpdateOp::fold(FoldAdaptor adaptor) {
  RankedTensorType updateType = getUpdate().getType();
  // An update with the shape of the target is in bounds only at offset 0.
  if (updateType == getType() && updateType.hasStaticShape() &&
      llvm::all_of(adaptor.getStartIndices(), [](Attribute start) {
        return !start || cast<IntegerAttr>(start).getInt() == 0;
      }))
    return getUpdate();
  DenseElementsAttr target = smallElements(adaptor.getTarget());
  DenseElementsAttr update = smallElements(adaptor.getUpdate());
  if (!target || !update)
    return {};
  ArrayRef<int64_t> shape = target.getType().getShape();
  ArrayRef<int64_t> sizes = update.getType().getShape();
  std::optional<SmallVector<int64_t>> start =
      constantIndices(adaptor.getStartIndices(), shape, sizes);
  if (!start)
    return {};
  auto elements = llvm::to_vector(target.getValues<Attribute>());
  auto next = update.getValues<Attribute>().begin();
  forEachInBox(shape, *start, sizes, [&](int64_t i) { elements[i] = *next++; });
  return DenseElementsAttr::get(target.getType(), elements);
}
