// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sorts: CUB, and XLA's own kernel of the largest elements.

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/frontends/calls/Body.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::calls;

/// Rows are sorted by keys; values move with their keys, and equal keys keep their
/// order. Floats are ordered by their bits, but for -0, which equals 0.
bool calls::readSort(Reader &call) {
  Body &body = call.body;
  size_t count = call.operands.size();
  if (count < 1 || count > 2 || call.types.size() < count)
    return call.unknown("it has no keys, or more than values beside them");
  RankedTensorType keys = typeOf(call.operands[0]);
  if (keys.getRank() < 1 || isa<ComplexType>(keys.getElementType()))
    return call.unknown("it is not of rows of numbers");
  bool isFloat = isa<FloatType>(keys.getElementType());
  if (isFloat && keys.getElementTypeBitWidth() < 16)
    return call.unknown("CUB has no keys of this type");
  llvm::SmallVector<Type> types;
  for (size_t i = 0; i < count; ++i)
    types.push_back(call.types[i]);
  auto sort = stablehlo::SortOp::create(
      body.b, body.loc, types, call.operands,
      /*dimension=*/hlo::minorToMajor(keys).front(), /*is_stable=*/true);
  Block &block = sort.getComparator().emplaceBlock();
  for (Value operand : call.operands)
    for (int side = 0; side < 2; ++side)
      block.addArgument(RankedTensorType::get({}, elementOf(operand)),
                        body.loc);
  Body inner(OpBuilder::atBlockEnd(&block), body.loc);
  using namespace stablehlo;
  auto keyOf = [&](Value key) {
    Value zero = inner.number(0, key);
    return isFloat
               ? inner.select(inner.compare(key, zero, ComparisonDirection::EQ),
                              zero, key)
               : key;
  };
  Value isFirst = CompareOp::create(
      inner.b, body.loc, RankedTensorType::get({}, inner.b.getI1Type()),
      keyOf(block.getArgument(0)), keyOf(block.getArgument(1)),
      ComparisonDirectionAttr::get(inner.b.getContext(),
                                   call.config.flag("descending", false)
                                       ? ComparisonDirection::GT
                                       : ComparisonDirection::LT),
      isFloat ? ComparisonTypeAttr::get(inner.b.getContext(),
                                        ComparisonType::TOTALORDER)
              : ComparisonTypeAttr());
  stablehlo::ReturnOp::create(inner.b, body.loc, isFirst);
  llvm::append_range(call.values, sort->getResults());
  return true;
}

/// The number of elements is the size of the result.
bool calls::readTopK(Reader &call) {
  if (call.operands.size() != 1 || call.types.size() < 2 ||
      call.types[0].getRank() < 1 ||
      call.types[0].getRank() != typeOf(call.operands[0]).getRank())
    return call.unknown("it is not of rows");
  Body &body = call.body;
  RankedTensorType type = call.types[0];
  auto top = chlo::TopKOp::create(
      body.b, body.loc,
      TypeRange{type, type.clone(call.types[1].getElementType())},
      call.operands[0], type.getShape().back(), /*is_stable=*/true);
  llvm::append_range(call.values, top->getResults());
  return true;
}
