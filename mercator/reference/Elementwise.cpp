// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Elementwise operations on whole tensors.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/ElementFunction.h"
#include "mercator/reference/Rules.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

/// The shape of the result: that of the operands which are not scalars.
static ArrayRef<int64_t> resultShape(Step &step) {
  for (const Value &operand : step.operands)
    if (operand.tensor()->rank() != 0)
      return operand.tensor()->shape();
  return {};
}

template <typename Op>
static LogicalResult evaluateElementwise(Op op, Step &step) {
  std::optional<ElementFunction> function = elementFunction(op);
  if (!function)
    return step.unsupported("it has no meaning for these element types");
  ArrayRef<int64_t> shape = resultShape(step);
  for (const Value &operand : step.operands)
    if (operand.tensor()->rank() != 0 && operand.tensor()->shape() != shape)
      return step.error() << "expected operands of one shape, got "
                          << operand.tensor()->type() << " beside "
                          << step.tensor(0).type();
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result))
    return failure();
  SmallVector<Tensor> operands = step.tensors(0, step.operands.size());
  for (int64_t i = 0; i < result->size(); ++i) {
    Scalar scalars[3];
    for (size_t k = 0; k < operands.size(); ++k)
      scalars[k] = operands[k].at(operands[k].rank() == 0 ? 0 : i);
    result->set(i, (*function)(scalars));
  }
  step.results[0] = *result;
  return success();
}

template <typename... Ops> static void addAll(Rules &rules) {
  (rules.add<Ops, evaluateElementwise<Ops>>(), ...);
}

void addElementwiseRules(Rules &rules) { addAll<AddOp>(rules); }

} // namespace mercator::reference
