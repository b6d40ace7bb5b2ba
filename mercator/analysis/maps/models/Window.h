// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows that slide over a tensor, and reductions of them. Internal.

#ifndef MERCATOR_ANALYSIS_MAPS_MODELS_WINDOW_H
#define MERCATOR_ANALYSIS_MAPS_MODELS_WINDOW_H

#include "mercator/analysis/maps/Model.h"
#include "mercator/analysis/maps/RegionReads.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

namespace mercator::maps {

/// The attributes of windows: one entry for each dimension of the tensor. A
/// list that is absent has its default in each dimension.
struct WindowLists {
  llvm::ArrayRef<int64_t> sizes;
  std::optional<llvm::ArrayRef<int64_t>> strides = {}, baseDilations = {},
                                         windowDilations = {};
  llvm::ArrayRef<int64_t> padding = {}; ///< low, high of each; empty: none
};

/// Requires: no list is shorter than `sizes`, as verifiers check.
[[nodiscard]] llvm::SmallVector<indexing::WindowDim>
windowsOf(const WindowLists &lists);

/// The elements of an attribute of 64-bit integers, in order; empty for null.
[[nodiscard]] llvm::SmallVector<int64_t>
integersOf(mlir::DenseIntElementsAttr elements);

/// True if the window's arithmetic over these sizes stays in int64.
[[nodiscard]] bool windowFits(const indexing::WindowDim &w, int64_t in,
                              int64_t out);

/// How many places the window has over a dimension of this size. Requires: it
/// fits.
[[nodiscard]] int64_t placesOf(const indexing::WindowDim &w, int64_t size);

/// A reduction of windows over `inputs` tensors, whose initial values are the
/// operands after them. `reads` tells what the body reads for the result asked
/// about.
[[nodiscard]] MapSet windowReductionMaps(const Query &q, unsigned inputs,
                                         const FoldReads &reads,
                                         const WindowLists &lists);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_MODELS_WINDOW_H
