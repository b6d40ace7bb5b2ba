// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of gather, dynamic_gather and scatter. Each check names its
// constraint of the specification. The numbering of dynamic_gather there is
// older than batching dimensions; these are checked as for gather.

#include "mercator/dialects/stablehlo/Verify.h"

#include "llvm/ADT/SmallBitVector.h"

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

/// The dimensions of the indices without the index vector dimension.
static SmallVector<int64_t> batchShape(const Windows &w) {
  SmallVector<int64_t> shape(w.indices.getShape());
  if (w.indexVectorDim < int64_t(shape.size()))
    shape.erase(shape.begin() + w.indexVectorDim);
  return shape;
}

/// The dimensions of the big tensor that neither list removes.
static SmallVector<int64_t> keptDims(const Windows &w) {
  llvm::SmallBitVector gone(w.big.getRank());
  for (ArrayRef<int64_t> dims : {w.removed, w.batching})
    for (int64_t dim : dims)
      gone.set(dim);
  SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < w.big.getRank(); ++dim)
    if (!gone.test(dim))
      kept.push_back(dim);
  return kept;
}

/// `batch` and `window` merged; window dimensions are at positions
/// `windowDims`.
static SmallVector<int64_t> mergeShape(ArrayRef<int64_t> batch,
                                       ArrayRef<int64_t> window,
                                       ArrayRef<int64_t> windowDims) {
  llvm::SmallBitVector isWindow(batch.size() + window.size());
  for (int64_t dim : windowDims)
    isWindow.set(dim);
  SmallVector<int64_t> shape;
  for (unsigned i = 0; i < isWindow.size(); ++i) {
    ArrayRef<int64_t> &from = isWindow.test(i) ? window : batch;
    shape.push_back(from.consume_front());
  }
  return shape;
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
  int64_t resultRank = batchShape(w).size() + w.window.size();
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
  for (int64_t dim : keptDims(w))
    window.push_back(sizes[dim]);
  return expectShape(*this, "result", getType(),
                     mergeShape(batchShape(w), window, w.window));
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
  for (int64_t dim : keptDims(w))
    window.push_back(sizes ? (*sizes)[dim] : ShapedType::kDynamic);
  return expectShape(*this, "result", getType(),
                     mergeShape(batchShape(w), window, w.window));
}

//===----------------------------------------------------------------------===//
// scatter
//===----------------------------------------------------------------------===//

/// Checks the updates of one input. A window may be smaller than the dimension
/// it is written to.
static LogicalResult verifyUpdates(Operation *op, const Windows &w,
                                   RankedTensorType updates) {
  SmallVector<int64_t> batch = batchShape(w), kept = keptDims(w);
  if (updates.getRank() != int64_t(batch.size() + kept.size()))
    return op->emitOpError()
           << "expected updates of rank " << batch.size() + kept.size()
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
  return expectShape(op, "updates", updates,
                     mergeShape(batch, window, w.window));
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
