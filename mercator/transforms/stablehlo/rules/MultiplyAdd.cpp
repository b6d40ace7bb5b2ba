// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/rules/MultiplyAdd.h"
#include "mercator/dialects/stablehlo/DotAlgorithms.h"
#include "mercator/transforms/stablehlo/lowering/Builders.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"
#include "mercator/transforms/stablehlo/scalars/Promotion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace mercator::stablehlo {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static bool becomes(Kind from, Kind to) {
  switch (to) {
  case Kind::Boolean:
    return from == Kind::Boolean;
  case Kind::SignedInt:
  case Kind::UnsignedInt:
    return from != Kind::Real && from != Kind::Complex;
  case Kind::Real:
    return from != Kind::Complex;
  case Kind::Complex:
    return from == Kind::Real || from == Kind::Complex;
  }
  llvm_unreachable("all kinds are handled");
}

/// Whether the algorithm takes the operands as they are.
static bool isPlain(DotAlgorithmAttr algorithm, Type lhs, Type rhs) {
  return componentsOf(algorithm) == 1 &&
         algorithm.getLhsPrecisionType() == lhs &&
         algorithm.getRhsPrecisionType() == rhs;
}

FailureOr<MultiplyAdd>
MultiplyAdd::make(Lowering &l, Type lhs, Type rhs, Type result,
                  std::optional<DotAlgorithmAttr> algorithm) {
  if (isQuantized(l.op))
    return l.refuse("its elements are quantized");
  MultiplyAdd step;
  step.lhs = lhs;
  step.rhs = rhs;
  step.result = result;
  step.accumulator = result;
  Kind kind = kindOf(result);
  if (!becomes(kindOf(lhs), kind) || !becomes(kindOf(rhs), kind))
    return l.refuse("products of these element types have no meaning in that "
                    "of the result");
  if (kind == Kind::Real && result.getIntOrFloatBitWidth() < 32)
    step.accumulator = l.b.getF32Type();
  if (!algorithm)
    return step;
  if (kind == Kind::Complex || kindOf(lhs) == Kind::Complex ||
      kindOf(rhs) == Kind::Complex)
    return l.refuse("it has an algorithm for floats and complex operands");
  step.accumulator = algorithm->getAccumulationType();
  if (!isPlain(*algorithm, lhs, rhs))
    step.algorithm = algorithm;
  return step;
}

Type MultiplyAdd::sumType() const { return loweredElement(accumulator); }

