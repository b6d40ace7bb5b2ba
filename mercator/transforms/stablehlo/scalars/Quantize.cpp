// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Uniform_quantize and uniform_dequantize. Each step is rounded to the expressed
// type, as the specification has it.

#include "mercator/transforms/stablehlo/scalars/Quantize.h"
#include "mercator/transforms/stablehlo/scalars/ScalarFamilies.h"

using namespace mlir;

namespace mercator::stablehlo {

Quantization::Quantization(Type type) {
  auto quantized = cast<quant::QuantizedType>(type);
  storage = cast<IntegerType>(loweredElement(type));
  isSigned = quantized.isSigned();
  expressed = cast<FloatType>(quantized.getExpressedType());
  lowest = quantized.getStorageTypeMin();
  highest = quantized.getStorageTypeMax();
  if (auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(type)) {
    scales.assign(perAxis.getScales().begin(), perAxis.getScales().end());
    zeroPoints.assign(perAxis.getZeroPoints().begin(),
                      perAxis.getZeroPoints().end());
    axis = perAxis.getQuantizedDimension();
    return;
  }
  auto perTensor = cast<quant::UniformQuantizedType>(type);
  scales = {perTensor.getScale()};
  zeroPoints = {perTensor.getZeroPoint()};
}

/// An integer type for the difference of two stored integers.
static IntegerType differenceType(ImplicitLocOpBuilder &b,
                                  const Quantization &type) {
  return b.getIntegerType(type.storage.getWidth() > 16 ? 64 : 32);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value emitQuantize(ImplicitLocOpBuilder &b, const Quantization &to, Value x,
                   Value scale, Value zeroPoint) {
  if (!scale)
    scale = realConstant(b, to.expressed, to.scales.front());
  Value moved = arith::DivFOp::create(b, x, scale);
  if (to.hasZeroPoints()) {
    Value zero =
        zeroPoint
            ? Value(arith::SIToFPOp::create(b, to.expressed, zeroPoint))
            : realConstant(b, to.expressed, double(to.zeroPoints.front()));
    moved = arith::AddFOp::create(b, moved, zero);
  }
  Value rounded = math::RoundEvenOp::create(b, moved);
  Value whole = toInteger(b, rounded, to.storage, !to.isSigned);
  unsigned width = to.storage.getWidth();
  APInt least = to.isSigned ? APInt::getSignedMinValue(width)
                            : APInt::getMinValue(width),
        most = to.isSigned ? APInt::getSignedMaxValue(width)
                           : APInt::getMaxValue(width);
  Value lowest = integer(b, to.storage, to.lowest),
        highest = integer(b, to.storage, to.highest);
  APInt lowBits(64, uint64_t(to.lowest)), highBits(64, uint64_t(to.highest));
  if (lowBits.trunc(width) != least)
    whole = to.isSigned ? Value(arith::MaxSIOp::create(b, whole, lowest))
                        : Value(arith::MaxUIOp::create(b, whole, lowest));
  if (highBits.trunc(width) != most)
    whole = to.isSigned ? Value(arith::MinSIOp::create(b, whole, highest))
                        : Value(arith::MinUIOp::create(b, whole, highest));
  if (to.lowest <= 0 && to.highest >= 0)
    return whole;
  // A NaN becomes 0 even where that is no value of the type.
  Value isNaN = compareReals(b, arith::CmpFPredicate::UNO, moved, moved);
  return choose(b, isNaN, integer(b, to.storage, 0), whole);
}

Value emitDequantize(ImplicitLocOpBuilder &b, const Quantization &from, Value x,
                     Value scale, Value zeroPoint) {
  if (!scale)
    scale = realConstant(b, from.expressed, from.scales.front());
  Value steps;
  if (!from.hasZeroPoints()) {
    steps = from.isSigned
                ? Value(arith::SIToFPOp::create(b, from.expressed, x))
                : Value(arith::UIToFPOp::create(b, from.expressed, x));
  } else {
    Type wide = differenceType(b, from);
    if (!zeroPoint)
      zeroPoint = integer(b, wide, from.zeroPoints.front());
    Value extended = from.isSigned ? Value(arith::ExtSIOp::create(b, wide, x))
                                   : Value(arith::ExtUIOp::create(b, wide, x));
    steps = arith::SIToFPOp::create(
        b, from.expressed, arith::SubIOp::create(b, extended, zeroPoint));
  }
  return arith::MulFOp::create(b, steps, scale);
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

using Emit = Value (*)(ImplicitLocOpBuilder &, const Quantization &, Value,
                       Value, Value);

/// Applies `emit` to each element, with the parameters of its slice.
static Value onSlices(Lowering &l, const Quantization &type, Value operand,
                      Emit emit) {
  ImplicitLocOpBuilder &b = l.b;
  if (!type.axis)
    return computeEach(b, l.type(), operand,
                       [&](ImplicitLocOpBuilder &inside, ValueRange x) {
                         return Values{emit(inside, type, x[0], {}, {})};
                       });

  auto count = int64_t(type.scales.size());
  SmallVector<Attribute> scales, zeroPoints;
  Type whole = differenceType(b, type);
  for (auto [scale, zeroPoint] : llvm::zip(type.scales, type.zeroPoints)) {
    scales.push_back(b.getFloatAttr(type.expressed, scale));
    zeroPoints.push_back(b.getIntegerAttr(whole, zeroPoint));
  }
  auto constant = [&](Type element, ArrayRef<Attribute> values) -> Value {
    auto tensor = RankedTensorType::get({count}, element);
    return arith::ConstantOp::create(b, DenseElementsAttr::get(tensor, values));
  };
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(operand.getType()).getShape());
  for (auto [extent, other] : llvm::zip(shape, l.type().getShape()))
    if (ShapedType::isDynamic(extent))
      extent = other;
  shape[size_t(*type.axis)] = count;
  operand = castTo(
      b, operand,
      RankedTensorType::get(
          shape, cast<RankedTensorType>(operand.getType()).getElementType()));

  auto rank = unsigned(shape.size());
  AffineMap ofSlice =
      AffineMap::get(rank, 0, b.getAffineDimExpr(unsigned(*type.axis)));
  SmallVector<Value> inputs = {operand, constant(type.expressed, scales)};
  SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(rank), ofSlice};
  if (type.hasZeroPoints()) {
    inputs.push_back(constant(whole, zeroPoints));
    maps.push_back(ofSlice);
  }
  Value result =
      compute(b, extentsOf(b, operand), l.type().getElementType(), inputs, maps,
              [&](ImplicitLocOpBuilder &inside, ValueRange x) {
                return Values{emit(inside, type, x[0], x[1],
                                   x.size() == 3 ? x[2] : Value())};
              });
  return castTo(b, result, l.type());
}

static FailureOr<Value> lowerQuantize(UniformQuantizeOp op,
                                      UniformQuantizeOp::Adaptor in,
                                      Lowering &l) {
  return onSlices(l, Quantization(op.getResult().getType().getElementType()),
                  in.getOperand(), emitQuantize);
}

static FailureOr<Value> lowerDequantize(UniformDequantizeOp op,
                                        UniformDequantizeOp::Adaptor in,
                                        Lowering &l) {
  return onSlices(l, Quantization(op.getOperand().getType().getElementType()),
                  in.getOperand(), emitDequantize);
}

void addQuantizeRules(LoweringRules &rules) {
  rules.add<UniformQuantizeOp, lowerQuantize>();
  rules.add<UniformDequantizeOp, lowerDequantize>();
}

} // namespace mercator::stablehlo
