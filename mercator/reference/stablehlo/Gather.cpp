// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gathers: windows of a tensor at places that another tensor names.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Indices.h"
#include "mercator/reference/stablehlo/IndexedWindows.h"
#include "mercator/reference/stablehlo/Rules.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

static LogicalResult gather(Step &step, GatherDimensionNumbersAttr dims,
                            ArrayRef<int64_t> sliceSizes) {
  const Tensor &operand = step.tensor(0), &indices = step.tensor(1);
  IndexedWindows windows{
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
                        << operand.type() << " beside " << index.type();
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

void addGatherRules(EvaluationRules &rules) {
  rules.add<GatherOp, evaluateGather>();
  rules.add<DynamicGatherOp, evaluateDynamicGather>();
  rules.add<TorchIndexSelectOp, evaluateTorchIndexSelect>();
}

} // namespace mercator::reference
