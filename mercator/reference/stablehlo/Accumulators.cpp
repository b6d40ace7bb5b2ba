// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/stablehlo/Accumulators.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Quantize.h"

#include <bit>

using namespace mlir;

namespace mercator::reference {

/// Whether floats or integers become wider; rounding by the wider Element does
/// that by itself.
static bool isWider(Type from, Type to) {
  if (isa<quant::QuantizedType>(from) || isa<quant::QuantizedType>(to))
    return false;
  std::optional<Element> a = Element::of(from), b = Element::of(to);
  return a && b && (a->kind == b->kind || (a->isInteger() && b->isInteger())) &&
         a->bits <= b->bits;
}

/// The tensor with the element type that a body takes: the same values in a
/// wider type, in another quantized type, or dequantized.
static FailureOr<Tensor> promote(const Step &step, const Tensor &tensor,
                                 Type to) {
  Type from = tensor.type().getElementType();
  if (from == to || isWider(from, to))
    return tensor;
  auto emitError = [&] { return step.error(); };
  if (expressedElement(from) != expressedElement(to))
    return step.unsupported("the body has other element types than the inputs");
  FailureOr<Tensor> floats = dequantize(tensor, emitError);
  if (failed(floats))
    return failure();
  return quantize(*floats, RankedTensorType::get(tensor.shape(), to),
                  emitError);
}

/// Whether each result of the body is the sum of its accumulator and its element.
static bool addsFloats(Region &body, ArrayRef<Element> elements) {
  Operation *end = body.front().getTerminator();
  for (auto [i, element] : llvm::enumerate(elements)) {
    auto add = end->getOperand(i).getDefiningOp<stablehlo::AddOp>();
    mlir::Value a = body.getArgument(i),
                b = body.getArgument(elements.size() + i);
    if (!add || !(element.isReal() || element.isComplex()) ||
        !((add.getLhs() == a && add.getRhs() == b) ||
          (add.getLhs() == b && add.getRhs() == a)))
      return false;
    Type type = getElementTypeOrSelf(add.getType());
    if (isa<quant::QuantizedType>(type))
      return false;
  }
  return true;
}

Accumulators::Accumulators(Step &step, Region &body, ArrayRef<Tensor> inputs,
                           ArrayRef<Tensor> initValues)
    : arguments(2 * inputs.size()), body(body, step.evaluator) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    Type type =
        cast<RankedTensorType>(body.getArgument(i).getType()).getElementType();
    FailureOr<Tensor> input = promote(step, inputs[i], type),
                      init = promote(step, initValues[i], type);
    isPromoted &= succeeded(input) && succeeded(init);
    if (!isPromoted)
      return;
    elements.push_back(*Element::of(type));
    this->inputs.push_back(*input);
    this->initValues.push_back(elements.back().round(init->scalar()));
  }
  isSum = addsFloats(body, elements);
}

void Accumulators::start() {
  llvm::copy(initValues, arguments.begin());
  sums.clear();
  if (isSum)
    for (auto [element, init] : llvm::zip(elements, initValues))
      sums.emplace_back(element, init);
}

Scalar Accumulators::current(size_t i) const {
  return isSum ? elements[i].round(sums[i].value()) : arguments[i];
}

FailureOr<bool> Accumulators::isStartFixed() {
  start();
  if (failed(takeInit()))
    return failure();
  for (auto [i, init] : llvm::enumerate(initValues)) {
    Scalar now = current(i);
    if (init.integer != now.integer ||
        std::bit_cast<int64_t>(init.im) != std::bit_cast<int64_t>(now.im))
      return false;
  }
  return true;
}

LogicalResult Accumulators::take(int64_t place) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    Scalar element = inputs[i].at(place);
    if (inputs[i].element() != elements[i])
      element = elements[i].round(element);
    arguments[inputs.size() + i] = element;
  }
  return combine();
}

LogicalResult Accumulators::takeInit() {
  llvm::copy(initValues, arguments.begin() + inputs.size());
  return combine();
}

LogicalResult Accumulators::combine() {
  if (isSum) {
    for (size_t i = 0; i < sums.size(); ++i)
      sums[i].add(arguments[sums.size() + i]);
    return success();
  }
  return body(arguments,
              MutableArrayRef<Scalar>(arguments).take_front(inputs.size()));
}

void Accumulators::store(MutableArrayRef<Tensor> results, int64_t place) const {
  for (size_t i = 0; i < results.size(); ++i)
    results[i].set(place, current(i));
}

} // namespace mercator::reference
