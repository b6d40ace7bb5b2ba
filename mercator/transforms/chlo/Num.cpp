// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/chlo/Num.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::chlo;

//===--- Constants --------------------------------------------------------===//

Value chlo::shapeOf(ImplicitLocOpBuilder &builder, Value tensor) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  Type i32 = builder.getI32Type();
  auto one = RankedTensorType::get({1}, i32);
  SmallVector<Value> extents;
  for (int64_t dim = 0; dim < rank; ++dim)
    extents.push_back(stablehlo::ReshapeOp::create(
        builder, one,
        stablehlo::GetDimensionSizeOp::create(
            builder, RankedTensorType::get({}, i32), tensor, dim)));
  return stablehlo::ConcatenateOp::create(
      builder, RankedTensorType::get({rank}, i32), extents, 0);
}

Num Emitter::splat(TypedAttr number) {
  Value &known = constants[number];
  if (known)
    return num(known);
  auto type = cast<RankedTensorType>(like.getType()).clone(number.getType());
  auto scalar = RankedTensorType::get({}, number.getType());
  if (type.hasStaticShape()) {
    known = stablehlo::ConstantOp::create(
        builder, DenseElementsAttr::get(
                     RankedTensorType::get(type.getShape(), number.getType()),
                     Attribute(number)));
    return num(known);
  }
  if (!shape)
    shape = shapeOf(builder, like);
  Value one = stablehlo::ConstantOp::create(
      builder, DenseElementsAttr::get(scalar, Attribute(number)));
  known = stablehlo::DynamicBroadcastInDimOp::create(
      builder, type, one, shape, ArrayRef<int64_t>(), {}, {});
  return num(known);
}

Num Emitter::constant(Type element, double number) {
  if (auto type = dyn_cast<FloatType>(element)) {
    APFloat value(number);
    bool lost;
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &lost);
    return constant(element, value);
  }
  return constant(element,
                  APInt(element.getIntOrFloatBitWidth(), int64_t(number),
                        /*isSigned=*/true, /*implicitTrunc=*/true));
}

Num Emitter::constant(Type element, const APInt &number) {
  return splat(IntegerAttr::get(element, number));
}

Num Emitter::constant(Type element, const APFloat &number) {
  return splat(FloatAttr::get(element, number));
}

//===--- Operations -------------------------------------------------------===//

Num chlo::compare(Num x, Num y, stablehlo::ComparisonDirection direction) {
  ImplicitLocOpBuilder &b = x.emitter->builder;
  return x.emitter->num(stablehlo::CompareOp::create(
      b, x.type().clone(b.getI1Type()), x.value, y.value, direction,
      stablehlo::ComparisonTypeAttr()));
}

Num chlo::select(Num predicate, Num onTrue, Num onFalse) {
  return onTrue.emitter->num(stablehlo::SelectOp::create(
      onTrue.emitter->builder, onTrue.type(), predicate.value, onTrue.value,
      onFalse.value));
}

Num chlo::abs(Num x) {
  auto parts = dyn_cast<ComplexType>(x.element());
  return x.emitter->make<stablehlo::AbsOp>(
      parts ? parts.getElementType() : x.element(), {x});
}

static Type partOf(Num z) {
  return cast<ComplexType>(z.element()).getElementType();
}
Num chlo::real(Num z) {
  return z.emitter->make<stablehlo::RealOp>(partOf(z), {z});
}
Num chlo::imag(Num z) {
  return z.emitter->make<stablehlo::ImagOp>(partOf(z), {z});
}
Num chlo::complexOf(Num re, Num im) {
  return re.emitter->make<stablehlo::ComplexOp>(ComplexType::get(re.element()),
                                                {re, im});
}

Num chlo::convert(Num x, Type element) {
  if (x.element() == element)
    return x;
  return x.emitter->make<stablehlo::ConvertOp>(element, {x});
}

Num chlo::bitcast(Num x, Type element) {
  return x.emitter->make<stablehlo::BitcastConvertOp>(element, {x});
}

Num chlo::withSignOf(Num x, Num sign) {
  Type integer =
      x.emitter->builder.getIntegerType(sign.element().getIntOrFloatBitWidth());
  return select(bitcast(sign, integer) < 0.0, -x, x);
}

Num chlo::polynomial(Num x, ArrayRef<double> coefficients) {
  Num sum = constantLike(x, coefficients.front());
  for (double c : coefficients.drop_front())
    sum = sum * x + c;
  return sum;
}
