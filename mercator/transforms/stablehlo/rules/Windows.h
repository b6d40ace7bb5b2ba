// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Windows that slide over a tensor, as reduce_window and select_and_scatter
/// have them: the attributes, and the tensor with its padding and holes.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_RULES_WINDOWS_H
#define MERCATOR_TRANSFORMS_STABLEHLO_RULES_WINDOWS_H

#include "mercator/transforms/stablehlo/lowering/Builders.h"

namespace mercator::stablehlo {

/// The windows along one dimension. A negative padding cuts elements off.
struct Window {
  int64_t size = 1, stride = 1, low = 0, high = 0, baseDilation = 1,
          windowDilation = 1;

  /// The number of elements from the first of a window to its last.
  [[nodiscard]] int64_t reach() const {
    return size == 0 ? 0 : (size - 1) * windowDilation + 1;
  }
};

/// Attributes that are absent have their defaults.
struct WindowAttributes {
  std::optional<llvm::ArrayRef<int64_t>> sizes, strides, baseDilations,
      windowDilations;
  std::optional<mlir::DenseIntElementsAttr> padding;
};
llvm::SmallVector<Window> readWindows(size_t rank,
                                      const WindowAttributes &attributes);

/// The extents of the tensor below.
Sizes paddedSizes(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                  llvm::ArrayRef<Window> windows);
/// `tensor` with holes between its elements, then with padding. Holes and
/// padding are `number`.
mlir::Value padForWindows(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                          llvm::ArrayRef<Window> windows, mlir::Value number);
/// Cuts off the elements that no window covers, if the extents are known. Then
/// the last window ends with the last element.
void trimWindows(llvm::ArrayRef<int64_t> extents,
                 llvm::MutableArrayRef<Window> windows);
/// The same of the tensor above, with the number of windows along each
/// dimension, if the extents are not known.
mlir::Value trimPadded(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                       llvm::ArrayRef<Window> windows,
                       llvm::ArrayRef<mlir::OpFoldResult> counts);
/// The number of windows in `padded` elements.
mlir::OpFoldResult countWindows(mlir::ImplicitLocOpBuilder &b,
                                const Window &window,
                                mlir::OpFoldResult padded);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_RULES_WINDOWS_H
