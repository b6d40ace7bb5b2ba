// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Whole tensors between dispatches: flow.tensor.*.

#include "mercator/dialects/flow/Flow.h"
#include "mercator/reference/core/Numbers.h"
#include "mercator/reference/linalg/Rules.h"
#include "mercator/reference/linalg/Slice.h"

using namespace mlir;

namespace mercator::reference {

static LogicalResult evaluateConstant(flow::TensorConstantOp op, Step &step) {
  FailureOr<Tensor> value = step.constant(op.getValue());
  if (failed(value) || failed(step.type(0, value->shape())))
    return failure();
  step.results[0] = *value;
  return success();
}

static LogicalResult evaluateTieShape(flow::TensorTieShapeOp op, Step &step) {
  step.results[0] = step.operands[0];
  return expectExtents(step, step.operands[0], op.getType(),
                       op.getDynamicDims());
}

/// The type of the result. Checks first that the operand has its declared
/// extents.
template <typename Op>
static FailureOr<RankedTensorType> declaredType(Op op, Step &step) {
  FailureOr<SmallVector<int64_t>> shape =
      shapeOf(step, op.getResult().getType(), op.getResultDims());
  if (failed(shape) ||
      failed(expectExtents(step, step.operands[0], op.getSource().getType(),
                           op.getSourceDims())))
    return failure();
  return step.type(0, *shape);
}

/// Returns the elements of the operand as a tensor of another type.
static LogicalResult giveAs(RankedTensorType type, Step &step) {
  if (type.getNumElements() != step.tensor(0).size())
    return step.error() << "expected a shape for " << step.tensor(0).size()
                        << " elements, got " << type;
  step.results[0] = step.tensor(0).withType(type);
  return success();
}

static LogicalResult evaluateReshape(flow::TensorReshapeOp op, Step &step) {
  FailureOr<RankedTensorType> type = declaredType(op, step);
  if (failed(type))
    return failure();
  return giveAs(*type, step);
}

static LogicalResult evaluateBitCast(flow::TensorBitCastOp op, Step &step) {
  FailureOr<RankedTensorType> type = declaredType(op, step);
  if (failed(type))
    return failure();
  std::optional<Element> element = Element::of(type->getElementType());
  const Element &given = step.tensor(0).element();
  if (!element || element->bits != given.bits || element->bytes != given.bytes)
    return step.unsupported("its elements are not of the same width");
  return giveAs(*type, step);
}

static FailureOr<int64_t> placeOf(Step &step, const Tensor &tensor,
                                  ValueRange indices) {
  FailureOr<SmallVector<int64_t>> index = integers(step, indices);
  if (failed(index))
    return failure();
  return placeOf(step, tensor, *index);
}

static LogicalResult evaluateLoad(flow::TensorLoadOp op, Step &step) {
  FailureOr<int64_t> place = placeOf(step, step.tensor(0), op.getIndices());
  if (failed(place) ||
      failed(expectExtents(step, step.operands[0], op.getSource().getType(),
                           op.getSourceDims())))
    return failure();
  FailureOr<Value> element =
      number(step, op.getType(), step.tensor(0).at(*place));
  if (failed(element))
    return failure();
  step.results[0] = *element;
  return success();
}

static LogicalResult evaluateStore(flow::TensorStoreOp op, Step &step) {
  FailureOr<int64_t> place = placeOf(step, step.tensor(1), op.getIndices());
  if (failed(place) ||
      failed(expectExtents(step, step.operands[1], op.getTarget().getType(),
                           op.getTargetDims())))
    return failure();
  FailureOr<Tensor> result = step.takeForUpdate(1);
  if (failed(result))
    return failure();
  result->copy(*place, step.tensor(0), 0);
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluateEmpty(flow::TensorEmptyOp op, Step &step) {
  RankedTensorType type = op.getType();
  FailureOr<SmallVector<int64_t>> shape =
      shapeOf(step, type, op.getResultDims());
  if (failed(shape))
    return failure();
  FailureOr<Tensor> made =
      step.unwritten(RankedTensorType::get(*shape, type.getElementType()));
  if (failed(made))
    return failure();
  step.results[0] = *made;
  return success();
}

static LogicalResult evaluateSplat(flow::TensorSplatOp op, Step &step) {
  return giveSplat(step, op.getResultDims());
}

static LogicalResult evaluateClone(flow::TensorCloneOp op, Step &step) {
  step.results[0] = step.operands[0];
  return expectExtents(step, step.operands[0], op.getType(),
                       op.getArgumentDims());
}

static LogicalResult evaluateSlice(flow::TensorSliceOp op, Step &step) {
  const Tensor &source = step.tensor(0);
  FailureOr<SmallVector<int64_t>> shape =
      shapeOf(step, op.getType(), op.getResultDims());
  SmallVector<OpFoldResult> ones(source.rank(),
                                 Builder(op.getContext()).getIndexAttr(1));
  FailureOr<Slice> slice =
      Slice::of(step, getAsOpFoldResult(op.getStartIndices()),
                getAsOpFoldResult(op.getLengths()), ones, source.shape());
  if (failed(shape) || failed(slice) ||
      failed(expectExtents(step, step.operands[0], op.getSource().getType(),
                           op.getSourceDims())))
    return failure();
  if (*shape != slice->sizes)
    return step.error() << "expected lengths that are the result's extents";
  FailureOr<Tensor> part = step.make(0, *shape);
  if (failed(part))
    return failure();
  slice->read(source, *part);
  step.results[0] = *part;
  return success();
}

static LogicalResult evaluateUpdate(flow::TensorUpdateOp op, Step &step) {
  const Tensor &target = step.tensor(0);
  const Tensor update = *step.evaluator.lookup(op.getUpdate())->tensor();
  Builder builder(op.getContext());
  SmallVector<OpFoldResult> ones(target.rank(), builder.getIndexAttr(1)), sizes;
  for (int64_t extent : update.shape())
    sizes.push_back(builder.getIndexAttr(extent));
  FailureOr<Slice> slice =
      Slice::of(step, getAsOpFoldResult(op.getStartIndices()), sizes, ones,
                target.shape());
  if (failed(slice) ||
      failed(expectExtents(step, target, op.getTarget().getType(),
                           op.getTargetDims())) ||
      failed(expectExtents(step, update, op.getUpdate().getType(),
                           op.getUpdateDims())) ||
      failed(step.charge(update.shape())))
    return failure();
  FailureOr<Tensor> result = step.takeForUpdate(0);
  if (failed(result))
    return failure();
  slice->write(update, *result);
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluateTrace(flow::TensorTraceOp, Step &) {
  return success();
}

void addFlowTensorRules(EvaluationRules &rules) {
  rules.add<flow::TensorConstantOp, evaluateConstant>();
  rules.add<flow::TensorTieShapeOp, evaluateTieShape>();
  rules.add<flow::TensorReshapeOp, evaluateReshape>();
  rules.add<flow::TensorBitCastOp, evaluateBitCast>();
  rules.add<flow::TensorLoadOp, evaluateLoad>();
  rules.add<flow::TensorStoreOp, evaluateStore>();
  rules.add<flow::TensorEmptyOp, evaluateEmpty>();
  rules.add<flow::TensorSplatOp, evaluateSplat>();
  rules.add<flow::TensorCloneOp, evaluateClone>();
  rules.add<flow::TensorSliceOp, evaluateSlice>();
  rules.add<flow::TensorUpdateOp, evaluateUpdate>();
  rules.add<flow::TensorTraceOp, evaluateTrace>();
}

} // namespace mercator::reference
