// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The dialect tensor: creation and reshapes.

#include "mercator/reference/core/Numbers.h"
#include "mercator/reference/linalg/Rules.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace mercator::reference {

/// Returns the elements of operand 0 with another shape.
static LogicalResult giveReshaped(Step &step, ArrayRef<int64_t> shape) {
  const Tensor &source = step.tensor(0);
  FailureOr<RankedTensorType> type = step.type(0, shape);
  if (failed(type))
    return failure();
  if (type->getNumElements() != source.size() ||
      llvm::any_of(shape, [](int64_t extent) { return extent < 0; }))
    return step.error() << "expected a shape for " << source.size()
                        << " elements, got " << *type;
  step.results[0] = source.withType(*type);
  return success();
}

static LogicalResult evaluateEmpty(tensor::EmptyOp op, Step &step) {
  FailureOr<SmallVector<int64_t>> shape =
      shapeOf(step, op.getType(), op.getDynamicSizes());
  if (failed(shape))
    return failure();
  FailureOr<Tensor> made = step.unwritten(
      RankedTensorType::get(*shape, op.getType().getElementType()));
  if (failed(made))
    return failure();
  step.results[0] = *made;
  return success();
}

static LogicalResult evaluateDim(tensor::DimOp op, Step &step) {
  int64_t dim = step.tensor(1).scalar().integer;
  if (dim < 0 || dim >= step.tensor(0).rank())
    return step.error() << "expected a dimension below "
                        << step.tensor(0).rank() << ", got " << dim;
  return giveIndex(step, step.tensor(0).dim(dim));
}

static LogicalResult evaluateRank(tensor::RankOp op, Step &step) {
  return giveIndex(step, step.tensor(0).rank());
}

static LogicalResult evaluateCast(tensor::CastOp op, Step &step) {
  if (!isa<RankedTensorType>(op.getType()))
    return step.unsupported("the result has no rank");
  return giveReshaped(step, step.tensor(0).shape());
}

static LogicalResult evaluateBitcast(tensor::BitcastOp op, Step &step) {
  return giveReshaped(step, step.tensor(0).shape());
}

static LogicalResult evaluateReshape(tensor::ReshapeOp op, Step &step) {
  SmallVector<int64_t> shape;
  const Tensor &given = step.tensor(1);
  for (int64_t i = 0; i < given.size(); ++i)
    shape.push_back(given.at(i).integer);
  return giveReshaped(step, shape);
}

static LogicalResult evaluateCollapse(tensor::CollapseShapeOp op, Step &step) {
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t extent = 1;
    for (int64_t dim : group)
      extent *= step.tensor(0).dim(dim);
    shape.push_back(extent);
  }
  return giveReshaped(step, shape);
}

static LogicalResult evaluateExpand(tensor::ExpandShapeOp op, Step &step) {
  FailureOr<SmallVector<int64_t>> shape =
      integers(step, op.getMixedOutputShape());
  if (failed(shape))
    return failure();
  for (auto [i, group] : llvm::enumerate(op.getReassociationIndices())) {
    int64_t extent = 1;
    for (int64_t dim : group)
      extent *= (*shape)[dim];
    if (extent != step.tensor(0).dim(i))
      return step.error() << "expected extents whose product is "
                          << step.tensor(0).dim(i) << ", got " << extent;
  }
  return giveReshaped(step, *shape);
}

static LogicalResult evaluateFromElements(tensor::FromElementsOp op,
                                          Step &step) {
  FailureOr<Tensor> made = step.make();
  if (failed(made))
    return failure();
  for (auto [i, element] : llvm::enumerate(step.operands))
    made->copy(int64_t(i), *element.tensor(), 0);
  step.results[0] = *made;
  return success();
}

static LogicalResult evaluateSplat(tensor::SplatOp op, Step &step) {
  return giveSplat(step, op.getDynamicSizes());
}

static LogicalResult evaluateGenerate(tensor::GenerateOp op, Step &step) {
  FailureOr<SmallVector<int64_t>> shape =
      shapeOf(step, cast<ShapedType>(op.getType()), op.getDynamicExtents());
  if (failed(shape) || failed(step.charge(*shape)))
    return failure();
  FailureOr<Tensor> made = step.make(0, *shape);
  if (failed(made))
    return failure();
  for (Index at(*shape); at; ++at) {
    FailureOr<Tensor> element = elementOf(step, op.getBody(), *at);
    if (failed(element))
      return failure();
    made->copy(made->linear(*at), *element, 0);
  }
  step.results[0] = *made;
  return success();
}

static LogicalResult evaluateInsert(tensor::InsertOp op, Step &step) {
  FailureOr<SmallVector<int64_t>> index = integers(step, op.getIndices());
  if (failed(index))
    return failure();
  FailureOr<int64_t> place = placeOf(step, step.tensor(1), *index);
  if (failed(place))
    return failure();
  FailureOr<Tensor> result = step.takeForUpdate(1);
  if (failed(result))
    return failure();
  result->copy(*place, step.tensor(0), 0);
  step.results[0] = std::move(*result);
  return success();
}

static LogicalResult evaluateExtract(tensor::ExtractOp op, Step &step) {
  const Tensor &from = step.tensor(0);
  SmallVector<int64_t> index;
  for (int64_t i = 0; i < from.rank(); ++i)
    index.push_back(step.tensor(i + 1).scalar().integer);
  FailureOr<int64_t> place = placeOf(step, from, index);
  FailureOr<Tensor> number = Tensor::zeros(
      RankedTensorType::get({}, op.getType()), [&] { return step.error(); });
  if (failed(place) || failed(number))
    return failure();
  number->copy(0, from, *place);
  step.results[0] = *number;
  return success();
}

void addTensorRules(EvaluationRules &rules) {
  rules.add<tensor::ExtractOp, evaluateExtract>();
  rules.add<tensor::EmptyOp, evaluateEmpty>();
  rules.add<tensor::DimOp, evaluateDim>();
  rules.add<tensor::RankOp, evaluateRank>();
  rules.add<tensor::CastOp, evaluateCast>();
  rules.add<tensor::BitcastOp, evaluateBitcast>();
  rules.add<tensor::ReshapeOp, evaluateReshape>();
  rules.add<tensor::CollapseShapeOp, evaluateCollapse>();
  rules.add<tensor::ExpandShapeOp, evaluateExpand>();
  rules.add<tensor::FromElementsOp, evaluateFromElements>();
  rules.add<tensor::SplatOp, evaluateSplat>();
  rules.add<tensor::GenerateOp, evaluateGenerate>();
  rules.add<tensor::InsertOp, evaluateInsert>();
}

} // namespace mercator::reference
