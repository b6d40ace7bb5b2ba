// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/operators/Build.h"

#include "mercator/dialects/ascend/Registry.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

Value ascend::constantInts(ImplicitLocOpBuilder &b, RankedTensorType type,
                           ArrayRef<int64_t> values) {
  unsigned width = type.getElementTypeBitWidth();
  bool isSigned = !type.getElementType().isUnsignedInteger();
  SmallVector<APInt> elements;
  for (int64_t value : values)
    elements.push_back(APInt(width, value, isSigned, /*implicitTrunc=*/true));
  return ConstOp::create(b, type, DenseElementsAttr::get(type, elements));
}

Value ascend::constantVector(ImplicitLocOpBuilder &b,
                             ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get({(int64_t)values.size()}, b.getI64Type());
  return constantInts(b, type, values);
}

Value ascend::constantScalar(ImplicitLocOpBuilder &b, Type element,
                             int64_t value) {
  return constantInts(b, RankedTensorType::get({}, element), value);
}

Value ascend::splat(ImplicitLocOpBuilder &b, DenseElementsAttr elements) {
  auto type = cast<RankedTensorType>(elements.getType());
  constexpr int64_t kMost = 1024;
  if (type.getNumElements() <= kMost)
    return ConstOp::create(b, type, elements);
  RankedTensorType scalar = type.clone(ArrayRef<int64_t>());
  Value one = ConstOp::create(b, scalar, elements.resizeSplat(scalar));
  return FillOp::create(b, type, constantVector(b, type.getShape()), one);
}

Value ascend::splat(ImplicitLocOpBuilder &b, RankedTensorType type,
                    Attribute element) {
  return splat(b, DenseElementsAttr::get(type, element));
}

Value ascend::reshape(ImplicitLocOpBuilder &b, Value x,
                      ArrayRef<int64_t> shape) {
  if (typeOf(x).getShape() == shape)
    return x;
  return ReshapeOp::create(b, typeOf(x).clone(shape), x,
                           constantVector(b, shape));
}

Value ascend::transpose(ImplicitLocOpBuilder &b, Value x,
                        ArrayRef<int64_t> axes) {
  SmallVector<int64_t> shape;
  for (int64_t axis : axes)
    shape.push_back(typeOf(x).getDimSize(axis));
  return TransposeOp::create(b, typeOf(x).clone(shape), x,
                             constantVector(b, axes));
}

Value ascend::broadcastTo(ImplicitLocOpBuilder &b, Value x,
                          ArrayRef<int64_t> shape) {
  if (typeOf(x).getShape() == shape)
    return x;
  return BroadcastToOp::create(b, typeOf(x).clone(shape), x,
                               constantVector(b, shape));
}

Value ascend::slice(ImplicitLocOpBuilder &b, Value x, Value offsets,
                    ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> numbers(sizes);
  llvm::replace(numbers, ShapedType::kDynamic, int64_t(-1));
  return SliceOp::create(b, typeOf(x).clone(sizes), x, offsets,
                         constantVector(b, numbers));
}

Value ascend::cast(ImplicitLocOpBuilder &b, Value x, Type element) {
  if (typeOf(x).getElementType() == element)
    return x;
  return CastOp::create(b, typeOf(x).clone(element), x,
                        attributeNumber(*geType(element)));
}

Value ascend::concat(ImplicitLocOpBuilder &b, ValueRange parts, int64_t axis) {
  SmallVector<int64_t> shape(typeOf(parts.front()).getShape());
  for (Value part : parts.drop_front()) {
    bool isKnown =
        !ShapedType::isDynamic(shape[axis]) && !typeOf(part).isDynamicDim(axis);
    shape[axis] = isKnown ? shape[axis] + typeOf(part).getDimSize(axis)
                          : ShapedType::kDynamic;
  }
  return ConcatV2Op::create(b, typeOf(parts.front()).clone(shape), parts,
                            constantScalar(b, b.getI64Type(), axis),
                            parts.size());
}
