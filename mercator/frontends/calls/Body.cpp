// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/frontends/calls/Body.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::calls;
using llvm::ArrayRef;
using llvm::StringRef;

Value Body::create(StringRef name, ValueRange operands, Type result) {
  OperationState state(loc, name);
  state.addOperands(operands);
  state.addTypes(result);
  return b.create(state)->getResult(0);
}

Value Body::cast(Value value, Type element) {
  if (elementOf(value) == element)
    return value;
  return stablehlo::ConvertOp::create(b, loc, typeOf(value).clone(element),
                                      value);
}

Value Body::as(Value value, RankedTensorType type) {
  value = cast(value, type.getElementType());
  if (value.getType() == type)
    return value;
  return hlo::CopyOp::create(b, loc, type, value);
}

Value Body::number(double number, RankedTensorType type) {
  Type element = type.getElementType();
  auto scalar = RankedTensorType::get({}, element);
  DenseElementsAttr value;
  auto toFloat = [&](FloatType type) {
    llvm::APFloat real(number);
    bool lost;
    real.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                 &lost);
    return real;
  };
  if (auto complex = dyn_cast<ComplexType>(element)) {
    auto part = llvm::cast<FloatType>(complex.getElementType());
    std::complex<llvm::APFloat> whole(
        toFloat(part), llvm::APFloat::getZero(part.getFloatSemantics()));
    value = DenseElementsAttr::get(scalar, ArrayRef(whole));
  } else if (auto real = dyn_cast<FloatType>(element)) {
    value = DenseElementsAttr::get(scalar, toFloat(real));
  } else {
    value = DenseElementsAttr::get(
        scalar, llvm::APInt(element.getIntOrFloatBitWidth(), int64_t(number),
                            /*isSigned=*/true, /*implicitTrunc=*/true));
  }
  return spread(stablehlo::ConstantOp::create(b, loc, scalar, value), type, {});
}

Value Body::number(double value, Value like) {
  return number(value, typeOf(like));
}

Value Body::spread(Value value, RankedTensorType to, ArrayRef<int64_t> dims) {
  if (value.getType() == to && dims.empty())
    return value;
  return stablehlo::BroadcastInDimOp::create(b, loc, to, value, dims);
}

Value Body::reshape(Value value, ArrayRef<int64_t> sizes) {
  return stablehlo::ReshapeOp::create(
      b, loc, RankedTensorType::get(sizes, elementOf(value)), value);
}

Value Body::transpose(Value value, ArrayRef<int64_t> order) {
  llvm::SmallVector<int64_t> sizes;
  for (int64_t dim : order)
    sizes.push_back(typeOf(value).getDimSize(unsigned(dim)));
  return stablehlo::TransposeOp::create(
      b, loc, RankedTensorType::get(sizes, elementOf(value)), value, order);
}

Value Body::reverse(Value value, ArrayRef<int64_t> dims) {
  if (dims.empty())
    return value;
  return stablehlo::ReverseOp::create(b, loc, typeOf(value), value, dims);
}

Value Body::iota(RankedTensorType type, int64_t dim) {
  return stablehlo::IotaOp::create(b, loc, type, dim);
}

Value Body::compare(Value left, Value right,
                    stablehlo::ComparisonDirection direction) {
  return stablehlo::CompareOp::create(
      b, loc, typeOf(left).clone(b.getI1Type()), left, as(right, typeOf(left)),
      stablehlo::ComparisonDirectionAttr::get(b.getContext(), direction),
      stablehlo::ComparisonTypeAttr());
}

Value Body::select(Value which, Value left, Value right) {
  return stablehlo::SelectOp::create(
      b, loc, left.getType(), as(which, typeOf(left).clone(b.getI1Type())),
      left, as(right, typeOf(left)));
}

Value Body::saturate(Value value, Type element) {
  double most = llvm::APFloat::getLargest(
                    llvm::cast<FloatType>(element).getFloatSemantics())
                    .convertToDouble();
  value = binary<stablehlo::MaxOp>(value, number(-most, value));
  value = binary<stablehlo::MinOp>(value, number(most, value));
  return cast(value, element);
}

Value Body::saturateInteger(Value value, Type element) {
  if (!element.isInteger(8) || !isa<FloatType>(elementOf(value)))
    return value;
  value = binary<stablehlo::MaxOp>(value, number(-128, value));
  value = binary<stablehlo::MinOp>(value, number(127, value));
  return cast(unary<stablehlo::RoundNearestEvenOp>(value), element);
}

Value Body::reduceBy(StringRef name, Value value, ArrayRef<int64_t> dims,
                     double identity) {
  auto scalar = RankedTensorType::get({}, elementOf(value));
  llvm::SmallVector<int64_t> sizes;
  for (auto [dim, size] : llvm::enumerate(typeOf(value).getShape()))
    if (!llvm::is_contained(dims, int64_t(dim)))
      sizes.push_back(size);
  auto op = stablehlo::ReduceOp::create(
      b, loc, TypeRange(RankedTensorType::get(sizes, elementOf(value))),
      ValueRange(value), ValueRange(number(identity, scalar)), dims);
  Block &block = op.getBody().emplaceBlock();
  block.addArguments({scalar, scalar}, {loc, loc});
  Body inner(OpBuilder::atBlockEnd(&block), loc);
  Value folded = inner.create(name, block.getArguments(), scalar);
  stablehlo::ReturnOp::create(inner.b, loc, folded);
  return op->getResult(0);
}
