// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/ascend/operators/DynamicShape.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::ascend;

//===--- Extents ----------------------------------------------------------===//

bool DynamicExtent::operator==(const DynamicExtent &other) const {
  return known == other.known && factors.size() == other.factors.size() &&
         std::is_permutation(factors.begin(), factors.end(),
                             other.factors.begin());
}

DynamicExtent DynamicExtent::operator*(const DynamicExtent &other) const {
  DynamicExtent out = *this;
  out.known *= other.known;
  out.factors.append(other.factors);
  return out;
}

DynamicExtent ascend::extentOf(Value x, int64_t dim) {
  if (!typeOf(x).isDynamicDim(dim))
    return DynamicExtent::of(typeOf(x).getDimSize(dim));
  DynamicExtent out;
  out.factors.push_back({x, dim});
  return out;
}

DynamicShape ascend::dynamicShapeOf(Value x) {
  DynamicShape out;
  for (int64_t dim = 0, rank = typeOf(x).getRank(); dim < rank; ++dim)
    out.push_back(extentOf(x, dim));
  return out;
}

DynamicShape ascend::known(ArrayRef<int64_t> shape) {
  return llvm::map_to_vector<6>(shape, DynamicExtent::of);
}

SmallVector<int64_t, 6> ascend::sizesOf(ArrayRef<DynamicExtent> shape) {
  return llvm::map_to_vector<6>(
      shape, [](const DynamicExtent &extent) { return extent.size(); });
}

DynamicExtent ascend::product(ArrayRef<DynamicExtent> extents) {
  DynamicExtent out;
  for (const DynamicExtent &extent : extents)
    out = out * extent;
  return out;
}

static bool isStatic(ArrayRef<DynamicExtent> shape) {
  return llvm::all_of(shape, std::mem_fn(&DynamicExtent::isKnown));
}

//===--- Values -----------------------------------------------------------===//

static RankedTensorType vectorOf(int64_t count, Type element) {
  return RankedTensorType::get({count}, element);
}

Value ascend::elementOfVector(ImplicitLocOpBuilder &b, Value vector,
                              int64_t i) {
  return slice(b, vector, constantVector(b, {i}), {1});
}

static Value shapeOf(ImplicitLocOpBuilder &b, Value x) {
  return ShapeOp::create(b, vectorOf(typeOf(x).getRank(), b.getI32Type()), x);
}

/// One or more extents that are adjacent dimensions of a value.
static Value dimensions(ImplicitLocOpBuilder &b, Value x, int64_t first,
                        int64_t count) {
  Value all = shapeOf(b, x);
  if (count == typeOf(x).getRank())
    return all;
  return slice(b, all, constantVector(b, {first}), {count});
}

/// One extent as a vector.
static Value single(ImplicitLocOpBuilder &b, const DynamicExtent &extent) {
  Value out;
  for (auto [value, dim] : extent.factors) {
    Value factor = dimensions(b, value, dim, 1);
    out = out ? MulOp::create(b, out.getType(), out, factor) : factor;
  }
  Type i32 = b.getI32Type();
  if (out && extent.known == 1)
    return out;
  Value number = constantInts(b, vectorOf(1, i32), {extent.known});
  return out ? MulOp::create(b, out.getType(), out, number) : number;
}

Value ascend::shapeVector(ImplicitLocOpBuilder &b,
                          ArrayRef<DynamicExtent> shape) {
  if (isStatic(shape))
    return constantVector(b, sizesOf(shape));
  Type i32 = b.getI32Type();
  SmallVector<Value> parts;
  for (size_t i = 0; i < shape.size();) {
    size_t end = i + 1;
    if (shape[i].isKnown()) {
      while (end < shape.size() && shape[end].isKnown())
        ++end;
      parts.push_back(constantInts(b, vectorOf(end - i, i32),
                                   sizesOf(shape.slice(i, end - i))));
    } else if (shape[i].known != 1 || shape[i].factors.size() != 1) {
      parts.push_back(single(b, shape[i]));
    } else {
      auto [value, first] = shape[i].factors[0];
      int64_t rank = typeOf(value).getRank();
      // As many dimensions of the value as follow each other.
      while (end < shape.size() && first + int64_t(end - i) < rank &&
             shape[end] == extentOf(value, first + int64_t(end - i)))
        ++end;
      parts.push_back(dimensions(b, value, first, end - i));
    }
    i = end;
  }
  return parts.size() == 1 ? parts.front() : concat(b, parts, 0);
}

Value ascend::extentScalar(ImplicitLocOpBuilder &b, const DynamicExtent &extent,
                           Type element) {
  if (extent.isKnown())
    return constantScalar(b, element, extent.known);
  return cast(b, reshape(b, single(b, extent), ArrayRef<int64_t>()), element);
}

Value ascend::asExtents(ImplicitLocOpBuilder &b, Value integers) {
  Type element = typeOf(integers).getElementType();
  bool isPlain = element.isSignlessInteger(32) || element.isSignlessInteger(64);
  return isPlain ? integers : cast(b, integers, b.getI64Type());
}

//===--- Tensors ----------------------------------------------------------===//

Value ascend::reshape(ImplicitLocOpBuilder &b, Value x,
                      ArrayRef<DynamicExtent> shape) {
  if (isStatic(shape))
    return reshape(b, x, sizesOf(shape));
  if (ArrayRef<DynamicExtent>(dynamicShapeOf(x)) == shape)
    return x;
  SmallVector<int64_t, 6> sizes = sizesOf(shape);
  RankedTensorType type = typeOf(x).clone(sizes);
  // With an extent of 0 the -1 may be any number.
  bool isRest = llvm::count(sizes, ShapedType::kDynamic) == 1 &&
                !llvm::is_contained(sizes, 0);
  if (isRest)
    llvm::replace(sizes, ShapedType::kDynamic, int64_t(-1));
  return ReshapeOp::create(
      b, type, x, isRest ? constantVector(b, sizes) : shapeVector(b, shape));
}

Value ascend::broadcastTo(ImplicitLocOpBuilder &b, Value x,
                          ArrayRef<DynamicExtent> shape) {
  if (isStatic(shape))
    return broadcastTo(b, x, sizesOf(shape));
  if (ArrayRef<DynamicExtent>(dynamicShapeOf(x)) == shape)
    return x;
  return BroadcastToOp::create(b, typeOf(x).clone(sizesOf(shape)), x,
                               shapeVector(b, shape));
}

Value ascend::splatLike(ImplicitLocOpBuilder &b, Value like,
                        Attribute element) {
  RankedTensorType type =
      typeOf(like).clone(cast<TypedAttr>(element).getType());
  if (type.hasStaticShape())
    return splat(b, type, element);
  RankedTensorType scalar = type.clone(ArrayRef<int64_t>());
  Value number =
      ConstOp::create(b, scalar, DenseElementsAttr::get(scalar, element));
  return FillOp::create(b, type, shapeOf(b, like), number);
}
