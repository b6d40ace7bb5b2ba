// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the elementwise operations, beyond the checks of their traits.

#include "mercator/dialects/stablehlo/Verify.h"

using namespace mlir;
using namespace mercator::stablehlo;

//===----------------------------------------------------------------------===//
// No operands
//===----------------------------------------------------------------------===//

// (constant C1)
LogicalResult ConstantOp::verify() {
  auto value = dyn_cast<RankedTensorType>(getValue().getType());
  if (!value)
    return emitOpError() << "expected a value of tensor type, got "
                         << getValue().getType();
  if (failed(expectShape(*this, "result", getType(), value.getShape())))
    return failure();
  // The elements of a quantized constant are written as stored values, those of
  // `u8` as i8 or as ui8.
  Type element = getType().getElementType(), got = value.getElementType();
  auto quantized = dyn_cast<quant::QuantizedType>(element);
  Type stored = quantized ? quantized.getStorageType() : element;
  bool written = quantized &&
                 got.isInteger(quantized.getStorageTypeIntegralWidth()) &&
                 (got.isSignlessInteger() ||
                  (got.isUnsignedInteger() && !quantized.isSigned()));
  if (got != element && !written)
    return emitOpError() << "expected a value of element type " << stored
                         << ", got " << got;
  return success();
}

