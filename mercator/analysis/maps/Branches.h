// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which branches of an `if` or a `case` may run. Internal.

#ifndef MERCATOR_ANALYSIS_MAPS_BRANCHES_H
#define MERCATOR_ANALYSIS_MAPS_BRANCHES_H

#include "mercator/analysis/maps/Walk.h"

namespace mercator::maps {

/// All of them, or the one that a constant chooses.
[[nodiscard]] llvm::SmallVector<mlir::Region *>
liveBranches(mlir::Operation *op);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_BRANCHES_H
