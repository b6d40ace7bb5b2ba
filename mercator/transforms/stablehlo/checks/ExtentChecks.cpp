// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/stablehlo/checks/ExtentChecks.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace mercator::stablehlo {

/// Element `i` of a vector of integers, as an index.
static Value readElement(ImplicitLocOpBuilder &b, Value vector, int64_t i) {
  RankedTensorType type = rankedType(vector);
  auto element = dyn_cast<IntegerType>(type.getElementType());
  if (element && !element.isSignless())
    vector = ConvertOp::create(
        b, RankedTensorType::get(type.getShape(), b.getI64Type()), vector);
  SmallVector<Value> at;
  if (type.getRank() == 1)
    at.push_back(indexConstant(b, i));
  return toIndex(b, tensor::ExtractOp::create(b, vector, at),
                 /*isUnsigned=*/false);
}

OpFoldResult ExtentChecks::read(EqualExtents::Id id) {
  if (std::optional<int64_t> value = known.constant(id))
    return number(*value);
  OpFoldResult &number = numbers[id];
  if (number)
    return number;
  ExtentSource source = known.source(id);
  if (source.isElement)
    return number = readElement(b, source.value, source.index);
  return number =
             tensor::DimOp::create(b, source.value, source.index).getResult();
}

OpFoldResult ExtentChecks::extent(Value tensor, int64_t dim) {
  return read(known.extent(tensor, dim));
}

Sizes ExtentChecks::extents(Value tensor) {
  Sizes sizes;
  for (int64_t i = 0; i < rankedType(tensor).getRank(); ++i)
    sizes.push_back(extent(tensor, i));
  return sizes;
}

OpFoldResult ExtentChecks::element(Value vector, int64_t i) {
  return read(known.element(vector, i));
}

Sizes ExtentChecks::elements(Value vector) {
  Sizes sizes;
  for (int64_t i = 0; i < rankedType(vector).getNumElements(); ++i)
    sizes.push_back(element(vector, i));
  return sizes;
}

void ExtentChecks::require(arith::CmpIPredicate predicate, OpFoldResult x,
                           OpFoldResult y, const Twine &expectation) {
  std::optional<int64_t> left = getConstantIntValue(x),
                         right = getConstantIntValue(y);
  bool isKnown =
      left && right
          ? arith::applyCmpPredicate(predicate, APInt(64, *left, true),
                                     APInt(64, *right, true))
          : x == y &&
                arith::applyCmpPredicate(predicate, APInt(64, 0), APInt(64, 0));
  if (isKnown)
    return;
  Value holds =
      arith::CmpIOp::create(b, predicate, valueOf(b, x), valueOf(b, y));
  cf::AssertOp::create(b, holds, b.getStringAttr(expectation));
}

void ExtentChecks::requireSame(Value x, int64_t i, Value y, int64_t j,
                               const Twine &expectation) {
  EqualExtents::Id left = known.extent(x, i), right = known.extent(y, j);
  if (left == right)
    return;
  requireEqual(read(left), read(right), expectation);
  known.unite(left, right);
}

void ExtentChecks::requireSameShape(Value x, Value y, const Twine &what) {
  if (rankedType(x).getRank() != rankedType(y).getRank())
    return;
  for (int64_t i = 0; i < rankedType(x).getRank(); ++i)
    requireSame(x, i, y, i,
                "expected " + what + " of the same extent in dimension " +
                    Twine(i));
}

void ExtentChecks::requireShape(Value vector) {
  for (int64_t i = 0; i < rankedType(vector).getNumElements(); ++i)
    if (EqualExtents::Id id = known.element(vector, i); !known.isExtent(id))
      requireAtMost(number(0), read(id),
                    "expected a shape of extents of at least 0");
}

void ExtentChecks::requireResult(Value result, int64_t dim,
                                 function_ref<OpFoldResult()> computed) {
  if (rankedType(result).isDynamicDim(dim))
    return;
  requireEqual(number(rankedType(result).getDimSize(dim)), computed(),
               "expected a result of the declared extent in dimension " +
                   Twine(dim));
}

void ExtentChecks::requireResult(Value result, int64_t dim, Value like,
                                 int64_t dimOfLike) {
  requireResult(result, dim, [&] { return extent(like, dimOfLike); });
}

} // namespace mercator::stablehlo
