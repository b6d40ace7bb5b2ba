// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A loop over all indices of a shape, in row-major order: the last dimension
/// runs fastest, as in an odometer.
///
///   for (Index d({2, 3}); d; ++d)
///     visit(*d);                  // [0, 0], [0, 1], [0, 2], [1, 0], ..
///
/// A shape of rank 0 has one index. A shape with an extent 0 has none.

#ifndef MERCATOR_SUPPORT_INDEX_H
#define MERCATOR_SUPPORT_INDEX_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace mercator {

class Index {
public:
  explicit Index(llvm::ArrayRef<int64_t> shape)
      : shape(shape), index(shape.size(), 0),
        valid(!llvm::is_contained(shape, 0)) {}

  /// Whether there is an index; false past the last one.
  explicit operator bool() const { return valid; }
  Index &operator++() {
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++index[dim] < shape[dim])
        return *this;
      index[dim] = 0;
    }
    valid = false;
    return *this;
  }
  [[nodiscard]] llvm::ArrayRef<int64_t> operator*() const { return index; }
  [[nodiscard]] int64_t operator[](size_t dim) const { return index[dim]; }

private:
  llvm::SmallVector<int64_t, 6> shape, index;
  bool valid;
};

} // namespace mercator

#endif // MERCATOR_SUPPORT_INDEX_H
