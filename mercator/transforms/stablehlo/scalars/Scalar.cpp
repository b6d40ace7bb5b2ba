// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which operations are elementwise, and the pieces that their families share.

#include "mercator/transforms/stablehlo/scalars/Scalar.h"

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/transforms/stablehlo/scalars/Quantize.h"
#include "mercator/transforms/stablehlo/scalars/ScalarFamilies.h"

#include <cmath>

using namespace mlir;

namespace mercator::stablehlo {

/// The bits of an element after lowering.
static unsigned widthOf(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * complex.getElementType().getIntOrFloatBitWidth();
  return loweredElement(element).getIntOrFloatBitWidth();
}

bool hasScalarForm(Operation *op) {
  if (auto bitcast = dyn_cast<BitcastConvertOp>(op))
    return widthOf(elementOf(bitcast.getOperand())) ==
           widthOf(elementOf(bitcast.getResult()));
  if (isa<UniformQuantizeOp>(op))
    return isa<quant::UniformQuantizedType>(elementOf(op->getResult(0)));
  if (isa<UniformDequantizeOp>(op))
    return isa<quant::UniformQuantizedType>(elementOf(op->getOperand(0)));
  return isa<AbsOp, AddOp, AndOp, Atan2Op, CbrtOp, CeilOp, ClampOp, ClzOp,
             CompareOp, ComplexOp, ConvertOp, CosineOp, DivOp, ExpOp, Expm1Op,
             FloorOp, ImagOp, IsFiniteOp, Log1pOp, LogOp, LogisticOp, MaxOp,
             MinOp, MulOp, NegOp, NotOp, OrOp, PopulationCountOp, PowOp, RealOp,
             ReducePrecisionOp, RemOp, RoundNearestEvenOp, RoundOp, RsqrtOp,
             SelectOp, ShiftLeftOp, ShiftRightArithmeticOp, ShiftRightLogicalOp,
             SignOp, SineOp, SqrtOp, SubtractOp, TanOp, TanhOp, XorOp,
             chlo::ErfOp, chlo::ErfcOp>(op);
}

FailureOr<Value> emitScalar(ImplicitLocOpBuilder &b, Operation *op,
                            ValueRange x) {
  if (auto quantize = dyn_cast<UniformQuantizeOp>(op))
    return emitQuantize(b, Quantization(elementOf(quantize.getResult())), x[0]);
  if (auto dequantize = dyn_cast<UniformDequantizeOp>(op))
    return emitDequantize(b, Quantization(elementOf(dequantize.getOperand())),
                          x[0]);
  unsigned deciding = isa<SelectOp, ClampOp>(op) ? 1 : 0;
  ScalarCall call{b,
                  op,
                  x,
                  kindOf(op->getOperand(deciding)),
                  x[deciding].getType(),
                  loweredElement(elementOf(op->getResult(0)))};
  for (auto family :
       {families::arithmetic, families::bits, families::comparison,
        families::conversion, families::transcendental})
    if (Value result = family(call))
      return result;
  return LogicalResult(op->emitOpError("cannot be lowered to linalg: it is not "
                                       "defined for elements of type ")
                       << elementOf(op->getOperand(deciding)));
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

Value realConstant(ImplicitLocOpBuilder &b, Type type, double value) {
  if (!isa<Float8E8M0FNUType>(type))
    return number(b, type, value);
  return arith::TruncFOp::create(b, type, number(b, b.getF32Type(), value));
}

Value atLeastF32(ImplicitLocOpBuilder &b, Value x) {
  if (isa<Float8E8M0FNUType>(x.getType()))
    return arith::ExtFOp::create(b, b.getF64Type(), x);
  return x.getType().getIntOrFloatBitWidth() < 32
             ? Value(arith::ExtFOp::create(b, b.getF32Type(), x))
             : x;
}

Value toReal(ImplicitLocOpBuilder &b, Value x, Type type) {
  if (x.getType() == type)
    return x;
  unsigned from = x.getType().getIntOrFloatBitWidth(),
           to = type.getIntOrFloatBitWidth();
  if (from > to)
    return arith::TruncFOp::create(b, type, x);
  // f32 has all values of the narrower types, which may not have those of each
  // other.
  if (from < to &&
      (to >= 32 || llvm::APFloat::isRepresentableBy(
                       cast<FloatType>(x.getType()).getFloatSemantics(),
                       cast<FloatType>(type).getFloatSemantics())))
    return arith::ExtFOp::create(b, type, x);
  return arith::TruncFOp::create(b, type, atLeastF32(b, x));
}

Value toInteger(ImplicitLocOpBuilder &b, Value x, Type type, bool isUnsigned) {
  x = atLeastF32(b, x);
  int digits = int(type.getIntOrFloatBitWidth()) - (isUnsigned ? 0 : 1);
  double least = isUnsigned ? 0 : -std::ldexp(1, digits);
  Value raised = arith::MaximumFOp::create(b, x, number(b, x.getType(), least));
  // One above the highest value is a power of two, hence a float.
  Value beyond = number(b, x.getType(), std::ldexp(1, digits));
  Value outside = compareReals(b, arith::CmpFPredicate::UGE, raised, beyond);
  Value inside = choose(b, outside, number(b, x.getType(), 0), raised);
  Value whole = isUnsigned ? Value(arith::FPToUIOp::create(b, type, inside))
                           : Value(arith::FPToSIOp::create(b, type, inside));
  auto bits =
      APInt::getLowBitsSet(type.getIntOrFloatBitWidth(), unsigned(digits));
  Value highest = arith::ConstantOp::create(b, b.getIntegerAttr(type, bits));
  return choose(b, compareReals(b, arith::CmpFPredicate::OGE, raised, beyond),
                highest, whole);
}

Value compareInts(ImplicitLocOpBuilder &b, arith::CmpIPredicate predicate,
                  Value x, Value y) {
  return b.createOrFold<arith::CmpIOp>(predicate, x, y);
}

Value compareReals(ImplicitLocOpBuilder &b, arith::CmpFPredicate predicate,
                   Value x, Value y) {
  return arith::CmpFOp::create(b, predicate, x, y);
}

Value choose(ImplicitLocOpBuilder &b, Value condition, Value onTrue,
             Value onFalse) {
  return b.createOrFold<arith::SelectOp>(condition, onTrue, onFalse);
}

static Type partOf(Value z) {
  return cast<ComplexType>(z.getType()).getElementType();
}
Value realPart(ImplicitLocOpBuilder &b, Value z) {
  return b.createOrFold<complex::ReOp>(partOf(z), z);
}
Value imaginaryPart(ImplicitLocOpBuilder &b, Value z) {
  return b.createOrFold<complex::ImOp>(partOf(z), z);
}
Value complexOf(ImplicitLocOpBuilder &b, Value re, Value im) {
  return b.createOrFold<complex::CreateOp>(ComplexType::get(re.getType()), re,
                                           im);
}

} // namespace mercator::stablehlo
