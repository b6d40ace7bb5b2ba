// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// One dimension of a window, for access rules.

#ifndef MERCATOR_REFERENCE_PROVENANCE_WINDOW_H
#define MERCATOR_REFERENCE_PROVENANCE_WINDOW_H

#include "mercator/reference/provenance/AccessRules.h"

namespace mercator::reference {

struct WindowAxis {
  int64_t size = 1, stride = 1, low = 0, baseDilation = 1, windowDilation = 1;

  /// The element at `offset` of the window at `position`; nothing for padding
  /// and holes. Element n is at low + n * baseDilation.
  [[nodiscard]] std::optional<int64_t> element(int64_t position, int64_t offset,
                                               int64_t extent) const {
    int64_t at = position * stride + offset * windowDilation - low;
    if (at < 0 || at % baseDilation != 0 || at / baseDilation >= extent)
      return std::nullopt;
    return at / baseDilation;
  }
};

using OptionalNumbers = std::optional<llvm::ArrayRef<int64_t>>;

/// The windows of an operation's attributes; absent attributes mean 1 and no
/// padding. `low` is the padding before each dimension.
[[nodiscard]] inline llvm::SmallVector<WindowAxis>
windowAxes(llvm::ArrayRef<int64_t> sizes, OptionalNumbers strides,
           llvm::ArrayRef<int64_t> low, OptionalNumbers baseDilations,
           OptionalNumbers windowDilations) {
  llvm::SmallVector<WindowAxis> axes;
  for (size_t i = 0; i < sizes.size(); ++i)
    axes.push_back({sizes[i], strides ? (*strides)[i] : 1,
                    low.empty() ? 0 : low[i],
                    baseDilations ? (*baseDilations)[i] : 1,
                    windowDilations ? (*windowDilations)[i] : 1});
  return axes;
}

/// The padding before each dimension; empty without the attribute.
[[nodiscard]] inline llvm::SmallVector<int64_t>
lowPadding(std::optional<mlir::DenseIntElementsAttr> pairs) {
  llvm::SmallVector<int64_t> low;
  if (pairs)
    for (auto [i, amount] : llvm::enumerate(pairs->getValues<int64_t>()))
      if (i % 2 == 0)
        low.push_back(amount);
  return low;
}

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_PROVENANCE_WINDOW_H
