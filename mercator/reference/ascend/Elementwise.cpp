// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The elementwise operators of GE. Operands are broadcast as in NumPy.

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/ascend/Arithmetic.h"
#include "mercator/reference/ascend/Operands.h"
#include "mercator/reference/ascend/Rules.h"

using namespace mlir;
using namespace mercator::ascend;

namespace mercator::reference {

static int64_t placeOf(const Tensor &x, ArrayRef<int64_t> index, int64_t place,
                       ArrayRef<int64_t> shape) {
  return x.shape() == shape ? place : broadcastPlace(x, index);
}

static LogicalResult evaluateAny(Step &step) {
  if (auto round = dyn_cast<RoundOp>(step.op);
      round && round.getDecimals() != 0)
    return step.unsupported("it rounds to decimals");
  FailureOr<Ints> shape = broadcastShape(step);
  if (failed(shape))
    return failure();
  FailureOr<Tensor> result = makeOf(step, *shape);
  if (failed(result))
    return failure();
  std::optional<Arithmetic> arithmetic =
      ascendArithmetic(step.op, step.tensor(0).element(), result->element());
  if (!arithmetic)
    return step.unsupported("it is not defined for these elements");
  int64_t place = 0;
  for (Index d(*shape); d; ++d, ++place) {
    Scalar scalars[3];
    for (auto [scalar, operand] : llvm::zip(scalars, step.operands)) {
      const Tensor &x = *operand.tensor();
      scalar = x.at(placeOf(x, *d, place, *shape));
    }
    if (arithmetic->whyNot) {
      StringRef why = arithmetic->whyNot(arithmetic->function, scalars);
      if (!why.empty())
        return step.error()
               << "expected operands for which GE defines the result, got "
               << why << " at element " << place;
    }
    result->set(place, arithmetic->function(scalars));
  }
  step.results[0] = *result;
  return success();
}

/// Copies bytes, so a NaN keeps its payload. For operands of different shapes
/// GE defines nothing.
static LogicalResult evaluateSelect(SelectOp, Step &step) {
  const Tensor &condition = step.tensor(0), &x1 = step.tensor(1),
               &x2 = step.tensor(2);
  if (x1.shape() != x2.shape() || condition.shape() != x1.shape())
    return step.error() << "expected operands of the same shape, got "
                        << condition.type() << ", " << x1.type() << " and "
                        << x2.type();
  FailureOr<Tensor> result = makeOf(step, x1.shape());
  if (failed(result))
    return failure();
  for (int64_t i = 0; i < result->size(); ++i) {
    bool isFirst = condition.at(i).integer != 0;
    result->copy(i, isFirst ? x1 : x2, i);
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluateSelectV2(SelectV2Op, Step &step) {
  FailureOr<Ints> shape = broadcastShape(step);
  if (failed(shape))
    return failure();
  FailureOr<Tensor> result = makeOf(step, *shape);
  if (failed(result))
    return failure();
  const Tensor &condition = step.tensor(0);
  int64_t place = 0;
  for (Index d(*shape); d; ++d, ++place) {
    bool isFirst =
        condition.at(placeOf(condition, *d, place, *shape)).integer != 0;
    const Tensor &chosen = step.tensor(isFirst ? 1 : 2);
    result->copy(place, chosen, placeOf(chosen, *d, place, *shape));
  }
  step.results[0] = *result;
  return success();
}

template <typename Op>
static LogicalResult evaluateElementwiseOp(Op, Step &step) {
  return evaluateAny(step);
}
template <typename... Ops>
static void addElementwiseOps(EvaluationRules &rules) {
  (rules.add<Ops, evaluateElementwiseOp<Ops>>(), ...);
}

void addAscendElementwiseRules(EvaluationRules &rules) {
  rules.add<SelectOp, evaluateSelect>();
  rules.add<SelectV2Op, evaluateSelectV2>();
  addElementwiseOps<CastOp, ClipByValueOp, AbsOp, NegOp, ExpOp, Expm1Op, LogOp,
                    Log1pOp, SqrtOp, RsqrtOp, TanhOp, SigmoidOp, SinOp, CosOp,
                    SinhOp, AsinhOp, BesselI1eOp, ErfOp, FloorOp, CeilOp,
                    RintOp, SignOp, ReciprocalOp, LogicalNotOp, InvertOp, TanOp,
                    RoundOp, IsFiniteOp, PopulationCountOp, RealOp, ImagOp,
                    ComplexAbsOp>(rules);
  addElementwiseOps<AddOp, SubOp, MulOp, RealDivOp, DivOp, PowOp, MinimumOp,
                    MaximumOp, BitwiseAndOp, BitwiseOrOp, BitwiseXorOp,
                    LogicalAndOp, LogicalOrOp, TruncateDivOp, TruncateModOp,
                    Atan2Op, NextAfterOp, LeftShiftOp, RightShiftOp, ComplexOp,
                    EqualOp, NotEqualOp, GreaterOp, GreaterEqualOp, LessOp,
                    LessEqualOp>(rules);
}

} // namespace mercator::reference
