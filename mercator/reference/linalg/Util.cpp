// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Hints and index arithmetic of the dialect util; inputs and outputs of the
// dialect hal: a buffer view is the tensor in it.

#include "mercator/dialects/util/Util.h"
#include "mercator/dialects/hal/Hal.h"
#include "mercator/reference/core/Numbers.h"
#include "mercator/reference/linalg/Rules.h"

using namespace mlir;

namespace mercator::reference {

static LogicalResult evaluateBarrier(util::OptimizationBarrierOp op,
                                     Step &step) {
  llvm::copy(step.operands, step.results.begin());
  return success();
}

static LogicalResult evaluateNarrow(util::NumericOptionalNarrowOp op,
                                    Step &step) {
  step.results[0] = step.operands[0];
  return success();
}

static LogicalResult evaluateUnfoldable(util::UnfoldableConstantOp op,
                                        Step &step) {
  return giveConstant(step, op.getValue());
}

static LogicalResult evaluateUnreachable(util::UnreachableOp op, Step &step) {
  return step.error() << "expected never to be reached";
}

static uint64_t naturalAt(const Step &step, size_t i) {
  return uint64_t(step.tensor(i).scalar().integer);
}

template <typename Op, bool isMax>
static LogicalResult evaluateLimit(Op op, Step &step) {
  uint64_t best = naturalAt(step, 0);
  for (size_t i = 1; i < step.operands.size(); ++i)
    best = isMax ? std::max(best, naturalAt(step, i))
                 : std::min(best, naturalAt(step, i));
  FailureOr<Value> value =
      number(step, op.getType(), Scalar::whole(int64_t(best)));
  if (failed(value))
    return failure();
  step.results[0] = *value;
  return success();
}

static LogicalResult evaluateAlign(util::AlignOp op, Step &step) {
  uint64_t value = naturalAt(step, 0), by = naturalAt(step, 1);
  if (step.tensor(0).rank() != 0 || by == 0)
    return step.unsupported("it is of no number, or by zero");
  FailureOr<Value> aligned = number(
      step, op.getType(), Scalar::whole(int64_t((value + by - 1) / by * by)));
  if (failed(aligned))
    return failure();
  step.results[0] = *aligned;
  return success();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static LogicalResult evaluateImport(hal::TensorImportOp op, Step &step) {
  auto type = cast<RankedTensorType>(op.getTarget().getType());
  FailureOr<SmallVector<int64_t>> shape =
      shapeOf(step, type, op.getTargetDims());
  if (failed(shape) ||
      failed(step.expectShape("a buffer", step.tensor(0), *shape)))
    return failure();
  if (step.tensor(0).type().getElementType() != type.getElementType())
    return step.unsupported("the buffer has elements of another type");
  step.results[0] = step.operands[0];
  return success();
}

static LogicalResult evaluateExport(hal::TensorExportOp op, Step &step) {
  step.results[0] = step.operands[0];
  return expectExtents(step, step.operands[0],
                       cast<RankedTensorType>(op.getSource().getType()),
                       op.getSourceDims());
}

static LogicalResult evaluateViewDim(hal::BufferViewDimOp op, Step &step) {
  int64_t dim = op.getIndex().getSExtValue();
  if (dim < 0 || dim >= step.tensor(0).rank())
    return step.error() << "expected a dimension below "
                        << step.tensor(0).rank() << ", got " << dim;
  return giveIndex(step, step.tensor(0).dim(dim));
}

void addUtilRules(EvaluationRules &rules) {
  rules.holdAsTensors<hal::BufferViewType>();
  rules.add<util::UnreachableOp, evaluateUnreachable>();
  rules.add<util::OptimizationBarrierOp, evaluateBarrier>();
  rules.add<util::NumericOptionalNarrowOp, evaluateNarrow>();
  rules.add<util::UnfoldableConstantOp, evaluateUnfoldable>();
  rules.add<util::RangeMinOp, evaluateLimit<util::RangeMinOp, false>>();
  rules.add<util::RangeMaxOp, evaluateLimit<util::RangeMaxOp, true>>();
  rules.add<util::AlignOp, evaluateAlign>();
  rules.add<hal::TensorImportOp, evaluateImport>();
  rules.add<hal::TensorExportOp, evaluateExport>();
  rules.add<hal::BufferViewDimOp, evaluateViewDim>();
}

} // namespace mercator::reference
