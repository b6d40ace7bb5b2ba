// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Windows of a tensor at positions given by another tensor. Both operations are
// a loop over the index vectors and, inside, a loop over the elements of a
// window.

#include "mercator/reference/core/Places.h"

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/Rules.h"
#include "mercator/reference/core/Quantize.h"
#include "mercator/reference/stablehlo/Reducer.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

namespace {
/// The common part of gather and scatter. The *big* tensor contains the
/// windows; the *small* one consists of windows: the result or the updates.
struct Windows {
  /// Dimensions of the small tensor along a window.
  ArrayRef<int64_t> windowDims;
  /// Dimensions of the big tensor that are not in a window.
  ArrayRef<int64_t> removedDims;
  /// Dimensions that both the big tensor and the indices have.
  ArrayRef<int64_t> batchingDims, indicesBatchingDims;
  /// The dimension of the big tensor for each component of an index vector.
  ArrayRef<int64_t> indexMap;
  int64_t indexVectorDim;

  bool isRemoved(int64_t bigDim) const {
    return llvm::is_contained(removedDims, bigDim) ||
           llvm::is_contained(batchingDims, bigDim);
  }
  /// The shape of the indices without the index vector dimension.
  SmallVector<int64_t> batchShape(const Tensor &indices) const {
    SmallVector<int64_t> shape(indices.shape());
    if (indexVectorDim < int64_t(shape.size()))
      shape.erase(shape.begin() + indexVectorDim);
    return shape;
  }
  /// An index of the small tensor, assembled from its two parts.
  SmallVector<int64_t> combine(ArrayRef<int64_t> batch,
                               ArrayRef<int64_t> window) const {
    SmallVector<int64_t> index;
    for (int64_t d = 0, rank = batch.size() + window.size(); d < rank; ++d)
      index.push_back(llvm::is_contained(windowDims, d)
                          ? window.consume_front()
                          : batch.consume_front());
    return index;
  }
  LogicalResult check(Step &step, const Tensor &big,
                      const Tensor &indices) const;
  SmallVector<int64_t> start(const Tensor &indices,
                             ArrayRef<int64_t> batch) const;
  void addBatching(SmallVectorImpl<int64_t> &start,
                   ArrayRef<int64_t> batch) const;
};
} // namespace

/// Checks constraints on the concrete shapes that the verifier could not check
/// for dynamic types.
LogicalResult Windows::check(Step &step, const Tensor &big,
                             const Tensor &indices) const {
  int64_t components =
      indexVectorDim < indices.rank() ? indices.dim(indexVectorDim) : 1;
  if (components != int64_t(indexMap.size()))
    return step.error() << "expected index vectors of " << indexMap.size()
                        << " components, got " << components;
  for (auto [ours, theirs] : llvm::zip(batchingDims, indicesBatchingDims))
    if (big.dim(ours) != indices.dim(theirs))
      return step.error()
             << "expected batching dimensions of the same extent, got "
             << big.dim(ours) << " and " << indices.dim(theirs);
  return success();
}

/// The index vector for a batch index.
SmallVector<int64_t> Windows::start(const Tensor &indices,
                                    ArrayRef<int64_t> batch) const {
  SmallVector<int64_t> at(batch), vector;
  if (indexVectorDim < indices.rank())
    at.insert(at.begin() + indexVectorDim, 0);
  for (size_t component = 0; component < indexMap.size(); ++component) {
    if (indexVectorDim < indices.rank())
      at[indexVectorDim] = int64_t(component);
    vector.push_back(indexAt(indices, indices.linear(at)));
  }
  return vector;
}

