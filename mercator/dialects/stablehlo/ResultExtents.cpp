// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/dialects/stablehlo/ResultExtents.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVectorExtras.h"

using llvm::ArrayRef;
using llvm::failure;
using llvm::FailureOr;
using llvm::SmallVector;

namespace mercator::stablehlo {

//===----------------------------------------------------------------------===//
// Movement
//===----------------------------------------------------------------------===//

FailureOr<Extents> transposed(ArrayRef<Extent> operand,
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

int64_t sliced(int64_t start, int64_t limit, int64_t stride) {
  int64_t length = limit - start;
  return length == 0 ? 0 : (length - 1) / stride + 1;
}

FailureOr<Extents> sliced(ArrayRef<int64_t> start, ArrayRef<int64_t> limit,
                          ArrayRef<int64_t> strides) {
  if (start.size() != limit.size() || start.size() != strides.size())
    return failure();
  Extents result;
  for (auto [from, to, stride] : llvm::zip(start, limit, strides)) {
    if (from < 0 || to < from || stride < 1)
      return failure();
    result.push_back(Extent::of(sliced(from, to, stride)));
  }
  return result;
}

Wide paddedSize(int64_t n, int64_t low, int64_t high, int64_t interior) {
  Wide between = n == 0 ? 0 : Wide(n - 1) * interior;
  return between + n + low + high;
}

FailureOr<Extent> padded(Extent n, int64_t low, int64_t high,
                         int64_t interior) {
  if (interior < 0)
    return failure();
  bool fits = true;
  Extent result = map(n, [&](int64_t count) {
    Wide total = paddedSize(count, low, high, interior);
    fits &= total >= 0 && total <= INT64_MAX;
    return int64_t(total);
  });
  if (!fits)
    return failure();
  return result;
}

FailureOr<Extents> concatenated(ArrayRef<Extents> inputs, int64_t dim) {
  if (inputs.empty())
    return failure();
  Extents result = inputs[0];
  if (dim < 0 || dim >= int64_t(result.size()))
    return failure();
  for (const Extents &more : inputs.drop_front()) {
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

Extents without(ArrayRef<Extent> operand, ArrayRef<int64_t> dims) {
  Extents kept;
  for (auto [i, extent] : llvm::enumerate(operand))
    if (!llvm::is_contained(dims, int64_t(i)))
      kept.push_back(extent);
  return kept;
}

//===----------------------------------------------------------------------===//
// Gather and scatter
//===----------------------------------------------------------------------===//

Extents batchExtents(ArrayRef<Extent> indices, int64_t indexVectorDim) {
  return without(indices, indexVectorDim);
}

SmallVector<int64_t> keptDims(int64_t rank, ArrayRef<int64_t> removed,
                              ArrayRef<int64_t> batching) {
  llvm::SmallBitVector gone(rank);
  for (ArrayRef<int64_t> dims : {removed, batching})
    for (int64_t dim : dims)
      if (dim >= 0 && dim < rank)
        gone.set(dim);
  SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!gone.test(dim))
      kept.push_back(dim);
  return kept;
}

FailureOr<Extents> merged(ArrayRef<Extent> batch, ArrayRef<Extent> window,
                          ArrayRef<int64_t> windowDims) {
  llvm::SmallBitVector isWindow(batch.size() + window.size());
  for (int64_t dim : windowDims) {
    if (dim < 0 || dim >= int64_t(isWindow.size()))
      return failure();
    isWindow.set(dim);
  }
  if (isWindow.count() != window.size())
    return failure();
  Extents result;
  for (unsigned i = 0; i < isWindow.size(); ++i)
    result.push_back((isWindow.test(i) ? window : batch).consume_front());
  return result;
}

FailureOr<Extents> gathered(ArrayRef<Extent> indices,
                            ArrayRef<Extent> sliceSizes,
                            const GatherSpec &spec) {
  if (spec.indexVectorDim < 0 || spec.indexVectorDim > int64_t(indices.size()))
    return failure();
  Extents window;
  for (int64_t dim :
       keptDims(sliceSizes.size(), spec.collapsedDims, spec.batchingDims))
    window.push_back(sliceSizes[dim]);
  return merged(batchExtents(indices, spec.indexVectorDim), window,
                spec.offsetDims);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// `n` elements with `by` - 1 places between each two.
static Wide dilated(int64_t n, int64_t by) {
  return n == 0 ? 0 : (Wide(n) - 1) * by + 1;
}

Wide paddedBase(int64_t n, const WindowSpec &window) {
  return dilated(n, window.baseDilation) + window.low + window.high;
}

Wide windowLength(const WindowSpec &window) {
  return dilated(window.size, window.windowDilation);
}

FailureOr<Extent> windowPlaces(Extent n, const WindowSpec &window) {
  if (window.size == Extent::kUnknown)
    return Extent();
  if (window.size < 0 || window.stride < 1 || window.baseDilation < 1 ||
      window.windowDilation < 1)
    return failure();
  Wide length = windowLength(window);
  bool fits = true;
  Extent places = map(n, [&](int64_t count) {
    Wide base = paddedBase(count, window);
    Wide result =
        base <= 0 || base < length ? 0 : (base - length) / window.stride + 1;
    fits &= result <= INT64_MAX;
    return int64_t(result);
  });
  if (!fits)
    return failure();
  return places;
}

//===----------------------------------------------------------------------===//
// Dot and convolution
//===----------------------------------------------------------------------===//

Extents contracted(ArrayRef<Extent> lhs, ArrayRef<Extent> rhs,
                   const DotSpec &spec) {
  Extents result;
  for (auto [l, r] : llvm::zip(spec.lhsBatching, spec.rhsBatching))
    result.push_back(lhs[l].isKnown() ? lhs[l] : meet(lhs[l], rhs[r]));
  auto joined = [](ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
    return llvm::to_vector(llvm::concat<const int64_t>(a, b));
  };
  llvm::append_range(
      result, without(lhs, joined(spec.lhsBatching, spec.lhsContracting)));
  llvm::append_range(
      result, without(rhs, joined(spec.rhsBatching, spec.rhsContracting)));
  return result;
}

Extents convolved(Extent batch, Extent features, ArrayRef<Extent> places,
                  const ConvSpec &spec) {
  Extents result(places.size() + 2);
  result[spec.batchDim] =
      map(batch, [&](int64_t n) { return n / spec.batchGroups; });
  result[spec.featureDim] = features;
  for (auto [dim, count] : llvm::zip(spec.spatialDims, places))
    result[dim] = count;
  return result;
}

} // namespace mercator::stablehlo
