// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What cannot be lowered, found before any work starts: each kind of operation
/// is reported once, with its first place and the number of them.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_REFUSALS_H
#define MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_REFUSALS_H

#include "mercator/transforms/stablehlo/lowering/Lowering.h"

namespace mercator::stablehlo {

/// True for operations of the dialects that are lowered: stablehlo, chlo, hlo,
/// sdy.
[[nodiscard]] bool isSource(mlir::Operation *op);

/// Fails after errors if an operation below `root` has no rule and may not stay.
llvm::LogicalResult refuseUnsupported(mlir::Operation *root,
                                      const LoweringRules &rules);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_REFUSALS_H
