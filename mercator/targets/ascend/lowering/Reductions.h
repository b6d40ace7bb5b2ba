// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What GE reduces by.
///
///   isIdentity(zero, Reduction::sum, f32)       // true
///   reduce(b, Reduction::sum, x, {1}, type)     // ascend.ReduceSum

#ifndef MERCATOR_TARGETS_ASCEND_LOWERING_REDUCTIONS_H
#define MERCATOR_TARGETS_ASCEND_LOWERING_REDUCTIONS_H

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/targets/ascend/lowering/Convert.h"

namespace mercator::ascend {

enum class Reduction { sum, product, greatest, least, all, any };

/// Whether a value is known to be what leaves every other as it is.
[[nodiscard]] bool isIdentity(mlir::Value value, Reduction by,
                              mlir::Type element);

/// Requires: the operator takes the element type of `x`: `all` and `any`
/// booleans, the others numbers. Without dimensions it is `x`.
[[nodiscard]] mlir::Value reduce(mlir::ImplicitLocOpBuilder &b, Reduction by,
                                 mlir::Value x, llvm::ArrayRef<int64_t> dims,
                                 mlir::RankedTensorType type);

/// The greatest, or least, element along a dimension and where it is: what
/// jnp.argmax and jnp.argmin are in StableHLO. Fails with an empty `why` where
/// the reduction is none of these.
[[nodiscard]] mlir::FailureOr<mlir::Value>
convertArgReduction(Conversion &c, stablehlo::ReduceOp op);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_LOWERING_REDUCTIONS_H
