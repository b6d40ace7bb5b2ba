// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The branches of an `if` or a `case` that may run. Internal.

#ifndef MERCATOR_ANALYSIS_MAPS_BRANCHES_H
#define MERCATOR_ANALYSIS_MAPS_BRANCHES_H

#include "mercator/analysis/maps/Walk.h"

namespace mercator::maps {

/// All branches, or the one that a constant predicate selects.
[[nodiscard]] llvm::SmallVector<mlir::Region *>
liveBranches(mlir::Operation *op);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_BRANCHES_H
