// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The windows of operations, in the form of the algebra. Internal.

#ifndef MERCATOR_ANALYSIS_MAPS_MODELS_WINDOWS_H
#define MERCATOR_ANALYSIS_MAPS_MODELS_WINDOWS_H

#include "mercator/analysis/maps/models/Model.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/dialects/stablehlo/Verify.h"

namespace mercator::maps {

/// The window of an operation. Requires: a verified operation.
template <typename Op>
llvm::SmallVector<indexing::WindowDim>
windowOf(Op op, llvm::ArrayRef<int64_t> sizes,
         std::optional<llvm::ArrayRef<int64_t>> baseDilations,
         std::optional<llvm::ArrayRef<int64_t>> windowDilations) {
  auto specs =
      stablehlo::readWindow(op, sizes, op.getWindowStrides(), baseDilations,
                            windowDilations, op.getPaddingAttr());
  llvm::SmallVector<indexing::WindowDim> window;
  if (llvm::succeeded(specs))
    for (const stablehlo::WindowSpec &s : *specs)
      window.push_back(
          {s.size, s.stride, s.low, s.high, s.baseDilation, s.windowDilation});
  return window;
}

/// True if window d contains element d and no other.
inline bool isTrivial(const indexing::WindowDim &w) {
  return w.size == 1 && w.stride == 1 && w.low == 0 && w.high == 0 &&
         w.baseDilation == 1;
}

/// True if the arithmetic of the window over these sizes fits int64.
inline bool windowFits(const indexing::WindowDim &w, int64_t in, int64_t out) {
  return w.size >= 1 && w.stride >= 1 && w.baseDilation >= 1 &&
         w.windowDilation >= 1 && fits(w.low) && fits(w.high) &&
         productFits({in, w.baseDilation}) && productFits({out, w.stride}) &&
         productFits({w.size, w.windowDilation});
}

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_MODELS_WINDOWS_H
