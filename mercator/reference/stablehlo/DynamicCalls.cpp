// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Custom calls that represent StableHLO operations with operands in place of
// attributes, and the shape checks at the beginning of shape-polymorphic
// programs.

#include "mercator/reference/core/Places.h"
#include "mercator/reference/stablehlo/CustomCalls.h"
#include "mercator/reference/stablehlo/RandomBits.h"
#include "mercator/reference/stablehlo/Window.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

/// The text with `{0}`, `{1}`, .. replaced by the operands from 1 on.
static std::string filledIn(StringRef text, Step &step) {
  std::string out;
  while (!text.empty()) {
    auto [before, rest] = text.split('{');
    out += before;
    bool isOpen = before.size() != text.size();
    text = rest;
    unsigned number = 0;
    if (!isOpen)
      continue;
    StringRef digits = text.take_until([](char c) { return c == '}'; });
    bool isNumber = !digits.getAsInteger(10, number) &&
                    number + 1 < step.operands.size() &&
                    text.size() > digits.size();
    if (!isNumber) {
      out += '{';
      continue;
    }
    out += std::to_string(indexAt(step.tensor(number + 1), 0));
    text = text.drop_front(digits.size() + 1);
  }
  return out;
}

static LogicalResult evaluateShapeAssertion(CustomCallOp op, Step &step) {
  if (failed(expectTensors(step, 1)))
    return failure();
  for (const Value &value : step.operands)
    if (value.tensor()->rank() != 0 || value.tensor()->element().isReal() ||
        value.tensor()->element().isComplex())
      return step.error() << "expected integers of rank 0, got "
                          << value.tensor()->type();
  if (step.tensor(0).scalar().integer)
    return giveCall(step, std::vector<Value>());
  auto message = op->getAttrOfType<StringAttr>("error_message");
  return step.error() << "expected compatible shapes: "
                      << filledIn(message ? message.getValue()
                                          : "the program does not say which",
                                  step);
}

/// All elements of an integer tensor with these extents.
static FailureOr<SmallVector<int64_t>> numbers(Step &step, const Tensor &tensor,
                                               ArrayRef<int64_t> shape) {
  if (!tensor.element().isInteger())
    return LogicalResult(step.error()
                         << "expected integers, got " << tensor.type());
  if (failed(step.expectShape("operand", tensor, shape)))
    return failure();
  SmallVector<int64_t> values;
  for (int64_t i = 0; i < tensor.size(); ++i)
    values.push_back(indexAt(tensor, i));
  return values;
}

/// Operands: inputs, equally many init values, then window_dimensions,
/// window_strides, base_dilations, window_dilations and padding.
static LogicalResult evaluateReduceWindow(CustomCallOp op, Step &step) {
  size_t count = step.results.size();
  if (count == 0)
    return step.error() << "expected results, got none";
  if (failed(expectTensors(step, 2 * count + 5)))
    return failure();
  if (llvm::any_of(op->getResultTypes(),
                   [](Type type) { return !isa<RankedTensorType>(type); }))
    return step.error() << "expected tensors as results";
  int64_t rank = step.tensor(0).rank();
  SmallVector<int64_t> lists[5];
  for (size_t i = 0; i < 5; ++i) {
    SmallVector<int64_t> shape = {rank};
    if (i == 4)
      shape.push_back(2);
    FailureOr<SmallVector<int64_t>> list =
        numbers(step, step.tensor(2 * count + i), shape);
    if (failed(list))
      return failure();
    lists[i] = *list;
  }
  FailureOr<Region *> body = calledBody(step, 2 * count, count);
  if (failed(body))
    return failure();
  for (size_t i = 0; i < count; ++i)
    if (step.tensor(count + i).rank() != 0)
      return step.error() << "expected initial values of rank 0, got "
                          << step.tensor(count + i).type();
  FailureOr<SmallVector<Tensor>> results = reduceWindows(
      step, **body, step.tensors(0, count), step.tensors(count, count),
      {lists[0], ArrayRef<int64_t>(lists[1]), ArrayRef<int64_t>(lists[2]),
       ArrayRef<int64_t>(lists[3]), lists[4]});
  if (failed(results))
    return failure();
  return giveCall(step, std::vector<Value>(results->begin(), results->end()));
}

static LogicalResult evaluateRngBitGenerator(CustomCallOp op, Step &step) {
  if (failed(expectTensors(step, 2)))
    return failure();
  auto algorithm = dyn_cast_or_null<RngAlgorithmAttr>(
      callAttribute(op, "rng_algorithm", "mhlo.backend_config"));
  if (step.results.size() != 2 ||
      llvm::any_of(op->getResultTypes(),
                   [](Type type) { return !isa<RankedTensorType>(type); }))
    return step.error() << "expected a state and bits as results";
  if (!algorithm)
    return step.error() << "expected the attribute `rng_algorithm`";
  const Tensor &extents = step.tensor(1);
  FailureOr<SmallVector<int64_t>> shape =
      numbers(step, extents, {extents.size()});
  if (failed(shape))
    return failure();
  for (int64_t extent : *shape)
    if (extent < 0)
      return step.error() << "expected a shape of extents of at least 0, got "
                          << extent;
  return generateBits(step, algorithm.getValue(), *shape);
}

void addDynamicCalls(CustomCalls &calls) {
  calls["shape_assertion"] = evaluateShapeAssertion;
  calls["stablehlo.dynamic_reduce_window"] = evaluateReduceWindow;
  calls["stablehlo.dynamic_rng_bit_generator"] = evaluateRngBitGenerator;
}

} // namespace mercator::reference
