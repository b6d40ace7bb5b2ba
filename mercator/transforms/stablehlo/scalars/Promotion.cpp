// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/scalars/Promotion.h"
#include "mercator/transforms/stablehlo/lowering/Builders.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"

using namespace mlir;

namespace mercator::stablehlo {

static Value toInteger(ImplicitLocOpBuilder &b, Value number, Kind from,
                       Type to, bool toUnsigned) {
  if (from == Kind::Real)
    return toUnsigned ? Value(arith::FPToUIOp::create(b, to, number))
                      : Value(arith::FPToSIOp::create(b, to, number));
  unsigned own = number.getType().getIntOrFloatBitWidth(),
           width = to.getIntOrFloatBitWidth();
  if (own == width)
    return number;
  if (own > width)
    return arith::TruncIOp::create(b, to, number);
  return from == Kind::SignedInt ? Value(arith::ExtSIOp::create(b, to, number))
                                 : Value(arith::ExtUIOp::create(b, to, number));
}

static Value toReal(ImplicitLocOpBuilder &b, Value number, Kind from, Type to) {
  if (from == Kind::SignedInt)
    return arith::SIToFPOp::create(b, to, number);
  if (from != Kind::Real)
    return arith::UIToFPOp::create(b, to, number);
  if (number.getType() == to)
    return number;
  unsigned own = number.getType().getIntOrFloatBitWidth(),
           width = to.getIntOrFloatBitWidth();
  // Two formats of one width, such as f16 and bf16.
  if (own == width)
    number = arith::ExtFOp::create(b, b.getF32Type(), number);
  return own < width ? Value(arith::ExtFOp::create(b, to, number))
                     : Value(arith::TruncFOp::create(b, to, number));
}

Value promoteNumber(ImplicitLocOpBuilder &b, Value number, Type from, Type to) {
  Kind kind = kindOf(from);
  Type type = loweredElement(to);
  switch (kindOf(to)) {
  case Kind::Boolean:
    if (kind != Kind::Real)
      return number;
    return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, number,
                                 zero(b, number.getType()));
  case Kind::SignedInt:
  case Kind::UnsignedInt:
    return toInteger(b, number, kind, type, kindOf(to) == Kind::UnsignedInt);
  case Kind::Real:
    return toReal(b, number, kind, type);
  case Kind::Complex: {
    if (number.getType() == type)
      return number;
    Type part = cast<ComplexType>(type).getElementType();
    if (kind != Kind::Complex)
      return complex::CreateOp::create(b, type, toReal(b, number, kind, part),
                                       zero(b, part));
    Value re = complex::ReOp::create(b, number),
          im = complex::ImOp::create(b, number);
    return complex::CreateOp::create(b, type, toReal(b, re, Kind::Real, part),
                                     toReal(b, im, Kind::Real, part));
  }
  }
  llvm_unreachable("all kinds are handled");
}

Value promoteTensor(ImplicitLocOpBuilder &b, Value tensor, Type from, Type to) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Type element = loweredElement(to);
  if (type.getElementType() == element && kindOf(from) == kindOf(to))
    return tensor;
  return computeEach(b, type.clone(element), tensor,
                     [&](ImplicitLocOpBuilder &inside, ValueRange numbers) {
                       return Values{
                           promoteNumber(inside, numbers[0], from, to)};
                     });
}

bool isQuantized(Operation *op) {
  auto quantized = [](Type type) {
    auto tensor = dyn_cast<ShapedType>(type);
    return tensor && isa<quant::QuantizedType>(tensor.getElementType());
  };
  if (llvm::any_of(op->getOperandTypes(), quantized) ||
      llvm::any_of(op->getResultTypes(), quantized))
    return true;
  return llvm::any_of(op->getRegions(), [&](Region &region) {
    return llvm::any_of(region.getArgumentTypes(), quantized);
  });
}

} // namespace mercator::stablehlo
