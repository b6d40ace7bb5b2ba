// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/core/Numbers.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace mercator::reference {

FailureOr<SmallVector<int64_t>> integers(Step &step,
                                         ArrayRef<OpFoldResult> mixed) {
  SmallVector<int64_t> result;
  for (OpFoldResult each : mixed) {
    if (auto attribute = dyn_cast<Attribute>(each)) {
      result.push_back(cast<IntegerAttr>(attribute).getInt());
      continue;
    }
    const Value *value = step.evaluator.lookup(cast<mlir::Value>(each));
    if (!value || !value->tensor())
      return LogicalResult(step.error()
                           << "expected sizes that have been evaluated");
    result.push_back(value->tensor()->scalar().integer);
  }
  return result;
}

FailureOr<SmallVector<int64_t>> integers(Step &step, ValueRange values) {
  return integers(step, getAsOpFoldResult(values));
}

FailureOr<SmallVector<int64_t>> shapeOf(Step &step, ShapedType type,
                                        ValueRange dynamic) {
  FailureOr<SmallVector<int64_t>> extents = integers(step, dynamic);
  if (failed(extents))
    return failure();
  SmallVector<int64_t> shape(type.getShape());
  const int64_t *next = extents->begin();
  for (int64_t &extent : shape) {
    if (!ShapedType::isDynamic(extent))
      continue;
    if (next == extents->end() || *next < 0)
      return LogicalResult(step.error()
                           << "expected an extent for each `?` of " << type);
    extent = *next++;
  }
  return shape;
}

LogicalResult expectExtents(Step &step, const Value &value,
                            RankedTensorType type, ValueRange dynamic) {
  FailureOr<SmallVector<int64_t>> shape = shapeOf(step, type, dynamic);
  if (failed(shape))
    return failure();
  if (!value.tensor())
    return step.error() << "expected a tensor";
  return step.expectShape("a tensor", *value.tensor(), *shape);
}

FailureOr<Value> number(Step &step, Type type, Scalar value) {
  FailureOr<Tensor> tensor = step.zeros(RankedTensorType::get({}, type));
  if (failed(tensor))
    return failure();
  tensor->set(int64_t(0), value);
  return Value(*tensor);
}

FailureOr<Value> indexNumber(Step &step, int64_t value) {
  return number(step, IndexType::get(step.op->getContext()),
                Scalar::whole(value));
}

LogicalResult giveIndex(Step &step, int64_t index) {
  FailureOr<Value> value = indexNumber(step, index);
  if (failed(value))
    return failure();
  step.results[0] = *value;
  return success();
}

FailureOr<int64_t> placeOf(Step &step, const Tensor &tensor,
                           ArrayRef<int64_t> index) {
  for (auto [i, extent] : llvm::zip_equal(index, tensor.shape()))
    if (i < 0 || i >= extent)
      return LogicalResult(step.error() << "expected an index below " << extent
                                        << ", got " << i);
  return tensor.linear(index);
}

FailureOr<Tensor> elementOf(Step &step, Region &region,
                            ArrayRef<int64_t> index) {
  SmallVector<Value> numbers;
  for (int64_t i : index) {
    FailureOr<Value> one = indexNumber(step, i);
    if (failed(one))
      return failure();
    numbers.push_back(*one);
  }
  FailureOr<std::vector<Value>> element =
      step.evaluator.region(region, numbers);
  if (failed(element))
    return failure();
  return *element->front().tensor();
}

LogicalResult giveConstant(Step &step, Attribute value) {
  Type type = step.op->getResult(0).getType();
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements && (type.isIntOrIndexOrFloat() || isa<ComplexType>(type)))
    elements = DenseElementsAttr::get(RankedTensorType::get({}, type), value);
  if (!elements)
    return step.unsupported("the constant is no tensor and no number");
  FailureOr<Tensor> tensor = step.constant(elements);
  if (failed(tensor))
    return failure();
  step.results[0] = *tensor;
  return success();
}

LogicalResult giveSplat(Step &step, ValueRange dynamic) {
  FailureOr<SmallVector<int64_t>> shape =
      shapeOf(step, cast<ShapedType>(step.op->getResult(0).getType()), dynamic);
  if (failed(shape))
    return failure();
  FailureOr<Tensor> made = step.make(0, *shape);
  if (failed(made))
    return failure();
  for (int64_t i = 0; i < made->size(); ++i)
    made->copy(i, step.tensor(0), 0);
  step.results[0] = *made;
  return success();
}

LogicalResult give(Step &step, FailureOr<std::vector<Value>> values) {
  if (failed(values))
    return failure();
  if (values->size() != step.results.size())
    return step.error() << "expected " << step.results.size()
                        << " results, got " << values->size();
  std::move(values->begin(), values->end(), step.results.begin());
  return success();
}

} // namespace mercator::reference
