// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Iota, dynamic_iota: a linalg.generic of linalg.index.

#include "mercator/transforms/stablehlo/lowering/Builders.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"

using namespace mlir;

namespace mercator::stablehlo {

static Value toReal(ImplicitLocOpBuilder &b, Value index, Type real) {
  Value integer = arith::IndexCastOp::create(b, b.getI64Type(), index);
  return arith::SIToFPOp::create(b, real, integer);
}

/// The stored integer nearest to index / scale + zero point.
static Value quantized(ImplicitLocOpBuilder &b, Value index,
                       quant::UniformQuantizedType type) {
  Type real = type.getExpressedType(), storage = loweredElement(type);
  auto constant = [&](double value) { return number(b, real, value); };
  Value x = arith::DivFOp::create(b, toReal(b, index, real),
                                  constant(type.getScale()));
  x = arith::AddFOp::create(b, x, constant(double(type.getZeroPoint())));
  x = arith::MaximumFOp::create(b, x,
                                constant(double(type.getStorageTypeMin())));
  x = arith::MinimumFOp::create(b, x,
                                constant(double(type.getStorageTypeMax())));
  x = math::RoundEvenOp::create(b, x);
  return type.isSigned() ? Value(arith::FPToSIOp::create(b, storage, x))
                         : Value(arith::FPToUIOp::create(b, storage, x));
}

static Value numberAt(ImplicitLocOpBuilder &b, Value index, Type element) {
  if (auto type = dyn_cast<quant::UniformQuantizedType>(element))
    return quantized(b, index, type);
  Type lowered = loweredElement(element);
  if (auto complex = dyn_cast<ComplexType>(lowered)) {
    Type part = complex.getElementType();
    return complex::CreateOp::create(b, complex, toReal(b, index, part),
                                     zero(b, part));
  }
  if (isa<FloatType>(lowered))
    return toReal(b, index, lowered);
  return arith::IndexCastOp::create(b, lowered, index);
}

static Value iota(ImplicitLocOpBuilder &b, ArrayRef<OpFoldResult> sizes,
                  int64_t dim, Type element) {
  if (hasNoElements(shapeOf(sizes)))
    return empty(b, sizes, loweredElement(element));
  return compute(b, sizes, loweredElement(element), {}, {},
                 [&](ImplicitLocOpBuilder &b, ValueRange) -> Values {
                   return {
                       numberAt(b, linalg::IndexOp::create(b, dim), element)};
                 });
}

/// A dynamic extent is bounded, and known only at run time.
static FailureOr<Value> lowerIota(IotaOp op, IotaOp::Adaptor, Lowering &l) {
  RankedTensorType type = l.type();
  if (!type.hasStaticShape())
    return l.refuse("an extent of the result is not known");
  Sizes sizes;
  for (int64_t extent : type.getShape())
    sizes.push_back(l.b.getIndexAttr(extent));
  return iota(
      l.b, sizes, int64_t(op.getIotaDimension()),
      cast<RankedTensorType>(op->getResult(0).getType()).getElementType());
}

static FailureOr<Value>
lowerDynamicIota(DynamicIotaOp op, DynamicIotaOp::Adaptor in, Lowering &l) {
  FailureOr<Sizes> sizes =
      resultSizesIn(l, op.getOutputShape(), in.getOutputShape());
  if (failed(sizes))
    return failure();
  return castTo(
      l.b,
      iota(l.b, *sizes, int64_t(op.getIotaDimension()),
           cast<RankedTensorType>(op->getResult(0).getType()).getElementType()),
      l.type());
}

void addIotaRules(LoweringRules &rules) {
  rules.add<IotaOp, lowerIota>();
  rules.add<DynamicIotaOp, lowerDynamicIota>();
}

} // namespace mercator::stablehlo
