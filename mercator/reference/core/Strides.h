// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The positions of elements in a tensor, for nested loops over some of its
/// dimensions.
///
/// ```cpp
/// Ints strides = stridesOf({2, 3, 4});
/// assert(strides == Ints({12, 4, 1}));
/// assert(pick(strides, {0, 2}) == Ints({12, 1}));
/// assert(otherDims(3, {1}) == Ints({0, 2}));
/// assert(offset({1, 2}, {12, 1}) == 14);
/// ```

#ifndef MERCATOR_REFERENCE_CORE_STRIDES_H
#define MERCATOR_REFERENCE_CORE_STRIDES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cassert>
#include <cstdint>

namespace mercator::reference {

using Ints = llvm::SmallVector<int64_t, 6>;

/// The distance, in row-major order, between neighbors along each dimension.
/// Unspecified for a shape without elements.
[[nodiscard]] Ints stridesOf(llvm::ArrayRef<int64_t> shape);

/// values[dims[0]], values[dims[1]], ..
[[nodiscard]] Ints pick(llvm::ArrayRef<int64_t> values,
                        llvm::ArrayRef<int64_t> dims);

/// The dimensions below `rank` that are not in `dims`, ascending.
[[nodiscard]] Ints otherDims(int64_t rank, llvm::ArrayRef<int64_t> dims);

/// The position of an index relative to the index of zeros.
[[nodiscard]] inline int64_t offset(llvm::ArrayRef<int64_t> index,
                                    llvm::ArrayRef<int64_t> strides) {
  assert(index.size() == strides.size() && "expected one stride a dimension");
  int64_t sum = 0;
  for (size_t i = 0; i < index.size(); ++i)
    sum += index[i] * strides[i];
  return sum;
}

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_STRIDES_H
