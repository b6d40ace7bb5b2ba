// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Elementwise operations on whole tensors.

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Quantize.h"
#include "mercator/reference/stablehlo/ElementwiseFunction.h"
#include "mercator/reference/stablehlo/Rules.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

/// The shape of the result: that of the operands that are no scalars.
static ArrayRef<int64_t> resultShape(Step &step) {
  for (const Value &operand : step.operands)
    if (operand.tensor()->rank() != 0)
      return operand.tensor()->shape();
  return {};
}

/// Whether all operands except scalars have that shape; an error if not.
static bool haveShape(Step &step, ArrayRef<int64_t> shape) {
  for (const Value &operand : step.operands)
    if (operand.tensor()->rank() != 0 && operand.tensor()->shape() != shape) {
      step.error() << "expected operands of the same shape, got "
                   << operand.tensor()->type() << " and "
                   << step.tensor(0).type();
      return false;
    }
  return true;
}

static LogicalResult evaluateAny(Step &step) {
  std::optional<ElementFunction> function = elementFunction(step.op);
  if (!function)
    return step.unsupported("it is not defined for these element types");
  ArrayRef<int64_t> shape = resultShape(step);
  if (!haveShape(step, shape))
    return failure();
  // On quantized tensors it is the operation on the expressed floats.
  auto emitError = [&] { return step.error(); };
  SmallVector<Tensor, 3> operands;
  for (const Value &operand : step.operands) {
    FailureOr<Tensor> real = dequantize(*operand.tensor(), emitError);
    if (failed(real))
      return failure();
    operands.push_back(*real);
  }
  FailureOr<RankedTensorType> type = step.type(0, shape);
  if (failed(type))
    return failure();
  FailureOr<Tensor> result = step.zeros(expressedType(*type));
  if (failed(result))
    return failure();
  for (int64_t i = 0; i < result->size(); ++i) {
    Scalar scalars[3];
    for (size_t k = 0; k < operands.size(); ++k)
      scalars[k] = operands[k].at(operands[k].rank() == 0 ? 0 : i);
    result->set(i, (*function)(scalars));
  }
  result = quantize(*result, *type, emitError);
  if (failed(result))
    return failure();
  step.results[0] = *result;
  return success();
}

template <typename Op>
static LogicalResult evaluateElementwise(Op, Step &step) {
  return evaluateAny(step);
}

/// Copies bytes, so a NaN keeps its payload.
static LogicalResult evaluateSelect(SelectOp, Step &step) {
  if (isQuantized(step.op->getResult(0).getType()))
    return evaluateAny(step);
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

/// Converts floats or quantized values to a quantized type.
static LogicalResult evaluateQuantize(UniformQuantizeOp op, Step &step) {
  auto emitError = [&] { return step.error(); };
  FailureOr<Tensor> real = dequantize(step.tensor(0), emitError);
  if (failed(real))
    return failure();
  RankedTensorType type = op.getResult().getType();
  if (!isQuantized(type) ||
      expressedElement(type.getElementType()) != real->type().getElementType())
    return step.error() << "expected a result that is quantized "
                        << real->type().getElementType() << ", got " << type;
  FailureOr<Tensor> result = quantize(*real, type, emitError);
  if (failed(result))
    return failure();
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluateDequantize(UniformDequantizeOp op, Step &step) {
  FailureOr<Tensor> result =
      dequantize(step.tensor(0), [&] { return step.error(); });
  if (failed(result))
    return failure();
  if (result->type().getElementType() !=
      op.getResult().getType().getElementType())
    return step.error() << "expected a result of type " << result->type()
                        << ", got " << op.getResult().getType();
  step.results[0] = *result;
  return success();
}

template <typename... Ops> static void addAll(EvaluationRules &rules) {
  (rules.add<Ops, evaluateElementwise<Ops>>(), ...);
}

void addElementwiseRules(EvaluationRules &rules) {
  addAll<AbsOp, CbrtOp, CeilOp, ConvertOp, ClzOp, CosineOp, ExpOp, Expm1Op,
         FloorOp, ImagOp, IsFiniteOp, LogOp, Log1pOp, LogisticOp, NegOp, NotOp,
         PopulationCountOp, RealOp, RoundOp, RoundNearestEvenOp, RsqrtOp,
         SignOp, SineOp, SqrtOp, TanOp, TanhOp, ReducePrecisionOp>(rules);
  addAll<AddOp, Atan2Op, DivOp, MaxOp, MinOp, MulOp, PowOp, RemOp, ShiftLeftOp,
         ShiftRightArithmeticOp, ShiftRightLogicalOp, SubtractOp, AndOp, OrOp,
         XorOp, ComplexOp, CompareOp, ClampOp>(rules);
  addAll<chlo::AcosOp, chlo::AcoshOp, chlo::AsinOp, chlo::AsinhOp, chlo::AtanOp,
         chlo::AtanhOp, chlo::BesselI1eOp, chlo::ConjOp, chlo::CoshOp,
         chlo::DigammaOp, chlo::ErfOp, chlo::ErfInvOp, chlo::ErfcOp,
         chlo::IsInfOp, chlo::IsNegInfOp, chlo::IsPosInfOp, chlo::LgammaOp,
         chlo::SinhOp, chlo::SquareOp, chlo::TanOp, chlo::AsinAcosKernelOp,
         chlo::NextAfterOp, chlo::PolygammaOp, chlo::ZetaOp, chlo::MulhiOp>(
      rules);
  rules.add<SelectOp, evaluateSelect>();
  rules.add<UniformQuantizeOp, evaluateQuantize>();
  rules.add<UniformDequantizeOp, evaluateDequantize>();
}

} // namespace mercator::reference
