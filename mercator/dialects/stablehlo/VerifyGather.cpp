// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of gather, dynamic_gather and scatter. Each check names its
// constraint of the specification. The numbering of dynamic_gather there is
// older than batching dimensions; these are checked as for gather.

#include "mercator/dialects/stablehlo/Verify.h"

#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace {
/// The common structure of the three: a big tensor, a tensor of indices,
/// windows of the big tensor; and the specification's name of each list of
/// dimensions.
struct Windows {
  RankedTensorType big, indices;
  ArrayRef<int64_t> window;          // of the result, or of the updates
  ArrayRef<int64_t> removed;         // collapsed, or inserted
  ArrayRef<int64_t> batching;        // of the big tensor
  ArrayRef<int64_t> indicesBatching; // of the indices
  ArrayRef<int64_t> map;             // index component -> big dimension
  int64_t indexVectorDim;
  StringRef bigName, windowName, removedName, batchingName, indicesBatchingName,
      mapName;
};
} // namespace

static Windows gatherWindows(RankedTensorType operand, RankedTensorType indices,
                             GatherDimensionNumbersAttr dims) {
  return {operand,
          indices,
          dims.getOffsetDims(),
          dims.getCollapsedSliceDims(),
          dims.getOperandBatchingDims(),
          dims.getStartIndicesBatchingDims(),
          dims.getStartIndexMap(),
          dims.getIndexVectorDim(),
          "operand",
          "offset_dims",
          "collapsed_slice_dims",
          "operand_batching_dims",
          "start_indices_batching_dims",
          "start_index_map"};
}

static Windows scatterWindows(RankedTensorType input, RankedTensorType indices,
                              ScatterDimensionNumbersAttr dims) {
  return {input,
          indices,
          dims.getUpdateWindowDims(),
          dims.getInsertedWindowDims(),
          dims.getInputBatchingDims(),
          dims.getScatterIndicesBatchingDims(),
          dims.getScatterDimsToOperandDims(),
          dims.getIndexVectorDim(),
          "inputs",
          "update_window_dims",
          "inserted_window_dims",
          "input_batching_dims",
          "scatter_indices_batching_dims",
          "scatter_dims_to_operand_dims"};
}

/// The extents of the indices without the dimension that holds their components.
static Extents batchOf(const Windows &w) {
  return batchExtents(known(w.indices.getShape()), w.indexVectorDim);
}

/// The dimensions of the big tensor that neither list removes.
static SmallVector<int64_t> keptOf(const Windows &w) {
  return keptDims(w.big.getRank(), w.removed, w.batching);
}

/// The shape of a gather's result, or of updates, with these windows.
/// Requires: verifyWindows(w).
static SmallVector<int64_t> mergedShape(const Windows &w,
                                        ArrayRef<int64_t> window) {
  return sizesOf(*merged(batchOf(w), known(window), w.window));
}

/// Checks the shape of a gather's result, or of updates. A missing
/// index_vector_dim is 0; the message says so if another dimension gives the
/// stated shape.
static LogicalResult expectMerged(Operation *op, StringRef what,
                                  RankedTensorType got, const Windows &w,
                                  ArrayRef<int64_t> window) {
  SmallVector<int64_t> expected = mergedShape(w, window);
  if (shapesAgree(got.getShape(), expected))
    return success();
  for (int64_t dim = 0; dim <= w.indices.getRank(); ++dim) {
    Windows other = w;
    other.indexVectorDim = dim;
    int64_t components =
        dim == w.indices.getRank() ? 1 : w.indices.getDimSize(dim);
    auto shape = merged(batchOf(other), known(window), other.window);
    if (dim == w.indexVectorDim || components != int64_t(w.map.size()) ||
        failed(shape) || !got.hasStaticShape() ||
        ShapedType::isDynamicShape(expected) ||
        got.getShape() != ArrayRef(sizesOf(*shape)))
      continue;
    return op->emitOpError()
           << "expected " << what << " of shape ["
           << llvm::interleaved(expected, ", ") << "], got ["
           << llvm::interleaved(got.getShape(), ", ")
           << "]; index_vector_dim is " << w.indexVectorDim
           << (w.indexVectorDim == 0 ? ", the default" : "")
           << ", and this shape needs index_vector_dim = " << dim;
  }
  return expectShape(op, what, got, expected);
}

static SmallVector<int64_t> joined(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  SmallVector<int64_t> all(a);
  llvm::append_range(all, b);
  return all;
}

