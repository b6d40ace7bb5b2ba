// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sorting. The comparator comes from the program and may be inconsistent. This
// merge sort takes n log n comparisons for any comparator and always gives a
// permutation. It is always stable.

#include "mercator/reference/stablehlo/Sort.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Strides.h"
#include "mercator/reference/stablehlo/Rules.h"
#include "mercator/reference/stablehlo/ScalarRegion.h"

#include <vector>

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

namespace {

/// Sorts the positions of one slice by the inputs' elements there.
class SliceSort {
public:
  SliceSort(Region &comparator, Evaluator &evaluator, ArrayRef<Tensor> inputs)
      : comparator(comparator, evaluator), inputs(inputs),
        arguments(comparator.getNumArguments()) {}

  LogicalResult operator()(std::vector<int64_t> &places) {
    std::vector<int64_t> merged(places.size());
    for (size_t width = 1; width < places.size(); width *= 2) {
      for (size_t begin = 0; begin < places.size(); begin += 2 * width)
        if (failed(merge(places, begin, width, merged)))
          return failure();
      places.swap(merged);
    }
    return success();
  }

private:
  /// Merges the runs of `width` positions at `begin` and at `begin` + `width`.
  LogicalResult merge(const std::vector<int64_t> &places, size_t begin,
                      size_t width, std::vector<int64_t> &merged) {
    size_t middle = std::min(begin + width, places.size()),
           end = std::min(middle + width, places.size());
    size_t left = begin, right = middle;
    for (size_t i = begin; i < end; ++i) {
      bool takeRight = left == middle;
      if (left < middle && right < end) {
        FailureOr<bool> isLess = less(places[right], places[left]);
        if (failed(isLess))
          return failure();
        takeRight = *isLess;
      }
      merged[i] = places[takeRight ? right++ : left++];
    }
    return success();
  }

  FailureOr<bool> less(int64_t left, int64_t right) {
    for (size_t i = 0; i < arguments.size() / 2; ++i) {
      arguments[2 * i] = inputs[i].at(left);
      arguments[2 * i + 1] = inputs[i].at(right);
    }
    Scalar result;
    if (failed(comparator(arguments, {&result, 1})))
      return failure();
    return result.integer != 0;
  }

  ScalarRegion comparator;
  ArrayRef<Tensor> inputs;
  SmallVector<Scalar> arguments;
};

} // namespace

FailureOr<SmallVector<Tensor>> sorted(Step &step, Region &comparator,
                                      ArrayRef<Tensor> inputs, int64_t dim) {
  ArrayRef<int64_t> shape = inputs[0].shape();
  SmallVector<Tensor> results;
  for (const Tensor &input : inputs) {
    FailureOr<Tensor> result = step.zeros(input.type());
    if (failed(step.expectShape("input", input, shape)) || failed(result))
      return failure();
    results.push_back(*result);
  }
  int64_t extent = shape[dim], stride = stridesOf(shape)[dim];
  Ints slices(shape);
  slices[dim] = extent ? 1 : 0;
  SliceSort sort(comparator, step.evaluator, inputs);
  std::vector<int64_t> places(extent);
  for (Index slice(slices); slice; ++slice) {
    int64_t first = inputs[0].linear(*slice);
    for (int64_t i = 0; i < extent; ++i)
      places[i] = first + i * stride;
    if (failed(sort(places)))
      return failure();
    for (int64_t i = 0; i < extent; ++i)
      for (size_t k = 0; k < inputs.size(); ++k)
        results[k].copy(first + i * stride, inputs[k], places[i]);
  }
  return results;
}

static LogicalResult evaluateSort(SortOp op, Step &step) {
  SmallVector<Tensor> inputs = step.tensors(0, step.operands.size());
  for (auto [i, input] : llvm::enumerate(inputs)) {
    FailureOr<RankedTensorType> type = step.type(i, inputs[0].shape());
    if (failed(type))
      return failure();
    if (Element::of(type->getElementType()) != input.element())
      return step.error() << "expected result #" << i << " of type "
                          << input.type() << ", got " << *type;
  }
  if (inputs[0].rank() == 0) {
    llvm::copy(inputs, step.results.begin());
    return success();
  }
  auto dim = int64_t(op.getDimension());
  if (dim < 0)
    dim += inputs[0].rank();
  FailureOr<SmallVector<Tensor>> results =
      sorted(step, op.getComparator(), inputs, dim);
  if (failed(results))
    return failure();
  for (auto [i, result] : llvm::enumerate(*results)) {
    FailureOr<RankedTensorType> type = step.type(i, result.shape());
    step.results[i] = result.withType(*type);
  }
  return success();
}

void addSortRules(EvaluationRules &rules) { rules.add<SortOp, evaluateSort>(); }

} // namespace mercator::reference