/// Adds the batching dimensions to an index of the big tensor.
void Windows::addBatching(SmallVectorImpl<int64_t> &start,
                          ArrayRef<int64_t> batch) const {
  for (auto [ours, theirs] : llvm::zip(batchingDims, indicesBatchingDims))
    start[ours] += batch[theirs - (theirs < indexVectorDim ? 0 : 1)];
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

static LogicalResult gather(Step &step, GatherDimensionNumbersAttr dims,
                            ArrayRef<int64_t> sliceSizes) {
  const Tensor &operand = step.tensor(0), &indices = step.tensor(1);
  Windows windows{
      dims.getOffsetDims(),          dims.getCollapsedSliceDims(),
      dims.getOperandBatchingDims(), dims.getStartIndicesBatchingDims(),
      dims.getStartIndexMap(),       dims.getIndexVectorDim()};
  if (failed(windows.check(step, operand, indices)))
    return failure();
  SmallVector<int64_t> keptDims, windowShape;
  for (auto [d, size] : llvm::enumerate(sliceSizes)) {
    bool isRemoved = windows.isRemoved(int64_t(d));
    int64_t most =
        isRemoved ? std::min<int64_t>(operand.dim(d), 1) : operand.dim(d);
    if (size < 0 || size > most)
      return step.error() << "expected slice size " << d << " within [0, "
                          << most << "], got " << size;
    if (isRemoved)
      continue;
    keptDims.push_back(int64_t(d));
    windowShape.push_back(size);
  }
  SmallVector<int64_t> batchShape = windows.batchShape(indices);
  if (windowShape.size() != windows.windowDims.size())
    return step.error() << "expected offset_dims of " << windowShape.size()
                        << " dimensions, got " << windows.windowDims.size();
  FailureOr<Tensor> result =
      step.make(0, windows.combine(batchShape, windowShape));
  if (failed(result))
    return failure();
  if (result->element() != operand.element())
    return step.error() << "expected a result with the elements of "
                        << operand.type() << ", got " << result->type();
  if (result->size() == 0) {
    step.results[0] = *result;
    return success();
  }
  // The verifier accepts an empty slice; it has no elements.
  for (auto [d, size] : llvm::enumerate(sliceSizes))
    if (size == 0)
      return step.error() << "expected slice size " << d
                          << " to be 1 for a result with elements, got 0";

  for (Index batch(batchShape); batch; ++batch) {
    SmallVector<int64_t> start(operand.rank(), 0);
    for (auto [component, d] :
         llvm::zip(windows.start(indices, *batch), windows.indexMap))
      start[d] =
          std::clamp<int64_t>(component, 0, operand.dim(d) - sliceSizes[d]);
    windows.addBatching(start, *batch);
    for (Index offset(windowShape); offset; ++offset) {
      SmallVector<int64_t> from(start);
      for (auto [i, d] : llvm::enumerate(keptDims))
        from[d] += offset[i];
      result->copy(result->linear(windows.combine(*batch, *offset)), operand,
                   operand.linear(from));
    }
  }
  step.results[0] = *result;
  return success();
}

static LogicalResult evaluateGather(GatherOp op, Step &step) {
  return gather(step, op.getDimensionNumbers(), op.getSliceSizes());
}

static LogicalResult evaluateDynamicGather(DynamicGatherOp op, Step &step) {
  FailureOr<SmallVector<int64_t>> sizes =
      indicesOf(step, step.tensor(2), step.tensor(0).rank());
  if (failed(sizes))
    return failure();
  return gather(step, op.getDimensionNumbers(), *sizes);
}

/// result[b.., o.., i.., p..] = operand[b.., o.., index[b.., i..], p..], with
/// `batch_dims` dimensions b, and `dim` dimensions b and o together. An index
/// out of range is clamped, as in a gather.
static LogicalResult evaluateTorchIndexSelect(TorchIndexSelectOp op,
                                              Step &step) {
  const Tensor &operand = step.tensor(0), &index = step.tensor(1);
  auto dim = int64_t(op.getDim()), batchDims = int64_t(op.getBatchDims());
  if (dim < 0 || dim >= operand.rank() || batchDims < 0 || batchDims > dim ||
      batchDims > index.rank())
    return step.error() << "expected 0 <= batch_dims <= dim < rank, got "
                        << batchDims << " and " << dim;
  ArrayRef<int64_t> chosen = index.shape().drop_front(batchDims);
  SmallVector<int64_t> shape(operand.shape().take_front(dim));
  llvm::append_range(shape, chosen);
  llvm::append_range(shape, operand.shape().drop_front(dim + 1));
  if (operand.shape().take_front(batchDims) !=
      index.shape().take_front(batchDims))
    return step.error() << "expected one shape of the batch, got "
                        << operand.type() << " and " << index.type();
  FailureOr<Tensor> result = step.make(0, shape);
  if (failed(result))
    return failure();
  if (result->element() != operand.element())
    return step.error() << "expected a result with the elements of "
                        << operand.type() << ", got " << result->type();
  if (result->size() != 0 && operand.dim(dim) == 0)
    return step.error() << "expected an operand with elements to choose from";
  int64_t place = 0;
  for (Index at(shape); at; ++at) {
    SmallVector<int64_t> which((*at).take_front(batchDims));
    llvm::append_range(which, (*at).slice(dim, chosen.size()));
    SmallVector<int64_t> from((*at).take_front(dim));
    from.push_back(std::clamp<int64_t>(indexAt(index, index.linear(which)), 0,
                                       operand.dim(dim) - 1));
    llvm::append_range(from, (*at).drop_front(dim + chosen.size()));
    result->copy(place++, operand, operand.linear(from));
  }
  step.results[0] = *result;
  return success();
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

static LogicalResult evaluateScatter(ScatterOp op, Step &step) {
  size_t count = op.getInputs().size();
  SmallVector<Tensor> inputs = step.tensors(0, count),
                      updates = step.tensors(count + 1, count), results;
  const Tensor &indices = step.tensor(count);
  ScatterDimensionNumbersAttr dims = op.getScatterDimensionNumbers();
  Windows windows{
      dims.getUpdateWindowDims(),         dims.getInsertedWindowDims(),
      dims.getInputBatchingDims(),        dims.getScatterIndicesBatchingDims(),
      dims.getScatterDimsToOperandDims(), dims.getIndexVectorDim()};
  ArrayRef<int64_t> shape = inputs[0].shape(), updateShape = updates[0].shape();
  if (failed(windows.check(step, inputs[0], indices)))
    return failure();
  for (size_t i = 0; i < count; ++i)
    if (inputs[i].shape() != shape || updates[i].shape() != updateShape)
      return step.error()
             << "expected inputs of the same shape and updates of the same "
                "shape, got "
             << inputs[i].type() << " and " << updates[i].type();

  SmallVector<int64_t> keptDims, windowShape,
      batchShape = windows.batchShape(indices), updateBatchShape;
  for (int64_t d = 0; d < inputs[0].rank(); ++d)
    if (!windows.isRemoved(d))
      keptDims.push_back(d);
  for (auto [d, extent] : llvm::enumerate(updateShape))
    (llvm::is_contained(windows.windowDims, int64_t(d)) ? windowShape
                                                        : updateBatchShape)
        .push_back(extent);
  if (updateBatchShape != batchShape || windowShape.size() != keptDims.size())
    return step.error() << "expected updates with the shape of the indices "
                           "and of a window, got "
                        << updates[0].type() << " for " << indices.type();

  // The results have the types of the region, which may be wider than the
  // inputs'.
  for (size_t i = 0; i < count; ++i) {
    FailureOr<Tensor> result = step.make(i, shape);
    if (failed(result))
      return failure();
    if (result->element().kind != inputs[i].element().kind ||
        updates[i].element().kind != inputs[i].element().kind)
      return step.error() << "expected results and updates of the kind of the "
                             "inputs, got "
                          << result->type() << " and " << updates[i].type()
                          << " for " << inputs[i].type();
    for (int64_t place = 0; place < result->size(); ++place)
      if (result->element() == inputs[i].element())
        result->copy(place, inputs[i], place);
      else
        result->set(place, inputs[i].at(place));
    results.push_back(*result);
  }

  if (updates[0].size() == 0) {
    llvm::copy(results, step.results.begin());
    return success();
  }

  Reducer update(op.getUpdateComputation(), step.evaluator);
  SmallVector<Scalar> arguments(2 * count), updated(count);
  for (Index batch(batchShape); batch; ++batch) {
    SmallVector<int64_t> start(shape.size(), 0);
    for (auto [component, d] :
         llvm::zip(windows.start(indices, *batch), windows.indexMap))
      start[d] = component;
    windows.addBatching(start, *batch);
    for (Index window(windowShape); window; ++window) {
      SmallVector<int64_t> at(start);
      bool inBounds = true;
      for (auto [i, d] : llvm::enumerate(keptDims))
        inBounds &= !llvm::AddOverflow(at[d], window[i], at[d]);
      for (auto [place, extent] : llvm::zip(at, shape))
        inBounds &= 0 <= place && place < extent;
      if (!inBounds)
        continue;
      int64_t to = results[0].linear(at),
              from = updates[0].linear(windows.combine(*batch, *window));
      for (size_t i = 0; i < count; ++i) {
        arguments[i] = results[i].at(to);
        arguments[count + i] = results[i].element().round(updates[i].at(from));
      }
      if (failed(update(arguments, updated)))
        return failure();
      for (size_t i = 0; i < count; ++i)
        results[i].set(to, updated[i]);
    }
  }
  llvm::copy(results, step.results.begin());
  return success();
}

void addGatherScatterRules(Rules &rules) {
  rules.add<GatherOp, evaluateGather>();
  rules.add<DynamicGatherOp, evaluateDynamicGather>();
  rules.add<TorchIndexSelectOp, evaluateTorchIndexSelect>();
  rules.add<ScatterOp, evaluateScatter>();
}

} // namespace mercator::reference
