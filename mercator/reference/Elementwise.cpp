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

/// Whether all operands but scalars have that shape; an error where not.
static bool haveShape(Step &step, ArrayRef<int64_t> shape) {
  for (const Value &operand : step.operands)
    if (operand.tensor()->rank() != 0 && operand.tensor()->shape() != shape) {
      step.error() << "expected operands of one shape, got "
                   << operand.tensor()->type() << " beside "
                   << step.tensor(0).type();
      return false;
    }
  return true;
}

static LogicalResult evaluateAny(Step &step) {
  std::optional<ElementFunction> function = elementFunction(step.op);
  if (!function)
    return step.unsupported("it has no meaning for these element types");
  ArrayRef<int64_t> shape = resultShape(step);
  if (!haveShape(step, shape))
    return failure();
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

/// The bytes of the one or the other: a NaN stays as it is.
static LogicalResult evaluateSelect(SelectOp, Step &step) {
  const Tensor &pred = step.tensor(0), &onTrue = step.tensor(1),
               &onFalse = step.tensor(2);
  ArrayRef<int64_t> shape = resultShape(step);
  if (!haveShape(step, shape))
    return failure();
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result))
    return failure();
  for (int64_t i = 0; i < result->size(); ++i) {
    const Tensor &chosen =
        pred.at(pred.rank() == 0 ? 0 : i).integer ? onTrue : onFalse;
    result->copy(i, chosen, chosen.rank() == 0 ? 0 : i);
  }
  step.results[0] = *result;
  return success();
}

template <typename Op>
static LogicalResult evaluateElementwise(Op, Step &step) {
  return evaluateAny(step);
}

template <typename... Ops> static void addAll(Rules &rules) {
  (rules.add<Ops, evaluateElementwise<Ops>>(), ...);
}

void addElementwiseRules(Rules &rules) {
  addAll<AbsOp, CbrtOp, CeilOp, ConvertOp, ClzOp, CosineOp, ExpOp, Expm1Op,
         FloorOp, ImagOp, IsFiniteOp, LogOp, Log1pOp, LogisticOp, NegOp, NotOp,
         PopulationCountOp, RealOp, RoundOp, RoundNearestEvenOp, RsqrtOp,
         SignOp, SineOp, SqrtOp, TanOp, TanhOp, ReducePrecisionOp>(rules);
  addAll<AddOp, Atan2Op, DivOp, MaxOp, MinOp, MulOp, PowOp, RemOp, ShiftLeftOp,
         ShiftRightArithmeticOp, ShiftRightLogicalOp, SubtractOp, AndOp, OrOp,
         XorOp, ComplexOp, CompareOp, ClampOp>(rules);
  rules.add<SelectOp, evaluateSelect>();
}

} // namespace mercator::reference
