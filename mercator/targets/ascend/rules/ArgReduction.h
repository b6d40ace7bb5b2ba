// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Reductions that find the index of the greatest or the least element.

#ifndef MERCATOR_TARGETS_ASCEND_RULES_ARGREDUCTION_H
#define MERCATOR_TARGETS_ASCEND_RULES_ARGREDUCTION_H

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/rules/Convert.h"

namespace mercator::ascend {

/// Whether a converted value counts 0, 1, .. along a dimension, as an iota does.
[[nodiscard]] bool countsAlong(mlir::Value value, int64_t dim);

/// The index of the greatest or least element along a dimension: the StableHLO
/// form of jnp.argmax and jnp.argmin. Fails with an empty `why` for any other
/// reduction.
[[nodiscard]] mlir::FailureOr<mlir::Value>
convertArgReduction(Conversion &c, stablehlo::ReduceOp op);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_RULES_ARGREDUCTION_H
