// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/stablehlo/ElementwiseFunction.h"

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Quantize.h"
#include "mercator/reference/stablehlo/ElementFamilies.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

static ElementFunction::Call callOf(Operation *op, const Element &operand) {
  for (auto family :
       {families::arithmetic, families::transcendental, families::comparison,
        families::conversion, families::bits, families::chlo})
    if (ElementFunction::Call call = family(op, operand))
      return call;
  return nullptr;
}

std::optional<ElementFunction> elementFunction(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0)
    return std::nullopt;
  auto elementOf = [](mlir::Value value) -> std::optional<Element> {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    Type element = type ? expressedElement(type.getElementType()) : Type();
    return element ? Element::of(element) : std::nullopt;
  };
  unsigned deciding =
      isa<SelectOp, ClampOp, chlo::BroadcastSelectOp>(op) ? 1 : 0;
  std::optional<Element> operand = elementOf(op->getOperand(deciding)),
                         result = elementOf(op->getResult(0));
  if (!operand || !result)
    return std::nullopt;
  ElementFunction function;
  function.call = callOf(op, *operand);
  if (!function.call)
    return std::nullopt;
  function.operand = *operand;
  function.result = *result;
  if (auto compare = dyn_cast<CompareOp>(op)) {
    function.detail[0] = int64_t(compare.getComparisonDirection());
  } else if (auto broadcast = dyn_cast<chlo::BroadcastCompareOp>(op)) {
    function.detail[0] = int64_t(broadcast.getComparisonDirection());
  } else if (auto reduce = dyn_cast<ReducePrecisionOp>(op)) {
    function.detail[0] = reduce.getExponentBits();
    function.detail[1] = reduce.getMantissaBits();
  }
  return function;
}

} // namespace mercator::reference
