// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gather, dynamic_gather, torch_index_select: a linalg.generic over the result
// whose body reads the operand by tensor.extract, at clamped indices. Index
// vectors of one component are an input; others are read in the body, too.

#include "mercator/transforms/stablehlo/lowering/Builders.h"
#include "mercator/transforms/stablehlo/lowering/Types.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace mercator::stablehlo {

namespace {
/// A gather of slices that have these sizes.
struct GatherOfSlices {
  Lowering &l;
  Value operand, indices;
  GatherDimensionNumbersAttr dims;
  Sizes sliceSizes;
  bool hasUnsignedIndices;

  FailureOr<Value> create();

  /// Divides the dimensions of the result.
  void findDims();
  LogicalResult check(ArrayRef<OpFoldResult> resultSizes);
  bool isRemoved(int64_t dim) {
    return llvm::is_contained(dims.getCollapsedSliceDims(), dim) ||
           llvm::is_contained(dims.getOperandBatchingDims(), dim);
  }
  bool hasVectorDim() {
    return dims.getIndexVectorDim() <
           cast<RankedTensorType>(indices.getType()).getRank();
  }
  Sizes resultSizes();
  Value component(ImplicitLocOpBuilder &b, size_t number, ValueRange inputs);
  Values indexAt(ImplicitLocOpBuilder &b, ValueRange inputs);

  /// The dimension of the result for each dimension of the indices other than
  /// that of index vectors.
  SmallVector<int64_t> batch = {};
  /// The dimension of the result for each operand dimension; -1 if removed.
  SmallVector<int64_t> window = {};
  /// The largest start index in each operand dimension.
  Sizes most = {};
};
} // namespace

void GatherOfSlices::findDims() {
  int64_t rank = l.type().getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dims.getOffsetDims(), dim))
      batch.push_back(dim);
  ArrayRef<int64_t> offsetDims = dims.getOffsetDims();
  for (int64_t dim = 0; dim < int64_t(sliceSizes.size()); ++dim)
    window.push_back(isRemoved(dim) ? -1 : offsetDims.consume_front());
}

Sizes GatherOfSlices::resultSizes() {
  ImplicitLocOpBuilder &b = l.b;
  RankedTensorType type = l.type();
  Sizes sizes(size_t(type.getRank())), extents = extentsOf(b, indices);
  if (hasVectorDim())
    extents.erase(extents.begin() + dims.getIndexVectorDim());
  for (auto [at, extent] : llvm::zip(batch, extents))
    sizes[at] = extent;
  for (auto [at, size] : llvm::zip(window, sliceSizes))
    if (at >= 0)
      sizes[at] = size;
  for (auto [size, extent] : llvm::zip(sizes, type.getShape()))
    if (ShapedType::isStatic(extent))
      size = b.getIndexAttr(extent);
  return sizes;
}

/// The verifier accepts slices without elements where the result has some, and
/// does not see all slice sizes that are known here.
LogicalResult GatherOfSlices::check(ArrayRef<OpFoldResult> resultSizes) {
  auto shape = cast<RankedTensorType>(operand.getType()).getShape();
  for (auto [dim, size] : llvm::enumerate(sliceSizes))
    if (std::optional<int64_t> known = getConstantIntValue(size);
        known && ShapedType::isStatic(shape[dim]) && *known > shape[dim])
      return l.refuse("a slice is not within dimension " + Twine(dim));
  if (ShapedType::isDynamicShape(shapeOf(resultSizes)))
    return success();
  for (auto [dim, size] : llvm::enumerate(sliceSizes))
    if (isConstantIntValue(size, 0) || shape[dim] == 0)
      return l.refuse("a slice has no elements in dimension " + Twine(dim));
  return success();
}

/// Component `number` of the index vector, as an integer.
Value GatherOfSlices::component(ImplicitLocOpBuilder &b, size_t number,
                                ValueRange inputs) {
  if (!inputs.empty())
    return inputs.front();
  Values at;
  for (int64_t dim : batch)
    at.push_back(linalg::IndexOp::create(b, dim));
  if (hasVectorDim())
    at.insert(at.begin() + dims.getIndexVectorDim(),
              indexConstant(b, int64_t(number)));
  return tensor::ExtractOp::create(b, indices, at);
}

/// The index of the operand for a point of the result.
Values GatherOfSlices::indexAt(ImplicitLocOpBuilder &b, ValueRange inputs) {
  Values index(sliceSizes.size());
  for (auto [number, dim] : llvm::enumerate(dims.getStartIndexMap()))
    if (!isConstantIntValue(most[dim], 0))
      index[dim] = clampStart(b, component(b, number, inputs),
                              hasUnsignedIndices, most[dim]);
  for (auto [ours, theirs] : llvm::zip(dims.getOperandBatchingDims(),
                                       dims.getStartIndicesBatchingDims())) {
    int64_t place = theirs - (theirs < dims.getIndexVectorDim() ? 0 : 1);
    index[ours] = linalg::IndexOp::create(b, batch[place]);
  }
  for (auto [at, dim] : llvm::zip(index, window)) {
    if (dim >= 0) {
      Value offset = linalg::IndexOp::create(b, dim);
      at = at ? Value(arith::AddIOp::create(b, at, offset)) : offset;
    }
    if (!at)
      at = indexConstant(b, 0);
  }
  return index;
}