/// Checks the dimension numbers against the ranks and extents.
static LogicalResult verifyWindows(Operation *op, const Windows &w) {
  int64_t rank = w.big.getRank(), indicesRank = w.indices.getRank();
  // (gather C2), (dynamic_gather C2), (scatter C22)
  if (w.indexVectorDim < 0 || w.indexVectorDim > indicesRank)
    return op->emitOpError() << "expected index_vector_dim within [0, "
                             << indicesRank << "], got " << w.indexVectorDim;
  // (gather C3), (dynamic_gather C3), (scatter C19)
  int64_t components = w.indexVectorDim == indicesRank
                           ? 1
                           : w.indices.getDimSize(w.indexVectorDim);
  if (!ShapedType::isDynamic(components) &&
      failed(expectCount(op, w.mapName, w.map.size(), components)))
    return failure();
  // (gather C1), (dynamic_gather C1), (scatter C2)
  size_t named = w.window.size() + w.removed.size() + w.batching.size();
  if (int64_t(named) != rank)
    return op->emitOpError()
           << "expected " << w.windowName << ", " << w.removedName << " and "
           << w.batchingName
           << " together to have one entry for each dimension of " << w.bigName
           << ", " << rank << ", got " << named;
  auto both = [](StringRef a, StringRef b) { return (a + " and " + b).str(); };
  int64_t resultRank = batchOf(w).size() + w.window.size();
  if ( // (gather C4), (dynamic_gather C4), (scatter C7)
      failed(expectSorted(op, w.windowName, w.window)) ||
      failed(expectUnique(op, w.windowName, w.window)) ||
      // (gather C5), (dynamic_gather C5), (scatter C8)
      failed(expectWithin(op, w.windowName, w.window, resultRank)) ||
      // (gather C6), (dynamic_gather C6), (scatter C9)
      failed(expectUnique(op, both(w.removedName, w.batchingName),
                          joined(w.removed, w.batching))) ||
      // (gather C7), (dynamic_gather C6), (scatter C10)
      failed(expectSorted(op, w.removedName, w.removed)) ||
      // (gather C8), (dynamic_gather C7), (scatter C11)
      failed(expectWithin(op, w.removedName, w.removed, rank)) ||
      // (gather C10), (scatter C12)
      failed(expectSorted(op, w.batchingName, w.batching)) ||
      // (gather C11), (scatter C13)
      failed(expectWithin(op, w.batchingName, w.batching, rank)) ||
      // (gather C13), (scatter C14)
      failed(expectUnique(op, w.indicesBatchingName, w.indicesBatching)) ||
      // (gather C14), (scatter C15)
      failed(expectWithin(op, w.indicesBatchingName, w.indicesBatching,
                          indicesRank)))
    return failure();
  // (gather C15), (scatter C16)
  if (llvm::is_contained(w.indicesBatching, w.indexVectorDim))
    return op->emitOpError()
           << "expected " << w.indicesBatchingName
           << " other than index_vector_dim, got " << w.indexVectorDim;
  // (gather C16), (scatter C17)
  if (w.batching.size() != w.indicesBatching.size())
    return op->emitOpError()
           << "expected " << w.batchingName << " and " << w.indicesBatchingName
           << " of the same length, got " << w.batching.size() << " and "
           << w.indicesBatching.size();
  // (gather C17), (scatter C18)
  for (auto [ours, theirs] : llvm::zip(w.batching, w.indicesBatching))
    if (!extentsAgree(w.big.getDimSize(ours), w.indices.getDimSize(theirs)))
      return op->emitOpError()
             << "expected batching dimensions of the same extent, got "
             << w.big.getDimSize(ours) << " and "
             << w.indices.getDimSize(theirs);
  return failure(
      // (gather C18), (dynamic_gather C9), (scatter C20)
      failed(expectUnique(op, both(w.mapName, w.batchingName),
                          joined(w.map, w.batching))) ||
      // (gather C19), (dynamic_gather C10), (scatter C21)
      failed(expectWithin(op, w.mapName, w.map, rank)));
}

//===----------------------------------------------------------------------===//
// gather and dynamic_gather
//===----------------------------------------------------------------------===//

/// Checks slice sizes. The window is the slice without the removed dimensions.
static LogicalResult verifySlices(Operation *op, const Windows &w,
                                  ArrayRef<int64_t> sizes) {
  // (gather C9, C12), (dynamic_gather C8)
  for (auto [name, dims] : {std::pair(w.removedName, w.removed),
                            std::pair(w.batchingName, w.batching)})
    for (int64_t dim : dims)
      if (sizes[dim] > 1)
        return op->emitOpError() << "expected slice size 0 or 1 along " << name
                                 << " " << dim << ", got " << sizes[dim];
  // (gather C21), (dynamic_gather C12)
  for (auto [i, size] : llvm::enumerate(sizes)) {
    int64_t extent = w.big.getDimSize(i);
    if (size < 0)
      return op->emitOpError()
             << "expected slice_sizes of at least 0, got " << size;
    if (!ShapedType::isDynamic(extent) && size > extent)
      return op->emitOpError() << "expected slice size " << i << " within [0, "
                               << extent << "], got " << size;
  }
  return success();
}

