// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result types of the elementwise operations.

#include "mercator/dialects/stablehlo/Infer.h"

using namespace mlir;
using namespace mercator::stablehlo;

FailureOr<Extents> mercator::stablehlo::meetAll(ValueRange operands) {
  if (operands.empty())
    return failure();
  Extents all = extentsOf(operands.front());
  for (Value operand : operands.drop_front()) {
    Extents extents = extentsOf(operand);
    if (!agree(ArrayRef<Extent>(all), extents))
      return failure();
    for (auto [known, more] : llvm::zip(all, extents))
      known = meet(known, more);
  }
  return all;
}

static LogicalResult inferShape(ValueRange operands, Type element,
                                Types &types) {
  FailureOr<Extents> extents = meetAll(operands);
  if (failed(extents))
    return failure();
  return inferred(types, tensorOf(*extents, element));
}

/// The result has the type of the operands. Operations with several operand
/// types follow below.
template <typename Adaptor>
static LogicalResult infer(Adaptor op, Types &types) {
  return inferShape(op.getOperands(), elementOf(op.getOperands()[0]), types);
}

/// The real type of a complex type; other types are returned unchanged.
static Type realOf(Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  return complex ? complex.getElementType() : element;
}
static LogicalResult infer(AbsOp::Adaptor op, Types &types) {
  return inferShape(op.getOperand(), realOf(elementOf(op.getOperand())), types);
}
static LogicalResult infer(RealOp::Adaptor op, Types &types) {
  return inferShape(op.getOperand(), realOf(elementOf(op.getOperand())), types);
}
static LogicalResult infer(ImagOp::Adaptor op, Types &types) {
  return inferShape(op.getOperand(), realOf(elementOf(op.getOperand())), types);
}

static LogicalResult infer(IsFiniteOp::Adaptor op, Types &types) {
  Type pred = IntegerType::get(op.getOperand().getContext(), 1);
  return inferShape(op.getOperand(), pred, types);
}
static LogicalResult infer(CompareOp::Adaptor op, Types &types) {
  Type pred = IntegerType::get(op.getLhs().getContext(), 1);
  return inferShape(op.getOperands(), pred, types);
}
static LogicalResult infer(ComplexOp::Adaptor op, Types &types) {
  Type part = elementOf(op.getLhs());
  if (!isa<FloatType>(part))
    return failure();
  return inferShape(op.getOperands(), ComplexType::get(part), types);
}
/// Infers the type from `shaped` and from those of `others` that are no
/// scalars.
static LogicalResult inferBesideScalars(SmallVector<Value> shaped,
                                        ArrayRef<Value> others, Types &types) {
  for (Value other : others)
    if (!extentsOf(other).empty())
      shaped.push_back(other);
  return inferShape(shaped, elementOf(shaped.front()), types);
}
static LogicalResult infer(SelectOp::Adaptor op, Types &types) {
  return inferBesideScalars({op.getOnTrue(), op.getOnFalse()}, {op.getPred()},
                            types);
}
static LogicalResult infer(ClampOp::Adaptor op, Types &types) {
  return inferBesideScalars({op.getOperand()}, {op.getMin(), op.getMax()},
                            types);
}
static LogicalResult infer(UniformDequantizeOp::Adaptor op, Types &types) {
  auto element = dyn_cast<quant::QuantizedType>(elementOf(op.getOperand()));
  if (!element)
    return failure();
  return inferShape(op.getOperand(), element.getExpressedType(), types);
}

MERCATOR_INFERRED(AbsOp)
MERCATOR_INFERRED(CbrtOp)
MERCATOR_INFERRED(CeilOp)
MERCATOR_INFERRED(ClzOp)
MERCATOR_INFERRED(CosineOp)
MERCATOR_INFERRED(ExpOp)
MERCATOR_INFERRED(Expm1Op)
MERCATOR_INFERRED(FloorOp)
MERCATOR_INFERRED(ImagOp)
MERCATOR_INFERRED(IsFiniteOp)
MERCATOR_INFERRED(LogOp)
MERCATOR_INFERRED(Log1pOp)
MERCATOR_INFERRED(LogisticOp)
MERCATOR_INFERRED(NegOp)
MERCATOR_INFERRED(NotOp)
MERCATOR_INFERRED(PopulationCountOp)
MERCATOR_INFERRED(RealOp)
MERCATOR_INFERRED(RoundOp)
MERCATOR_INFERRED(RoundNearestEvenOp)
MERCATOR_INFERRED(RsqrtOp)
MERCATOR_INFERRED(SignOp)
MERCATOR_INFERRED(SineOp)
MERCATOR_INFERRED(SqrtOp)
MERCATOR_INFERRED(TanOp)
MERCATOR_INFERRED(TanhOp)
MERCATOR_INFERRED(UniformDequantizeOp)
MERCATOR_INFERRED(ReducePrecisionOp)
MERCATOR_INFERRED(AddOp)
MERCATOR_INFERRED(Atan2Op)
MERCATOR_INFERRED(DivOp)
MERCATOR_INFERRED(MaxOp)
MERCATOR_INFERRED(MinOp)
MERCATOR_INFERRED(MulOp)
MERCATOR_INFERRED(PowOp)
MERCATOR_INFERRED(RemOp)
MERCATOR_INFERRED(ShiftLeftOp)
MERCATOR_INFERRED(ShiftRightArithmeticOp)
MERCATOR_INFERRED(ShiftRightLogicalOp)
MERCATOR_INFERRED(SubtractOp)
MERCATOR_INFERRED(AndOp)
MERCATOR_INFERRED(OrOp)
MERCATOR_INFERRED(XorOp)
MERCATOR_INFERRED(ComplexOp)
MERCATOR_INFERRED(CompareOp)
MERCATOR_INFERRED(SelectOp)
MERCATOR_INFERRED(ClampOp)
