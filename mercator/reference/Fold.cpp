// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/Fold.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mlir;

namespace mercator::reference {

/// Whether elements of one type become those of the other with their value:
/// the same type, or a wider one of the same kind.
static bool isPromotable(Type from, Type to) {
  if (from == to)
    return true;
  if (isa<quant::QuantizedType>(from) || isa<quant::QuantizedType>(to))
    return false;
  Element a = *Element::of(from), b = *Element::of(to);
  return (a.kind == b.kind || (a.isInteger() && b.isInteger())) &&
         a.bits <= b.bits;
}

Fold::Fold(Step &step, Region &body, ArrayRef<Tensor> inputs,
           ArrayRef<Tensor> initValues)
    : step(step), inputs(inputs), arguments(2 * inputs.size()),
      body(body, step.evaluator) {
  for (auto [i, init] : llvm::enumerate(initValues)) {
    Type from = init.type().getElementType();
    Type to =
        cast<RankedTensorType>(body.getArgument(i).getType()).getElementType();
    promotable &=
        isPromotable(from, to) && inputs[i].type().getElementType() == from;
    elements.push_back(Element::of(to).value_or(Element()));
    this->initValues.push_back(elements.back().round(init.scalar()));
  }
}

LogicalResult Fold::check() const {
  if (promotable)
    return success();
  return step.unsupported("the body has other element types than the inputs");
}

void Fold::start() { llvm::copy(initValues, arguments.begin()); }

LogicalResult Fold::take(int64_t place) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    Scalar element = inputs[i].at(place);
    if (inputs[i].element() != elements[i])
      element = elements[i].round(element);
    arguments[inputs.size() + i] = element;
  }
  return combine();
}

LogicalResult Fold::takeInit() {
  llvm::copy(initValues, arguments.begin() + inputs.size());
  return combine();
}

LogicalResult Fold::combine() {
  return body(arguments,
              MutableArrayRef<Scalar>(arguments).take_front(inputs.size()));
}

void Fold::store(MutableArrayRef<Tensor> results, int64_t place) const {
  for (size_t i = 0; i < results.size(); ++i)
    results[i].set(place, arguments[i]);
}

} // namespace mercator::reference
