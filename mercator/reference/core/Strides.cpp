// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/core/Strides.h"

#include "llvm/ADT/STLExtras.h"

namespace mercator::reference {

Ints stridesOf(llvm::ArrayRef<int64_t> shape) {
  Ints strides(shape.size());
  uint64_t next = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    strides[dim] = int64_t(next);
    next *= uint64_t(shape[dim]);
  }
  return strides;
}

Ints pick(llvm::ArrayRef<int64_t> values, llvm::ArrayRef<int64_t> dims) {
  Ints picked;
  for (int64_t dim : dims)
    picked.push_back(values[dim]);
  return picked;
}

Ints otherDims(int64_t rank, llvm::ArrayRef<int64_t> dims) {
  Ints others;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(dims, dim))
      others.push_back(dim);
  return others;
}

} // namespace mercator::reference
