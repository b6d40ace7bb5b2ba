// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arithmetic on numbers and elementwise on tensors. Affine functions of
// indices.

#include "mercator/reference/core/Numbers.h"
#include "mercator/reference/linalg/AffineValue.h"
#include "mercator/reference/linalg/Rules.h"
#include "mercator/reference/linalg/ScalarFunction.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace mercator::reference {

/// A scalar condition selects between values of any type.
static LogicalResult evaluateSelect(arith::SelectOp op, Step &step) {
  if (isa<ShapedType>(op.getCondition().getType()))
    return step.unsupported("its condition is no number");
  step.results[0] = step.operands[step.tensor(0).scalar().integer ? 1 : 2];
  return success();
}

static LogicalResult evaluateElementwise(Step &step) {
  if (auto select = dyn_cast<arith::SelectOp>(step.op))
    if (select.getCondition().getType().isInteger(1))
      return evaluateSelect(select, step);
  std::optional<ElementFunction> function = scalarFunction(step.op);
  if (!function)
    return step.unsupported("it is not defined for its element type");
  const Tensor &first = step.tensor(0);
  for (auto [i, operand] : llvm::enumerate(step.operands))
    if (failed(step.expectShape("operand #" + std::to_string(i),
                                *operand.tensor(), first.shape())))
      return failure();
  Type element = getElementTypeOrSelf(step.op->getResult(0).getType());
  FailureOr<Tensor> result =
      step.zeros(RankedTensorType::get(first.shape(), element));
  if (failed(result))
    return failure();
  SmallVector<Scalar, 3> operands(step.operands.size());
  for (int64_t place = 0; place < result->size(); ++place) {
    for (size_t i = 0; i < operands.size(); ++i)
      operands[i] = step.tensor(i).at(place);
    result->set(place, (*function)(operands.data()));
  }
  step.results[0] = *result;
  return success();
}

static bool isElementwise(Operation *op) {
  auto isKnown = [](Type type) -> bool {
    return type.isIntOrIndexOrFloat() ||
           isa<ComplexType, RankedTensorType>(type);
  };
  return (scalarFunction(op) && llvm::all_of(op->getOperandTypes(), isKnown)) ||
         isa<arith::SelectOp>(op);
}

/// The two halves of a product, or a sum and its carry.
template <typename Op, bool isSigned, bool isSum>
static LogicalResult evaluateExtended(Op op, Step &step) {
  const Tensor &a = step.tensor(0), &b = step.tensor(1);
  Type types[2] = {getElementTypeOrSelf(op->getResult(0).getType()),
                   getElementTypeOrSelf(op->getResult(1).getType())};
  FailureOr<Tensor> low =
      step.zeros(RankedTensorType::get(a.shape(), types[0]));
  FailureOr<Tensor> high =
      step.zeros(RankedTensorType::get(a.shape(), types[1]));
  if (failed(low) || failed(high) ||
      failed(step.expectShape("operand #1", b, a.shape())))
    return failure();
  unsigned bits = a.element().bits;
  auto wide = [&](const Scalar &value) -> __int128 {
    uint64_t natural = uint64_t(value.integer) & (~uint64_t(0) >> (64 - bits));
    return isSigned && bits > 1 ? __int128(value.integer) : __int128(natural);
  };
  for (int64_t i = 0; i < a.size(); ++i) {
    unsigned __int128 x = (unsigned __int128)wide(a.at(i)),
                      y = (unsigned __int128)wide(b.at(i)),
                      both = isSum ? x + y : x * y;
    low->set(i, Scalar::whole(int64_t(both)));
    high->set(i, Scalar::whole(int64_t(both >> bits)));
  }
  step.results[0] = *low;
  step.results[1] = *high;
  return success();
}

/// The results of an affine map for the operands.
template <typename Op>
static FailureOr<SmallVector<int64_t>> affineResults(Op op, Step &step) {
  AffineMap map = op.getMap();
  FailureOr<SmallVector<int64_t>> operands = integers(step, op->getOperands());
  if (failed(operands))
    return failure();
  ArrayRef<int64_t> dims = ArrayRef(*operands).take_front(map.getNumDims()),
                    symbols = ArrayRef(*operands).drop_front(map.getNumDims());
  SmallVector<int64_t> results;
  for (AffineExpr expr : map.getResults()) {
    std::optional<int64_t> value = affineValue(expr, dims, symbols);
    if (!value)
      return LogicalResult(
          step.error() << "expected a map that is defined for its operands");
    results.push_back(*value);
  }
  return results;
}

static LogicalResult evaluateApply(affine::AffineApplyOp op, Step &step) {
  FailureOr<SmallVector<int64_t>> results = affineResults(op, step);
  return failed(results) ? failure() : giveIndex(step, results->front());
}
static LogicalResult evaluateMin(affine::AffineMinOp op, Step &step) {
  FailureOr<SmallVector<int64_t>> results = affineResults(op, step);
  return failed(results) ? failure()
                         : giveIndex(step, *llvm::min_element(*results));
}
static LogicalResult evaluateMax(affine::AffineMaxOp op, Step &step) {
  FailureOr<SmallVector<int64_t>> results = affineResults(op, step);
  return failed(results) ? failure()
                         : giveIndex(step, *llvm::max_element(*results));
}

static LogicalResult evaluatePoison(ub::PoisonOp op, Step &step) {
  Type type = op.getType();
  auto shaped = dyn_cast<RankedTensorType>(type);
  if (!shaped && type.isIntOrIndexOrFloat())
    shaped = RankedTensorType::get({}, type);
  if (!shaped || !shaped.hasStaticShape())
    return step.unsupported("it is no number and no tensor of a known shape");
  FailureOr<Tensor> value = step.unwritten(shaped);
  if (failed(value))
    return failure();
  step.results[0] = *value;
  return success();
}

static LogicalResult evaluateConstant(arith::ConstantOp op, Step &step) {
  return giveConstant(step, op.getValue());
}

static LogicalResult evaluateComplexConstant(complex::ConstantOp op,
                                             Step &step) {
  return giveConstant(step, op.getValue());
}

void addArithmeticRules(EvaluationRules &rules) {
  rules.add<complex::ConstantOp, evaluateComplexConstant>();
  rules.add<arith::ConstantOp, evaluateConstant>();
  rules.addWhere(isElementwise, evaluateElementwise);
  rules.add<arith::AddUIExtendedOp,
            evaluateExtended<arith::AddUIExtendedOp, false, true>>();
  rules.add<arith::MulUIExtendedOp,
            evaluateExtended<arith::MulUIExtendedOp, false, false>>();
  rules.add<arith::MulSIExtendedOp,
            evaluateExtended<arith::MulSIExtendedOp, true, false>>();
  rules.add<affine::AffineApplyOp, evaluateApply>();
  rules.add<affine::AffineMinOp, evaluateMin>();
  rules.add<affine::AffineMaxOp, evaluateMax>();
  rules.add<ub::PoisonOp, evaluatePoison>();
}

} // namespace mercator::reference
