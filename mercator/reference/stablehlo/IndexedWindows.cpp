// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/stablehlo/IndexedWindows.h"

#include "mercator/reference/core/Indices.h"

using namespace mlir;

namespace mercator::reference {

LogicalResult IndexedWindows::check(Step &step, const Tensor &big,
                                    const Tensor &indices) const {
  int64_t components =
      indexVectorDim < indices.rank() ? indices.dim(indexVectorDim) : 1;
  if (components != int64_t(indexMap.size()))
    return step.error() << "expected index vectors of " << indexMap.size()
                        << " components, got " << components;
  for (auto [ours, theirs] : llvm::zip(batchingDims, indicesBatchingDims))
    if (big.dim(ours) != indices.dim(theirs))
      return step.error() << "expected batching dimensions of one extent, got "
                          << big.dim(ours) << " and " << indices.dim(theirs);
  return success();
}

SmallVector<int64_t> IndexedWindows::start(const Tensor &indices,
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

void IndexedWindows::addBatching(SmallVectorImpl<int64_t> &start,
                                 ArrayRef<int64_t> batch) const {
  for (auto [ours, theirs] : llvm::zip(batchingDims, indicesBatchingDims))
    start[ours] += batch[theirs - (theirs < indexVectorDim ? 0 : 1)];
}

} // namespace mercator::reference