FailureOr<Value> GatherOfSlices::create() {
  ImplicitLocOpBuilder &b = l.b;
  findDims();
  if (anyNegative(sliceSizes))
    return l.refuse("expected slice sizes of at least 0");
  Sizes sizes = resultSizes();
  Type element = l.type().getElementType();
  if (failed(expectResultElement(l, operand)))
    return failure();
  if (hasNoElements(shapeOf(sizes)))
    return castTo(b, empty(b, sizes, element), l.type());
  if (failed(check(sizes)))
    return failure();
  for (auto [dim, size] : llvm::enumerate(sliceSizes))
    most.push_back(subSizes(
        b, extentOf(b, operand, int64_t(dim)),
        isRemoved(int64_t(dim)) ? OpFoldResult(b.getIndexAttr(1)) : size));

  SmallVector<AffineMap> maps;
  Values inputs;
  ArrayRef<int64_t> indexMap = dims.getStartIndexMap();
  if (indexMap.size() == 1 && !isConstantIntValue(most[indexMap.front()], 0)) {
    SmallVector<AffineExpr> reads;
    Sizes extents;
    for (int64_t dim : batch) {
      reads.push_back(b.getAffineDimExpr(unsigned(dim)));
      extents.push_back(sizes[dim]);
    }
    SmallVector<int64_t> known = shapeOf(extents);
    if (hasVectorDim())
      known.insert(known.begin() + dims.getIndexVectorDim(), 1);
    inputs.push_back(reshapeTensor(b, refine(b, indices, known), extents));
    maps.push_back(
        AffineMap::get(unsigned(sizes.size()), 0, reads, b.getContext()));
  }
  Value result = compute(
      b, sizes, element, inputs, maps,
      [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
        return {tensor::ExtractOp::create(b, operand, indexAt(b, numbers))};
      });
  return castTo(b, result, l.type());
}

template <typename Op>
static FailureOr<Value> gatherSlices(Op op, typename Op::Adaptor in,
                                     const Sizes &sizes, Lowering &l) {
  return GatherOfSlices{
      l,
      in.getOperand(),
      in.getStartIndices(),
      op.getDimensionNumbers(),
      sizes,
      isUnsigned(op.getStartIndices().getType().getElementType())}
      .create();
}

static FailureOr<Value> lowerGather(GatherOp op, GatherOp::Adaptor in,
                                    Lowering &l) {
  Sizes sizes;
  for (int64_t size : op.getSliceSizes())
    sizes.push_back(l.b.getIndexAttr(size));
  return gatherSlices(op, in, sizes, l);
}

static FailureOr<Value> lowerDynamicGather(DynamicGatherOp op,
                                           DynamicGatherOp::Adaptor in,
                                           Lowering &l) {
  Sizes sizes =
      elementsOf(l.b, in.getSliceSizes(), op.getOperand().getType().getRank(),
                 isUnsigned(op.getSliceSizes().getType().getElementType()));
  return gatherSlices(op, in, sizes, l);
}

/// result[b.., o.., i.., p..] = operand[b.., o.., index[b.., i..], p..].
static FailureOr<Value> lowerTorchIndexSelect(TorchIndexSelectOp op,
                                              TorchIndexSelectOp::Adaptor in,
                                              Lowering &l) {
  ImplicitLocOpBuilder &b = l.b;
  auto dim = int64_t(op.getDim()), batchDims = int64_t(op.getBatchDims());
  Value operand = in.getOperand();
  Sizes extents = extentsOf(b, operand),
        indexExtents = extentsOf(b, in.getIndex());
  auto chosen = int64_t(indexExtents.size()) - batchDims;
  Sizes sizes(ArrayRef(extents).take_front(dim));
  llvm::append_range(sizes, ArrayRef(indexExtents).drop_front(batchDims));
  llvm::append_range(sizes, ArrayRef(extents).drop_front(dim + 1));
  if (failed(expectResultElement(l, operand)))
    return failure();
  for (auto [size, extent] : llvm::zip(sizes, l.type().getShape()))
    if (ShapedType::isStatic(extent))
      size = b.getIndexAttr(extent);
  Type element = l.type().getElementType();
  if (hasNoElements(shapeOf(sizes)))
    return castTo(b, empty(b, sizes, element), l.type());
  if (isConstantIntValue(extents[dim], 0))
    return l.refuse("the operand has no elements to choose from");

  SmallVector<AffineExpr> reads;
  SmallVector<int64_t> known;
  for (int64_t i = 0; i < batchDims; ++i)
    reads.push_back(b.getAffineDimExpr(unsigned(i)));
  for (int64_t i = 0; i < chosen; ++i)
    reads.push_back(b.getAffineDimExpr(unsigned(dim + i)));
  bool hasUnsignedIndex = isUnsigned(op.getIndex().getType().getElementType());
  OpFoldResult most = subSizes(b, extents[dim], b.getIndexAttr(1));
  Value result = compute(
      b, sizes, element, {in.getIndex()},
      {AffineMap::get(unsigned(sizes.size()), 0, reads, b.getContext())},
      [&](ImplicitLocOpBuilder &b, ValueRange numbers) -> Values {
        Values index;
        for (int64_t i = 0; i < int64_t(sizes.size()); ++i) {
          if (i == dim)
            index.push_back(clampStart(b, numbers[0], hasUnsignedIndex, most));
          if (i < dim || i >= dim + chosen)
            index.push_back(linalg::IndexOp::create(b, i));
        }
        if (int64_t(index.size()) == dim)
          index.push_back(clampStart(b, numbers[0], hasUnsignedIndex, most));
        return {tensor::ExtractOp::create(b, operand, index)};
      });
  return castTo(b, result, l.type());
}

void addGatherRules(LoweringRules &rules) {
  rules.add<GatherOp, lowerGather>();
  rules.add<DynamicGatherOp, lowerDynamicGather>();
  rules.add<TorchIndexSelectOp, lowerTorchIndexSelect>();
}

} // namespace mercator::stablehlo
