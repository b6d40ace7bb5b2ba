// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Windows of a tensor at places that another tensor names, as gathers and
/// scatters have them. Both operations are a loop over the index vectors, and
/// in it one over the elements of a window.

#ifndef MERCATOR_REFERENCE_STABLEHLO_INDEXEDWINDOWS_H
#define MERCATOR_REFERENCE_STABLEHLO_INDEXEDWINDOWS_H

#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

/// What gather and scatter share. The *big* tensor is the one with windows in
/// it, the *small* one consists of windows: result and updates, respectively.
struct IndexedWindows {
  /// Dimensions of the small tensor that run over a window.
  llvm::ArrayRef<int64_t> windowDims;
  /// Dimensions of the big tensor that a window does not have.
  llvm::ArrayRef<int64_t> removedDims;
  /// Dimensions that both the big tensor and the indices have.
  llvm::ArrayRef<int64_t> batchingDims, indicesBatchingDims;
  /// The dimension of the big tensor for each component of an index vector.
  llvm::ArrayRef<int64_t> indexMap;
  int64_t indexVectorDim;

  [[nodiscard]] bool isRemoved(int64_t bigDim) const {
    return llvm::is_contained(removedDims, bigDim) ||
           llvm::is_contained(batchingDims, bigDim);
  }
  /// The shape of the indices without the dimension of index vectors.
  llvm::SmallVector<int64_t> batchShape(const Tensor &indices) const {
    llvm::SmallVector<int64_t> shape(indices.shape());
    if (indexVectorDim < int64_t(shape.size()))
      shape.erase(shape.begin() + indexVectorDim);
    return shape;
  }
  /// An index of the small tensor, of its two parts.
  llvm::SmallVector<int64_t> combine(llvm::ArrayRef<int64_t> batch,
                                     llvm::ArrayRef<int64_t> window) const {
    llvm::SmallVector<int64_t> index;
    for (int64_t d = 0, rank = batch.size() + window.size(); d < rank; ++d)
      index.push_back(llvm::is_contained(windowDims, d)
                          ? window.consume_front()
                          : batch.consume_front());
    return index;
  }
  /// What is true of the shapes that the tensors have now, and was checked of
  /// types that may have left them open.
  llvm::LogicalResult check(Step &step, const Tensor &big,
                            const Tensor &indices) const;
  /// The index vector for an index of the batch.
  llvm::SmallVector<int64_t> start(const Tensor &indices,
                                   llvm::ArrayRef<int64_t> batch) const;
  /// Adds the part of an index of the big tensor that batching dimensions give.
  void addBatching(llvm::SmallVectorImpl<int64_t> &start,
                   llvm::ArrayRef<int64_t> batch) const;
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_STABLEHLO_INDEXEDWINDOWS_H
