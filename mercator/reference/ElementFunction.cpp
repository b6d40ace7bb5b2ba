// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One element of an elementwise operation.

#include "mercator/reference/ElementFunction.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

static Scalar add(const ElementFunction &self, const Scalar *x) {
  switch (self.operand.kind) {
  case ElementKind::boolean:
    return Scalar::whole(x[0].integer | x[1].integer);
  case ElementKind::signedInt:
  case ElementKind::unsignedInt:
    return self.result.round(Scalar::whole(
        int64_t(uint64_t(x[0].integer) + uint64_t(x[1].integer))));
  case ElementKind::real:
    return self.result.round(Scalar::real(x[0].re + x[1].re));
  case ElementKind::complex:
    return self.result.round(
        Scalar::complex(x[0].re + x[1].re, x[0].im + x[1].im));
  }
  llvm_unreachable("all kinds are handled");
}

static ElementFunction::Call callOf(Operation *op, const Element &operand) {
  return llvm::TypeSwitch<Operation *, ElementFunction::Call>(op)
      .Case([](AddOp) { return add; })
      .Default(nullptr);
}

std::optional<ElementFunction> elementFunction(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return std::nullopt;
  auto elementOf = [](mlir::Value value) -> std::optional<Element> {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || isa<quant::QuantizedType>(type.getElementType()))
      return std::nullopt;
    return Element::of(type.getElementType());
  };
  unsigned deciding = isa<SelectOp, ClampOp>(op) ? 1 : 0;
  std::optional<Element> operand = elementOf(op->getOperand(deciding)),
                         result = elementOf(op->getResult(0));
  if (!operand || !result)
    return std::nullopt;
  ElementFunction function;
  function.call = callOf(op, *operand);
  function.operand = *operand;
  function.result = *result;
  if (!function.call)
    return std::nullopt;
  return function;
}

} // namespace mercator::reference
