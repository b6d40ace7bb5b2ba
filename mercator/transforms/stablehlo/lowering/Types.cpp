// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/lowering/Types.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"

using namespace mlir;

namespace mercator::stablehlo {

Type loweredElement(Type element) {
  if (auto quantized = dyn_cast<quant::QuantizedType>(element))
    element = quantized.getStorageType();
  auto integer = dyn_cast<IntegerType>(element);
  return integer && !integer.isSignless()
             ? IntegerType::get(element.getContext(), integer.getWidth())
             : element;
}

RankedTensorType loweredTensor(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(),
                               loweredElement(tensor.getElementType()));
}

void lowerType(Type type, SmallVectorImpl<Type> &into) {
  if (isa<TokenType>(type))
    return;
  if (auto tuple = dyn_cast<TupleType>(type)) {
    for (Type part : tuple.getTypes())
      lowerType(part, into);
    return;
  }
  if (auto future = dyn_cast<FutureType>(type)) {
    for (Type part : future.getTypes())
      lowerType(part, into);
    return;
  }
  if (isa<RankedTensorType>(type))
    into.push_back(loweredTensor(type));
  else
    into.push_back(type);
}

SmallVector<Type> lowerTypes(TypeRange types) {
  SmallVector<Type> lowered;
  for (Type type : types)
    lowerType(type, lowered);
  return lowered;
}

Kind kindOf(Type element) {
  if (auto quantized = dyn_cast<quant::QuantizedType>(element))
    return quantized.isSigned() ? Kind::SignedInt : Kind::UnsignedInt;
  if (isa<ComplexType>(element))
    return Kind::Complex;
  if (isa<FloatType>(element))
    return Kind::Real;
  if (element.isInteger(1))
    return Kind::Boolean;
  return element.isUnsignedInteger() ? Kind::UnsignedInt : Kind::SignedInt;
}

Kind kindOf(Value tensor) {
  return kindOf(cast<ShapedType>(tensor.getType()).getElementType());
}

bool isUnsigned(Type element) {
  Kind kind = kindOf(element);
  return kind == Kind::Boolean || kind == Kind::UnsignedInt;
}

} // namespace mercator::stablehlo