std::optional<linalg::TypeFn> MultiplyAdd::namedForm() const {
  if (algorithm)
    return std::nullopt;
  bool isSigned = false, isUnsignedToo = false;
  Kind kind = kindOf(accumulator);
  for (Type operand : {lhs, rhs}) {
    Type type = loweredElement(operand);
    if (type == sumType())
      continue;
    switch (kindOf(operand)) {
    case Kind::Boolean:
    case Kind::UnsignedInt:
      isUnsignedToo = true;
      break;
    case Kind::SignedInt:
      isSigned = true;
      break;
    case Kind::Real:
      // The product of wider numbers is rounded, not the numbers.
      if (kind != Kind::Real ||
          type.getIntOrFloatBitWidth() >= sumType().getIntOrFloatBitWidth())
        return std::nullopt;
      break;
    case Kind::Complex:
      return std::nullopt;
    }
    if (kind == Kind::Complex)
      return std::nullopt;
  }
  if (isSigned && isUnsignedToo)
    return std::nullopt;
  return isUnsignedToo ? linalg::TypeFn::cast_unsigned
                       : linalg::TypeFn::cast_signed;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value MultiplyAdd::multiply(ImplicitLocOpBuilder &b, Value x, Value y) const {
  switch (kindOf(accumulator)) {
  case Kind::Boolean:
    return arith::AndIOp::create(b, x, y);
  case Kind::SignedInt:
  case Kind::UnsignedInt:
    return arith::MulIOp::create(b, x, y);
  case Kind::Real:
    return arith::MulFOp::create(b, x, y);
  case Kind::Complex:
    return complex::MulOp::create(b, x, y);
  }
  llvm_unreachable("all kinds are handled");
}

Value MultiplyAdd::add(ImplicitLocOpBuilder &b, Value x, Value y) const {
  switch (kindOf(accumulator)) {
  case Kind::Boolean:
    return arith::OrIOp::create(b, x, y);
  case Kind::SignedInt:
  case Kind::UnsignedInt:
    return arith::AddIOp::create(b, x, y);
  case Kind::Real:
    return arith::AddFOp::create(b, x, y);
  case Kind::Complex:
    return complex::AddOp::create(b, x, y);
  }
  llvm_unreachable("all kinds are handled");
}

/// The type of products of floats: the widest of the operands and the sum.
static Type productType(Type lhs, Type rhs, Type accumulator) {
  Type widest = accumulator;
  for (Type type : {lhs, rhs})
    if (isa<FloatType>(type) &&
        type.getIntOrFloatBitWidth() > widest.getIntOrFloatBitWidth())
      widest = type;
  return widest;
}

Value MultiplyAdd::emit(ImplicitLocOpBuilder &b, Value x, Value y,
                        Value sum) const {
  if (algorithm)
    return emitByAlgorithm(b, x, y, sum);
  Type type = kindOf(accumulator) == Kind::Real
                  ? productType(lhs, rhs, accumulator)
                  : accumulator;
  Value product = multiply(b, promoteNumber(b, x, lhs, type),
                           promoteNumber(b, y, rhs, type));
  return add(b, sum, promoteNumber(b, product, type, accumulator));
}

Value MultiplyAdd::emitSum(ImplicitLocOpBuilder &b, Value x, Value sum) const {
  return add(b, sum, promoteNumber(b, x, lhs, accumulator));
}

Value MultiplyAdd::toResult(ImplicitLocOpBuilder &b, Value sums) const {
  return promoteTensor(b, sums, accumulator, result);
}

//===----------------------------------------------------------------------===//
// Algorithms
//===----------------------------------------------------------------------===//

/// An f32 rounded to the 10 bits of mantissa of TensorFloat-32, to nearest
/// even. Arithmetic has no operations on that type.
static Value roundToTF32(ImplicitLocOpBuilder &b, Value x) {
  Type i32 = b.getI32Type();
  Value bits = arith::BitcastOp::create(b, i32, x);
  Value last = arith::AndIOp::create(
      b, arith::ShRUIOp::create(b, bits, integer(b, i32, 13)),
      integer(b, i32, 1));
  Value half = arith::AddIOp::create(b, last, integer(b, i32, 0xfff));
  Value rounded = arith::AndIOp::create(b, arith::AddIOp::create(b, bits, half),
                                        integer(b, i32, ~int64_t(0x1fff)));
  Value isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
  return arith::SelectOp::create(
      b, isNan, x, arith::BitcastOp::create(b, x.getType(), rounded));
}

/// A float rounded to a type, in its own type.
static Value roundTo(ImplicitLocOpBuilder &b, Value x, Type type) {
  Type own = x.getType(), f32 = b.getF32Type();
  if (isa<FloatTF32Type>(type))
    return promoteNumber(b, roundToTF32(b, promoteNumber(b, x, own, f32)), f32,
                         own);
  if (type.getIntOrFloatBitWidth() >= own.getIntOrFloatBitWidth())
    return x;
  return promoteNumber(b, promoteNumber(b, x, own, type), type, own);
}

/// The number of the type's range nearest to a finite number.
static Value clampTo(ImplicitLocOpBuilder &b, Value x, Type type) {
  double largest =
      llvm::APFloat::getLargest(cast<FloatType>(type).getFloatSemantics())
          .convertToDouble();
  auto number = [&](double value) {
    return arith::ConstantOp::create(b, b.getFloatAttr(x.getType(), value));
  };
  Value inside = arith::MaximumFOp::create(
      b, arith::MinimumFOp::create(b, x, number(largest)), number(-largest));
  return arith::SelectOp::create(b, math::IsFiniteOp::create(b, x), inside, x);
}

/// Splits a number into `count` parts of a type; each part is the rounded
/// remainder of the parts before. A finite number has finite parts.
static Values split(ImplicitLocOpBuilder &b, Value x, Type type,
                    int64_t count) {
  Values parts;
  for (int64_t i = 0; i < count; ++i) {
    parts.push_back(
        roundTo(b, i == 0 && count > 1 ? clampTo(b, x, type) : x, type));
    if (i + 1 < count)
      x = arith::SubFOp::create(b, x, parts.back());
  }
  return parts;
}

// The largest products of parts are summed, the smallest first. Products of
// parts are exact in f32 for all algorithms with several parts. If the operands
// are not finite, only the first product counts, as in XLA: the others are NaN.
Value MultiplyAdd::emitByAlgorithm(ImplicitLocOpBuilder &b, Value x, Value y,
                                   Value sum) const {
  Type type = b.getF32Type();
  for (Type other : {lhs, rhs, accumulator, algorithm->getLhsPrecisionType(),
                     algorithm->getRhsPrecisionType()})
    if (other.isF64())
      type = other;
  Values xs = split(b, promoteNumber(b, x, lhs, type),
                    algorithm->getLhsPrecisionType(), componentsOf(*algorithm));
  Values ys = split(b, promoteNumber(b, y, rhs, type),
                    algorithm->getRhsPrecisionType(), componentsOf(*algorithm));
  Values products;
  for (size_t order = 0; order < xs.size() + ys.size() - 1; ++order)
    for (size_t i = 0; i <= order; ++i)
      if (i < xs.size() && order - i < ys.size() &&
          int64_t(products.size()) < algorithm->getNumPrimitiveOperations())
        products.push_back(arith::MulFOp::create(b, xs[i], ys[order - i]));
  Value total = products.pop_back_val();
  while (products.size() > 1)
    total = arith::AddFOp::create(b, total, products.pop_back_val());
  if (!products.empty()) {
    Value rest = arith::SelectOp::create(
        b, math::IsFiniteOp::create(b, total), total,
        arith::ConstantOp::create(b, b.getZeroAttr(type)));
    total = arith::AddFOp::create(b, products.front(), rest);
  }
  return add(b, sum, promoteNumber(b, total, type, accumulator));
}

} // namespace mercator::stablehlo
