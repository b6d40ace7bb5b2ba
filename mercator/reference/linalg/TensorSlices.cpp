// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The dialect tensor: slices, padding, concatenation.

#include "mercator/reference/core/Numbers.h"
#include "mercator/reference/linalg/Rules.h"
#include "mercator/reference/linalg/Slice.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace mercator::reference {

FailureOr<Slice> Slice::of(Step &step, ArrayRef<OpFoldResult> offsets,
                           ArrayRef<OpFoldResult> sizes,
                           ArrayRef<OpFoldResult> strides,
                           ArrayRef<int64_t> whole) {
  FailureOr<SmallVector<int64_t>> begin = integers(step, offsets),
                                  count = integers(step, sizes),
                                  by = integers(step, strides);
  if (failed(begin) || failed(count) || failed(by))
    return failure();
  for (size_t dim = 0; dim < whole.size(); ++dim) {
    int64_t first = (*begin)[dim], extent = (*count)[dim], last = 0;
    if (extent == 0 && first >= 0 && first <= whole[dim])
      continue;
    bool beyond = __builtin_mul_overflow(extent - 1, (*by)[dim], &last) ||
                  __builtin_add_overflow(first, last, &last);
    if (beyond || extent < 0 || first < 0 || first >= whole[dim] || last < 0 ||
        last >= whole[dim])
      return LogicalResult(step.error()
                           << "expected a slice within extent " << whole[dim]
                           << " of dimension " << dim << ", got " << extent
                           << " from " << first);
  }
  return Slice{std::move(*begin), std::move(*count), std::move(*by)};
}

SmallVector<int64_t> Slice::at(ArrayRef<int64_t> index) const {
  SmallVector<int64_t> place;
  for (size_t dim = 0; dim < index.size(); ++dim)
    place.push_back(offsets[dim] + index[dim] * strides[dim]);
  return place;
}

SmallVector<int64_t> Slice::shape(const llvm::SmallBitVector &dropped) const {
  SmallVector<int64_t> kept;
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    if (!dropped[dim])
      kept.push_back(sizes[dim]);
  return kept;
}

void Slice::read(const Tensor &whole, Tensor &part) const {
  int64_t place = 0;
  for (Index index(sizes); index; ++index)
    part.copy(place++, whole, whole.linear(at(*index)));
}

void Slice::write(const Tensor &part, Tensor &whole) const {
  int64_t place = 0;
  for (Index index(sizes); index; ++index)
    whole.copy(whole.linear(at(*index)), part, place++);
}

static LogicalResult evaluateExtractSlice(tensor::ExtractSliceOp op,
                                          Step &step) {
  FailureOr<Slice> slice =
      Slice::of(step, op.getMixedOffsets(), op.getMixedSizes(),
                op.getMixedStrides(), step.tensor(0).shape());
  if (failed(slice))
    return failure();
  FailureOr<Tensor> part = step.make(0, slice->shape(op.getDroppedDims()));
  if (failed(part))
    return failure();
  slice->read(step.tensor(0), *part);
  step.results[0] = *part;
  return success();
}

static LogicalResult evaluateInsertSlice(tensor::InsertSliceOp op, Step &step) {
  FailureOr<Slice> slice =
      Slice::of(step, op.getMixedOffsets(), op.getMixedSizes(),
                op.getMixedStrides(), step.tensor(1).shape());
  if (failed(slice) ||
      failed(step.expectShape("a source", step.tensor(0),
                              slice->shape(op.getDroppedDims()))) ||
      failed(step.charge(slice->sizes)))
    return failure();
  FailureOr<Tensor> whole = step.takeForUpdate(1);
  if (failed(whole))
    return failure();
  slice->write(step.tensor(0), *whole);
  step.results[0] = *whole;
  return success();
}

static LogicalResult evaluatePad(tensor::PadOp op, Step &step) {
  const Tensor &source = step.tensor(0);
  FailureOr<SmallVector<int64_t>> low = integers(step, op.getMixedLowPad()),
                                  high = integers(step, op.getMixedHighPad());
  if (failed(low) || failed(high))
    return failure();
  SmallVector<int64_t> shape;
  for (auto [before, extent, after] : llvm::zip(*low, source.shape(), *high)) {
    shape.push_back(before + extent + after);
    if (before < 0 || after < 0)
      return step.error() << "expected padding of zero or more, got " << before
                          << " and " << after;
  }
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result) || failed(step.charge(shape)))
    return failure();
  mlir::Value constant = op.getConstantPaddingValue();
  const Value *filling = constant ? step.evaluator.lookup(constant) : nullptr;
  for (Index at(shape); at; ++at) {
    SmallVector<int64_t> inner;
    bool isInside = true;
    for (auto [i, before, extent] : llvm::zip(*at, *low, source.shape())) {
      inner.push_back(i - before);
      isInside &= i >= before && i - before < extent;
    }
    int64_t place = result->linear(*at);
    if (isInside) {
      result->copy(place, source, source.linear(inner));
      continue;
    }
    if (filling) {
      result->copy(place, *filling->tensor(), 0);
      continue;
    }
    FailureOr<Tensor> element = elementOf(step, op.getRegion(), *at);
    if (failed(element))
      return failure();
    result->copy(place, *element, 0);
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluateConcat(tensor::ConcatOp op, Step &step) {
  int64_t dim = int64_t(op.getDim());
  SmallVector<int64_t> shape(step.tensor(0).shape());
  for (const Value &operand : step.operands.drop_front())
    shape[dim] += operand.tensor()->dim(dim);
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result))
    return failure();
  int64_t before = 0;
  for (const Value &operand : step.operands) {
    const Tensor &part = *operand.tensor();
    SmallVector<int64_t> expected = shape;
    expected[dim] = part.dim(dim);
    if (failed(step.expectShape("an operand", part, expected)))
      return failure();
    Slice slice{SmallVector<int64_t>(shape.size(), 0),
                SmallVector<int64_t>(part.shape()),
                SmallVector<int64_t>(shape.size(), 1)};
    slice.offsets[dim] = before;
    slice.write(part, *result);
    before += part.dim(dim);
  }
  step.results[0] = *result;
  return success();
}

void addTensorSliceRules(EvaluationRules &rules) {
  rules.add<tensor::ExtractSliceOp, evaluateExtractSlice>();
  rules.add<tensor::InsertSliceOp, evaluateInsertSlice>();
  rules.add<tensor::PadOp, evaluatePad>();
  rules.add<tensor::ConcatOp, evaluateConcat>();
}

} // namespace mercator::reference
