// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Result types of the operations that move elements.

#include "mercator/dialects/stablehlo/Infer.h"
#include "mercator/dialects/stablehlo/Verify.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mercator::stablehlo;

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

Type mercator::stablehlo::withQuantizedDimension(Type element, int64_t dim) {
  auto axis = dyn_cast<quant::UniformQuantizedPerAxisType>(element);
  if (!axis)
    return element;
  return quant::UniformQuantizedPerAxisType::get(
      axis.getFlags(), axis.getStorageType(), axis.getExpressedType(),
      axis.getScales(), axis.getZeroPoints(), int32_t(dim),
      axis.getStorageTypeMin(), axis.getStorageTypeMax());
}

FailureOr<Extents>
mercator::stablehlo::transposed(ArrayRef<Extent> operand,
                                ArrayRef<int64_t> permutation) {
  if (permutation.size() != operand.size())
    return failure();
  Extents result;
  for (int64_t dim : permutation) {
    if (dim < 0 || dim >= int64_t(operand.size()))
      return failure();
    result.push_back(operand[dim]);
  }
  return result;
}

FailureOr<Extents> mercator::stablehlo::sliced(ArrayRef<int64_t> start,
                                               ArrayRef<int64_t> limit,
                                               ArrayRef<int64_t> strides) {
  if (start.size() != limit.size() || start.size() != strides.size())
    return failure();
  Extents result;
  for (auto [from, to, stride] : llvm::zip(start, limit, strides)) {
    if (from < 0 || to < from || stride < 1)
      return failure();
    int64_t length = to - from;
    result.push_back(Extent::of(length == 0 ? 0 : (length - 1) / stride + 1));
  }
  return result;
}

FailureOr<Extent> mercator::stablehlo::padded(Extent n, int64_t low,
                                              int64_t high, int64_t interior) {
  if (interior < 0)
    return failure();
  bool fits = true;
  Extent result = map(n, [&](int64_t count) {
    // Each factor is an int64, so this cannot overflow.
    __int128 between = count == 0 ? 0 : __int128(count - 1) * interior;
    __int128 total = between + count + low + high;
    fits &= total >= 0 && total <= INT64_MAX;
    return int64_t(total);
  });
  if (!fits)
    return failure();
  return result;
}

FailureOr<Extents> mercator::stablehlo::concatenated(ValueRange inputs,
                                                     int64_t dim) {
  if (inputs.empty())
    return failure();
  Extents result = extentsOf(inputs[0]);
  if (dim < 0 || dim >= int64_t(result.size()))
    return failure();
  for (Value input : inputs.drop_front()) {
    Extents more = extentsOf(input);
    if (more.size() != result.size())
      return failure();
    for (auto [i, pair] : llvm::enumerate(llvm::zip(result, more))) {
      auto &[known, other] = pair;
      if (int64_t(i) == dim) {
        bool both = known.isKnown() && other.isKnown();
        known = sum(known, other);
        if (both && !known.isKnown())
          return failure();
      } else if (agree(known, other))
        known = meet(known, other);
      else
        return failure();
    }
  }
  return result;
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

static Extents known(ArrayRef<int64_t> sizes) {
  return llvm::map_to_vector<6>(sizes, Extent::of);
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
  return inferred(types,
                  concatenated(op.getInputs(), int64_t(op.getDimension())),
                  elementOf(op.getInputs()[0]));
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

/// The batch dimensions of the indices and the kept dimensions of a slice,
/// merged.
static FailureOr<Extents> gathered(Value operand, Value indices,
                                   GatherDimensionNumbersAttr dims,
                                   ArrayRef<Extent> sliceSizes) {
  Extents big = extentsOf(operand), batch = extentsOf(indices);
  int64_t vectorDim = dims.getIndexVectorDim();
  if (sliceSizes.size() != big.size() || vectorDim < 0 ||
      vectorDim > int64_t(batch.size()))
    return failure();
  if (vectorDim < int64_t(batch.size()))
    batch.erase(batch.begin() + vectorDim);
  Extents window;
  for (auto [i, size] : llvm::enumerate(sliceSizes))
    if (!llvm::is_contained(dims.getCollapsedSliceDims(), int64_t(i)) &&
        !llvm::is_contained(dims.getOperandBatchingDims(), int64_t(i)))
      window.push_back(size);
  llvm::SmallBitVector isWindow(batch.size() + window.size());
  for (int64_t dim : dims.getOffsetDims()) {
    if (dim < 0 || dim >= int64_t(isWindow.size()))
      return failure();
    isWindow.set(dim);
  }
  if (isWindow.count() != window.size())
    return failure();
  Extents result;
  ArrayRef<Extent> nextWindow(window), nextBatch(batch);
  for (unsigned i = 0; i < isWindow.size(); ++i)
    result.push_back(
        (isWindow.test(i) ? nextWindow : nextBatch).consume_front());
  return result;
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