LogicalResult GatherOp::verify() {
  Windows w = gatherWindows(getOperand().getType(), getStartIndices().getType(),
                            getDimensionNumbers());
  ArrayRef<int64_t> sizes = getSliceSizes();
  if (failed(verifyWindows(*this, w)) ||
      // (gather C20)
      failed(
          expectCount(*this, "slice_sizes", sizes.size(), w.big.getRank())) ||
      failed(verifySlices(*this, w, sizes)) ||
      // (gather C23)
      failed(expectBaseline(*this, "result", getType(), w.big)))
    return failure();
  // (gather C22)
  SmallVector<int64_t> window;
  for (int64_t dim : keptOf(w))
    window.push_back(sizes[dim]);
  return expectMerged(*this, "result", getType(), w, window);
}

LogicalResult DynamicGatherOp::verify() {
  Windows w = gatherWindows(getOperand().getType(), getStartIndices().getType(),
                            getDimensionNumbers());
  if (failed(verifyWindows(*this, w)) ||
      // (dynamic_gather C11)
      failed(expectShape(*this, "slice_sizes", getSliceSizes().getType(),
                         {w.big.getRank()})))
    return failure();
  std::optional<SmallVector<int64_t>> sizes = constantIntegers(getSliceSizes());
  if ((sizes && failed(verifySlices(*this, w, *sizes))) ||
      // (dynamic_gather C14)
      failed(expectBaseline(*this, "result", getType(), w.big)))
    return failure();
  // (dynamic_gather C13)
  SmallVector<int64_t> window;
  for (int64_t dim : keptOf(w))
    window.push_back(sizes ? (*sizes)[dim] : ShapedType::kDynamic);
  return expectMerged(*this, "result", getType(), w, window);
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

/// Checks the updates of one input. A window may be smaller than the dimension
/// it is written to.
static LogicalResult verifyUpdates(Operation *op, const Windows &w,
                                   RankedTensorType updates) {
  SmallVector<int64_t> kept = keptOf(w);
  size_t batchRank = batchOf(w).size();
  if (updates.getRank() != int64_t(batchRank + kept.size()))
    return op->emitOpError()
           << "expected updates of rank " << batchRank + kept.size()
           << ", that of scatter_indices without index_vector_dim plus "
           << kept.size() << " window dimensions, got " << updates;
  SmallVector<int64_t> window;
  for (auto [inputDim, updateDim] : llvm::zip(kept, w.window)) {
    int64_t extent = w.big.getDimSize(inputDim),
            size = updates.getDimSize(updateDim);
    if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(extent) &&
        size > extent)
      return op->emitOpError()
             << "expected an update window of at most " << extent
             << " along dimension " << updateDim << ", got " << size;
    window.push_back(size);
  }
  return expectMerged(op, "updates", updates, w, window);
}

LogicalResult ScatterOp::verify() {
  // (scatter C5)
  if (getNumOperands() < 3 || getNumOperands() % 2 == 0)
    return emitOpError()
           << "expected inputs, indices and as many updates as inputs, got "
           << getNumOperands() << " operands";
  size_t count = getInputs().size();
  auto typeOf = [](Value value) {
    return cast<RankedTensorType>(value.getType());
  };
  auto input = typeOf(getInputs().front()),
       update = typeOf(getUpdates().front());
  Windows w = scatterWindows(input, getScatterIndices().getType(),
                             getScatterDimensionNumbers());
  for (auto [thisInput, thisUpdate] : llvm::zip(getInputs(), getUpdates()))
    if ( // (scatter C1)
        failed(
            expectShape(*this, "input", typeOf(thisInput), input.getShape())) ||
        // (scatter C3)
        failed(expectShape(*this, "updates", typeOf(thisUpdate),
                           update.getShape())))
      return failure();
  if (failed(verifyWindows(*this, w)) ||
      // (scatter C4)
      failed(verifyUpdates(*this, w, update)))
    return failure();
  // (scatter C23)
  FailureOr<SmallVector<Type>> accumulators =
      expectReducer(*this, "update_computation", getUpdateComputation(),
                    getInputs().getTypes());
  if (failed(accumulators) ||
      failed(expectCount(*this, "results", getNumResults(), count)))
    return failure();
  for (size_t i = 0; i < count; ++i) {
    auto inputType = typeOf(getInputs()[i]),
         updateType = typeOf(getUpdates()[i]),
         resultType = typeOf(getResults()[i]);
    if ( // (scatter C6)
        failed(expectCombinable(*this, "updates", updateType, inputType,
                                (*accumulators)[i])) ||
        // (scatter C24)
        failed(
            expectShape(*this, "result", resultType, inputType.getShape())) ||
        // (scatter C25)
        failed(expectBaseline(*this, "result", resultType,
                              RankedTensorType::get({}, (*accumulators)[i]))))
      return failure();
  }
  return success();
}
