// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A region at every element: reduce and map.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Strides.h"
#include "mercator/reference/stablehlo/Accumulators.h"
#include "mercator/reference/stablehlo/Rules.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

static LogicalResult expectOneShape(Step &step, ArrayRef<Tensor> inputs) {
  for (const Tensor &input : inputs)
    if (failed(step.expectShape("input", input, inputs[0].shape())))
      return failure();
  return success();
}

static LogicalResult evaluateReduce(ReduceOp op, Step &step) {
  size_t count = op.getInputs().size();
  SmallVector<Tensor> inputs = step.tensors(0, count);
  ArrayRef<int64_t> shape = inputs[0].shape();
  if (failed(expectOneShape(step, inputs)) || failed(step.charge(shape)))
    return failure();
  Ints kept = otherDims(shape.size(), op.getDimensions());
  Ints reduced = otherDims(shape.size(), kept);
  Ints resultShape = pick(shape, kept), reducedShape = pick(shape, reduced);

  SmallVector<Tensor> results;
  for (size_t i = 0; i < count; ++i) {
    FailureOr<Tensor> result = step.make(i, resultShape);
    if (failed(result))
      return failure();
    results.push_back(*result);
  }
  Accumulators accumulators(step, op.getBody(), inputs,
                            step.tensors(count, count));
  if (failed(accumulators.check()))
    return failure();

  Ints strides = stridesOf(shape);
  Ints keptStrides = pick(strides, kept),
       reducedStrides = pick(strides, reduced);
  int64_t place = 0;
  for (Index d(resultShape); d; ++d, ++place) {
    int64_t first = offset(*d, keptStrides);
    accumulators.start();
    for (Index r(reducedShape); r; ++r)
      if (failed(accumulators.take(first + offset(*r, reducedStrides))))
        return failure();
    accumulators.store(results, place);
  }
  llvm::copy(results, step.results.begin());
  return success();
}

static LogicalResult evaluateMap(MapOp op, Step &step) {
  SmallVector<Tensor> inputs = step.tensors(0, step.operands.size());
  if (inputs.empty())
    return step.error() << "expected at least one input, got none";
  if (failed(expectOneShape(step, inputs)))
    return failure();
  FailureOr<Tensor> result = step.make(0, inputs[0].shape());
  if (failed(result))
    return failure();
  ScalarRegion computation(op.getComputation(), step.evaluator);
  SmallVector<Scalar> arguments(inputs.size());
  for (int64_t place = 0; place < result->size(); ++place) {
    for (size_t i = 0; i < inputs.size(); ++i)
      arguments[i] = inputs[i].at(place);
    Scalar value;
    if (failed(computation(arguments, {&value, 1})))
      return failure();
    result->set(place, value);
  }
  step.results[0] = *result;
  return success();
}

void addReductionRules(EvaluationRules &rules) {
  rules.add<ReduceOp, evaluateReduce>();
  rules.add<MapOp, evaluateMap>();
}

} // namespace mercator::reference
