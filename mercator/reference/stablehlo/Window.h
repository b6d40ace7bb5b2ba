// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A window that slides along one dimension of a tensor. The dimension may be
/// padded (cut for a negative width) and may have holes between its elements;
/// the window may have holes too.
///
/// ```cpp
/// Window window{.size = 3, .low = 1, .high = 1};
/// assert(window.positions(5) == 5);
/// assert(window.element(0, 0, 5) == -1); // padding
/// assert(window.element(0, 1, 5) == 0);
/// assert(window.element(4, 2, 5) == -1);
/// ```

#ifndef MERCATOR_REFERENCE_STABLEHLO_WINDOW_H
#define MERCATOR_REFERENCE_STABLEHLO_WINDOW_H

#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

struct Window {
  int64_t size = 1, stride = 1, low = 0, high = 0, baseDilation = 1,
          windowDilation = 1;

  /// The number of positions of the window within `extent` elements, padded.
  [[nodiscard]] int64_t positions(int64_t extent) const;

  /// The element at `offset` of the window at `position`; -1 for padding and
  /// holes. Requires: `position` is below `positions(extent)`, `offset` below
  /// `size`.
  [[nodiscard]] int64_t element(int64_t position, int64_t offset,
                                int64_t extent) const {
    int64_t padded = position * stride + offset * windowDilation - low;
    if (padded < 0)
      return -1;
    if (baseDilation != 1) {
      if (padded % baseDilation != 0)
        return -1;
      padded /= baseDilation;
    }
    return padded < extent ? padded : -1;
  }
};

/// The attributes that describe windows; absent ones have their defaults.
struct WindowAttributes {
  llvm::ArrayRef<int64_t> sizes;
  std::optional<llvm::ArrayRef<int64_t>> strides, baseDilations,
      windowDilations;
  /// Pairs of low and high.
  std::optional<llvm::SmallVector<int64_t>> padding;
};

/// One window for each dimension. Fails with an error if an attribute does not
/// have one valid entry for each dimension, or if windows over `extents` would
/// overflow 64 bits.
llvm::FailureOr<llvm::SmallVector<Window>>
readWindows(const Step &step, const WindowAttributes &attributes,
            llvm::ArrayRef<int64_t> extents);

/// Applies `body` to the windows of `inputs`, padded with the initial values.
/// Returns one result for each input, as the operation of the step declares.
/// Windows that extend the previous one take linear time, with the same order
/// of operations.
llvm::FailureOr<llvm::SmallVector<Tensor>>
reduceWindows(Step &step, mlir::Region &body, llvm::ArrayRef<Tensor> inputs,
              llvm::ArrayRef<Tensor> initValues, const WindowAttributes &how);

/// The padding attribute, or nothing.
[[nodiscard]] std::optional<llvm::SmallVector<int64_t>>
readPadding(std::optional<mlir::DenseIntElementsAttr> padding);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_STABLEHLO_WINDOW_H