// (iota C1)
LogicalResult IotaOp::verify() {
  return expectDims(*this, "iota dimension", {int64_t(getIotaDimension())},
                    getType().getRank());
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

/// The type of the parts of a complex element; other types unchanged.
static Type partOf(Type element) {
  auto complex = dyn_cast<ComplexType>(element);
  return complex ? complex.getElementType() : element;
}
static LogicalResult verifyPart(Operation *op, RankedTensorType operand,
                                RankedTensorType result) {
  Type part = partOf(operand.getElementType());
  return expectElement(op, "result", result, RankedTensorType::get({}, part));
}

// (abs C2)
LogicalResult AbsOp::verify() {
  return verifyPart(*this, getOperand().getType(), getType());
}
// (real C2)
LogicalResult RealOp::verify() {
  return verifyPart(*this, getOperand().getType(), getType());
}
// (imag C2)
LogicalResult ImagOp::verify() {
  return verifyPart(*this, getOperand().getType(), getType());
}

LogicalResult ReducePrecisionOp::verify() {
  return failure(
      // (reduce_precision C2)
      failed(expectAtLeast(*this, "exponent bits", {int32_t(getExponentBits())},
                           1)) ||
      // (reduce_precision C3)
      failed(expectAtLeast(*this, "mantissa bits", {int32_t(getMantissaBits())},
                           0)));
}

static Type expressedOf(Type element) {
  auto quantized = dyn_cast<quant::QuantizedType>(element);
  return quantized ? quantized.getExpressedType() : element;
}

// (uniform_quantize C2)
LogicalResult UniformQuantizeOp::verify() {
  Type from = expressedOf(getOperand().getType().getElementType()),
       to = expressedOf(getType().getElementType());
  if (from == to)
    return success();
  return emitOpError() << "expected a result that expresses " << from
                       << ", got one that expresses " << to;
}

// (uniform_dequantize C2)
LogicalResult UniformDequantizeOp::verify() {
  return expectSameElement(
      *this, "result", getType(),
      expressedOf(getOperand().getType().getElementType()));
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

/// The dimension of a per-axis quantization; nothing for a single scale.
static std::optional<int64_t> quantizedDimension(Type element) {
  if (auto axis = dyn_cast<quant::UniformQuantizedPerAxisType>(element))
    return axis.getQuantizedDimension();
  return std::nullopt;
}

LogicalResult AddOp::verify() {
  RankedTensorType result = getType();
  std::pair<StringRef, Type> operands[] = {
      {"lhs", getLhs().getType().getElementType()},
      {"rhs", getRhs().getType().getElementType()}};
  Type element = result.getElementType();
  auto quantized = dyn_cast<quant::QuantizedType>(element);
  bool perAxis = false;
  for (auto [name, operand] : operands) {
    auto type = dyn_cast<quant::QuantizedType>(operand);
    // (add C2)
    if (bool(type) != bool(quantized))
      return emitOpError()
             << "expected all operands and the result quantized or none, got "
             << name << " of element type " << operand << " and a result of "
             << element;
    // (add C1)
    if (!quantized && operand != element)
      return emitOpError() << "expected " << name << " of element type "
                           << element << " as the result has, got " << operand;
    if (!quantized)
      continue;
    // (add C3)
    if (!storedAlike(type, quantized))
      return emitOpError() << "expected " << name
                           << " with the storage type of the result, "
                           << element << ", got " << operand;
    // (add C4)
    if (type.getExpressedType() != quantized.getExpressedType())
      return emitOpError() << "expected " << name << " that expresses "
                           << quantized.getExpressedType()
                           << ", got one that expresses "
                           << type.getExpressedType();
    perAxis |= quantizedDimension(operand).has_value();
  }
  std::optional<int64_t> dim = quantizedDimension(element);
  // (add C5)
  if (perAxis != dim.has_value())
    return emitOpError() << "expected a result quantized per axis exactly "
                            "if an operand is, got "
                         << element;
  // (add C6), (add C7)
  for (auto [name, operand] : operands)
    if (std::optional<int64_t> theirs = quantizedDimension(operand);
        theirs && *theirs != *dim)
      return emitOpError() << "expected " << name
                           << " quantized along dimension " << *dim
                           << " as the result is, got " << *theirs;
  return success();
}

LogicalResult ComplexOp::verify() {
  Type part = getLhs().getType().getElementType();
  return failure(
      // (complex C1)
      failed(expectSameElement(*this, "rhs", getRhs().getType(), part)) ||
      // (complex C3)
      failed(expectSameElement(*this, "result", getType(),
                               ComplexType::get(part))));
}

LogicalResult CompareOp::verify() {
  auto lhs = getLhs().getType();
  // (compare C1)
  if (failed(expectElement(*this, "rhs", getRhs().getType(), lhs)))
    return failure();
  // (compare C3); NOTYPE and a missing type mean the type that fits.
  ComparisonType type = getCompareType().value_or(ComparisonType::NOTYPE);
  Type element = lhs.getElementType();
  bool fits;
  if (element.isInteger(1) || element.isUnsignedInteger())
    fits = type == ComparisonType::UNSIGNED;
  else if (isa<IntegerType>(element))
    fits = type == ComparisonType::SIGNED;
  else if (isa<ComplexType>(element))
    fits = type == ComparisonType::FLOAT;
  else if (isa<FloatType>(element))
    fits = type == ComparisonType::FLOAT || type == ComparisonType::TOTALORDER;
  else
    fits = true; // quantized: compares expressed or stored values
  if (fits || type == ComparisonType::NOTYPE)
    return success();
  return emitOpError() << "expected a comparison type for elements of "
                       << element << ", got " << stringifyComparisonType(type);
}

//===----------------------------------------------------------------------===//
// Three operands
//===----------------------------------------------------------------------===//

// (select C2)
LogicalResult SelectOp::verify() {
  return failure(failed(expectElement(*this, "on_true", getOnTrue().getType(),
                                      getType())) ||
                 failed(expectElement(*this, "on_false", getOnFalse().getType(),
                                      getType())));
}

LogicalResult ClampOp::verify() {
  auto operand = getOperand().getType();
  return failure(
      // (clamp C3)
      failed(expectElement(*this, "min", getMin().getType(), operand)) ||
      failed(expectElement(*this, "max", getMax().getType(), operand)) ||
      // (clamp C4)
      failed(expectElement(*this, "result", getType(), operand)) ||
      failed(expectExtents(*this, "result", getType(), extentsOf(operand))));
}
