// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Concatenate: insertions into a tensor.empty.

#include "mercator/transforms/stablehlo/lowering/Builders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace mercator::stablehlo {

/// Appends the elements of a tensor that a program computes as an extent or a
/// list of extents. False if this is another tensor.
static bool appendNumbers(ImplicitLocOpBuilder &b, Value tensor,
                          Values &numbers) {
  if (auto made = tensor.getDefiningOp<tensor::FromElementsOp>()) {
    llvm::append_range(numbers, made.getElements());
    return true;
  }
  constexpr int64_t kMostExtents = 16;
  DenseIntElementsAttr known;
  if (!matchPattern(tensor, m_Constant(&known)) ||
      known.getNumElements() > kMostExtents)
    return false;
  for (const APInt &number : known.getValues<APInt>())
    numbers.push_back(arith::ConstantOp::create(
        b, b.getIntegerAttr(known.getElementType(), number)));
  return true;
}

/// A list of extents stays a list of numbers: none is written to memory only to
/// be read as a size.
static Value listOfNumbers(ImplicitLocOpBuilder &b, ValueRange inputs) {
  auto type = cast<RankedTensorType>(inputs.front().getType());
  if (type.getRank() != 1 || !type.getElementType().isIntOrIndex() ||
      llvm::none_of(inputs, [](Value input) {
        return input.getDefiningOp<tensor::FromElementsOp>();
      }))
    return {};
  Values numbers;
  for (Value input : inputs)
    if (!appendNumbers(b, input, numbers))
      return {};
  return tensor::FromElementsOp::create(
      b, RankedTensorType::get(int64_t(numbers.size()), type.getElementType()),
      numbers);
}

/// Not addSizes: a sum of n extents would be a map of n symbols.
static OpFoldResult addExtents(ImplicitLocOpBuilder &b, OpFoldResult x,
                               OpFoldResult y) {
  if (getConstantIntValue(x) && getConstantIntValue(y))
    return addSizes(b, x, y);
  return b.createOrFold<arith::AddIOp>(valueOf(b, x), valueOf(b, y));
}

static FailureOr<Value>
lowerConcatenate(ConcatenateOp op, ConcatenateOp::Adaptor in, Lowering &l) {
  RankedTensorType type = l.type();
  auto dim = int64_t(op.getDimension());
  // The extents that any of the inputs has.
  SmallVector<int64_t> shape(type.getShape());
  for (Value input : in.getInputs()) {
    if (failed(expectResultElement(l, input)))
      return failure();
    for (auto [known, extent] :
         llvm::zip(shape, cast<RankedTensorType>(input.getType()).getShape()))
      if (ShapedType::isDynamic(known))
        known = extent;
  }
  shape[dim] = ShapedType::kDynamic;
  Values all, inputs;
  for (Value input : in.getInputs()) {
    all.push_back(refine(l.b, input, shape));
    if (!isConstantIntValue(extentOf(l.b, all.back(), dim), 0))
      inputs.push_back(all.back());
  }
  if (inputs.size() == 1)
    return castTo(l.b, inputs.front(), type);
  Sizes sizes = extentsOf(l.b, all.front()), ends{l.b.getIndexAttr(0)};
  for (Value input : inputs)
    ends.push_back(addExtents(l.b, ends.back(), extentOf(l.b, input, dim)));
  sizes[dim] = type.isDynamicDim(unsigned(dim))
                   ? ends.back()
                   : l.b.getIndexAttr(type.getDimSize(unsigned(dim)));
  if (hasNoElements(shapeOf(sizes)) || inputs.empty())
    return castTo(l.b, empty(l.b, sizes, type.getElementType()), type);
  if (Value list = listOfNumbers(l.b, inputs))
    return castTo(l.b, list, type);
  Value result = empty(l.b, sizes, type.getElementType());
  Sizes ones(sizes.size(), l.b.getIndexAttr(1)),
      begin(sizes.size(), l.b.getIndexAttr(0));
  for (auto [input, end] : llvm::zip(inputs, ends)) {
    begin[dim] = end;
    result = insertTensor(l.b, input, result, begin, ones);
  }
  return castTo(l.b, result, type);
}

void addConcatenateRules(LoweringRules &rules) {
  rules.add<ConcatenateOp, lowerConcatenate>();
}

} // namespace mercator::stablehlo
