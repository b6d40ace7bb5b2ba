// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The extents of results, one function a family of operations. The inference
/// and the verifiers of StableHLO use them, and the shape checks of HLO text.
///
///   transposed(known({2, 3}), {1, 0})                   // 3, 2
///   without(known({2, 3, 4}), {1})                      // 2, 4
///
/// A function fails where an argument is out of its range; the caller says
/// which, in its own terms.

#ifndef MERCATOR_DIALECTS_STABLEHLO_RESULTEXTENTS_H
#define MERCATOR_DIALECTS_STABLEHLO_RESULTEXTENTS_H

#include "mercator/dialects/stablehlo/Extents.h"

#include "llvm/Support/LogicalResult.h"

namespace mercator::stablehlo {

/// A number that sums and products of a few int64 cannot leave.
using Wide = __int128;

//===--- Movement ---------------------------------------------------------===//

llvm::FailureOr<Extents> transposed(llvm::ArrayRef<Extent> operand,
                                    llvm::ArrayRef<int64_t> permutation);
/// The number of i with start <= i < limit in steps of `stride`.
/// Requires: start <= limit, 0 < stride.
[[nodiscard]] int64_t sliced(int64_t start, int64_t limit, int64_t stride);
llvm::FailureOr<Extents> sliced(llvm::ArrayRef<int64_t> start,
                                llvm::ArrayRef<int64_t> limit,
                                llvm::ArrayRef<int64_t> strides);
/// `n` elements with `interior` others between each two, and `low` and `high`
/// around them.
[[nodiscard]] Wide paddedSize(int64_t n, int64_t low, int64_t high,
                              int64_t interior);
/// The same of one dimension. Fails where the size is negative or no int64.
llvm::FailureOr<Extent> padded(Extent n, int64_t low, int64_t high,
                               int64_t interior);
llvm::FailureOr<Extents> concatenated(llvm::ArrayRef<Extents> inputs,
                                      int64_t dim);
/// The extents of the other dimensions.
[[nodiscard]] Extents without(llvm::ArrayRef<Extent> operand,
                              llvm::ArrayRef<int64_t> dims);

//===--- Gather and scatter -----------------------------------------------===//

/// The extents of the indices without the dimension that holds the components
/// of an index vector.
[[nodiscard]] Extents batchExtents(llvm::ArrayRef<Extent> indices,
                                   int64_t indexVectorDim);
/// The dimensions below `rank` that neither list removes.
[[nodiscard]] llvm::SmallVector<int64_t>
keptDims(int64_t rank, llvm::ArrayRef<int64_t> removed,
         llvm::ArrayRef<int64_t> batching);
/// Batch and window as one list, in which the window stands at `windowDims`.
llvm::FailureOr<Extents> merged(llvm::ArrayRef<Extent> batch,
                                llvm::ArrayRef<Extent> window,
                                llvm::ArrayRef<int64_t> windowDims);

struct GatherSpec {
  llvm::ArrayRef<int64_t> offsetDims, collapsedDims, batchingDims;
  int64_t indexVectorDim;
};
llvm::FailureOr<Extents> gathered(llvm::ArrayRef<Extent> indices,
                                  llvm::ArrayRef<Extent> sliceSizes,
                                  const GatherSpec &spec);

//===--- Windows ----------------------------------------------------------===//

/// A window over one dimension; `size` may be unknown.
struct WindowSpec {
  int64_t size = 1, stride = 1, low = 0, high = 0, baseDilation = 1,
          windowDilation = 1;
};
/// What the window slides over: `n` elements, dilated and padded.
[[nodiscard]] Wide paddedBase(int64_t n, const WindowSpec &window);
/// The elements from the first of a window to its last.
[[nodiscard]] Wide windowLength(const WindowSpec &window);
/// How many places the window has over `n` elements. Fails where they are no
/// int64.
llvm::FailureOr<Extent> windowPlaces(Extent n, const WindowSpec &window);

//===--- Dot and convolution ----------------------------------------------===//

struct DotSpec {
  llvm::ArrayRef<int64_t> lhsBatching, rhsBatching, lhsContracting,
      rhsContracting;
};
/// Requires: the dimensions are within the operands.
[[nodiscard]] Extents contracted(llvm::ArrayRef<Extent> lhs,
                                 llvm::ArrayRef<Extent> rhs,
                                 const DotSpec &spec);

/// Where a convolution's result has its dimensions.
struct ConvSpec {
  int64_t batchDim, featureDim;
  llvm::ArrayRef<int64_t> spatialDims;
  int64_t batchGroups = 1;
};
/// The result of a batch, of a kernel's output features, and of the places that
/// windows have. Requires: the dimensions are those of the result, each once.
[[nodiscard]] Extents convolved(Extent batch, Extent features,
                                llvm::ArrayRef<Extent> places,
                                const ConvSpec &spec);

} // namespace mercator::stablehlo

#endif // MERCATOR_DIALECTS_STABLEHLO_RESULTEXTENTS_H
