// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result types of the operations that move elements.

#include "mercator/dialects/stablehlo/Infer.h"
#include "mercator/dialects/stablehlo/Verify.h"

using namespace mlir;
using namespace mercator::stablehlo;

Type mercator::stablehlo::withQuantizedDimension(Type element, int64_t dim) {
  auto axis = dyn_cast<quant::UniformQuantizedPerAxisType>(element);
  if (!axis)
    return element;
  return quant::UniformQuantizedPerAxisType::get(
      axis.getFlags(), axis.getStorageType(), axis.getExpressedType(),
      axis.getScales(), axis.getZeroPoints(), int32_t(dim),
      axis.getStorageTypeMin(), axis.getStorageTypeMax());
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static LogicalResult inferred(Types &types, FailureOr<Extents> extents,
                              Type element) {
  if (failed(extents))
    return failure();
  return inferred(types, tensorOf(*extents, element));
}

static bool allAtLeastZero(ArrayRef<int64_t> sizes) {
  return llvm::all_of(sizes, [](int64_t size) { return size >= 0; });
}

static LogicalResult infer(BroadcastOp::Adaptor op, Types &types) {
  ArrayRef<int64_t> sizes = op.getBroadcastSizes();
  if (!allAtLeastZero(sizes))
    return failure();
  Extents extents = known(sizes);
  llvm::append_range(extents, extentsOf(op.getOperand()));
  Type element = elementOf(op.getOperand());
  if (auto axis = dyn_cast<quant::UniformQuantizedPerAxisType>(element))
    element = withQuantizedDimension(element, axis.getQuantizedDimension() +
                                                  int64_t(sizes.size()));
  return inferred(types, extents, element);
}

static LogicalResult infer(TransposeOp::Adaptor op, Types &types) {
  ArrayRef<int64_t> permutation = op.getPermutation();
  Type element = elementOf(op.getOperand());
  if (auto axis = dyn_cast<quant::UniformQuantizedPerAxisType>(element)) {
    auto *at = llvm::find(permutation, axis.getQuantizedDimension());
    element = withQuantizedDimension(element, at - permutation.begin());
  }
  return inferred(types, transposed(extentsOf(op.getOperand()), permutation),
                  element);
}

static LogicalResult infer(ReverseOp::Adaptor op, Types &types) {
  return inferred(types, extentsOf(op.getOperand()),
                  elementOf(op.getOperand()));
}

static LogicalResult infer(SliceOp::Adaptor op, Types &types) {
  if (op.getStartIndices().size() != extentsOf(op.getOperand()).size())
    return failure();
  return inferred(
      types,
      sliced(op.getStartIndices(), op.getLimitIndices(), op.getStrides()),
      elementOf(op.getOperand()));
}

static LogicalResult infer(DynamicSliceOp::Adaptor op, Types &types) {
  if (!allAtLeastZero(op.getSliceSizes()))
    return failure();
  return inferred(types, known(op.getSliceSizes()), elementOf(op.getOperand()));
}

static LogicalResult infer(DynamicUpdateSliceOp::Adaptor op, Types &types) {
  return inferred(types, extentsOf(op.getOperand()),
                  elementOf(op.getOperand()));
}

static LogicalResult infer(PadOp::Adaptor op, Types &types) {
  Extents extents = extentsOf(op.getOperand());
  ArrayRef<int64_t> low = op.getEdgePaddingLow(),
                    high = op.getEdgePaddingHigh(),
                    interior = op.getInteriorPadding();
  if (low.size() != extents.size() || high.size() != extents.size() ||
      interior.size() != extents.size())
    return failure();
  for (auto [i, extent] : llvm::enumerate(extents)) {
    FailureOr<Extent> more = padded(extent, low[i], high[i], interior[i]);
    if (failed(more))
      return failure();
    extent = *more;
  }
  return inferred(types, extents, elementOf(op.getOperand()));
}

static LogicalResult infer(ConcatenateOp::Adaptor op, Types &types) {
  if (op.getInputs().empty())
    return failure();
  return inferred(
      types,
      concatenated(extentsOfAll(op.getInputs()), int64_t(op.getDimension())),
      elementOf(op.getInputs()[0]));
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

static FailureOr<Extents> gathered(Value operand, Value indices,
                                   GatherDimensionNumbersAttr dims,
                                   ArrayRef<Extent> sliceSizes) {
  if (sliceSizes.size() != extentsOf(operand).size())
    return failure();
  return gathered(extentsOf(indices), sliceSizes,
                  {dims.getOffsetDims(), dims.getCollapsedSliceDims(),
                   dims.getOperandBatchingDims(), dims.getIndexVectorDim()});
}

static LogicalResult infer(GatherOp::Adaptor op, Types &types) {
  if (!allAtLeastZero(op.getSliceSizes()))
    return failure();
  return inferred(types,
                  gathered(op.getOperand(), op.getStartIndices(),
                           op.getDimensionNumbers(), known(op.getSliceSizes())),
                  elementOf(op.getOperand()));
}

static LogicalResult infer(DynamicGatherOp::Adaptor op, Types &types) {
  std::optional<SmallVector<int64_t>> sizes =
      constantIntegers(op.getSliceSizes());
  if (sizes && !allAtLeastZero(*sizes))
    return failure();
  Extents extents =
      sizes ? known(*sizes) : Extents(extentsOf(op.getOperand()).size());
  return inferred(types,
                  gathered(op.getOperand(), op.getStartIndices(),
                           op.getDimensionNumbers(), extents),
                  elementOf(op.getOperand()));
}

static LogicalResult infer(ScatterOp::Adaptor op, Types &types) {
  FailureOr<Extents> extents = meetAll(op.getInputs());
  if (failed(extents))
    return failure();
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    types.push_back(
        tensorOf(*extents, returnedElement(op.getUpdateComputation(), i,
                                           elementOf(input))));
  return success();
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static LogicalResult infer(GetDimensionSizeOp::Adaptor op, Types &types) {
  return inferred(types,
                  RankedTensorType::get(
                      {}, IntegerType::get(op.getOperand().getContext(), 32)));
}

static LogicalResult infer(SetDimensionSizeOp::Adaptor op, Types &types) {
  Extents extents = extentsOf(op.getOperand());
  int64_t dim = int64_t(op.getDimension());
  if (dim < 0 || dim >= int64_t(extents.size()))
    return failure();
  // The dimension keeps its capacity: its old extent bounds the new one.
  Extent &extent = extents[dim];
  std::optional<SmallVector<int64_t>> size = constantIntegers(op.getSize());
  if (size && size->size() == 1 && size->front() == extent.limit())
    extent = Extent::of(extent.limit());
  else
    extent = Extent::atMost(extent.limit());
  return inferred(types, extents, elementOf(op.getOperand()));
}

MERCATOR_INFERRED(BroadcastOp)
MERCATOR_INFERRED(TransposeOp)
MERCATOR_INFERRED(ReverseOp)
MERCATOR_INFERRED(SliceOp)
MERCATOR_INFERRED(DynamicSliceOp)
MERCATOR_INFERRED(DynamicUpdateSliceOp)
MERCATOR_INFERRED(PadOp)
MERCATOR_INFERRED(ConcatenateOp)
MERCATOR_INFERRED(GatherOp)
MERCATOR_INFERRED(DynamicGatherOp)
MERCATOR_INFERRED(ScatterOp)
MERCATOR_INFERRED(GetDimensionSizeOp)
MERCATOR_INFERRED(SetDimensionSizeOp)
