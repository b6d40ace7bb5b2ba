// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_PASSES_H
#define MERCATOR_TRANSFORMS_STABLEHLO_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mercator::stablehlo {

/// `--stablehlo-legalize-to-linalg`: the rules of Lowering.h, applied to every
/// function of a module.
std::unique_ptr<mlir::Pass> createLegalizeToLinalg();

/// `--stablehlo-spell-custom-calls`: custom calls that stand for operations, such
/// as @TopK, become those operations.
std::unique_ptr<mlir::Pass> createSpellCustomCalls();

/// From StableHLO, chlo and hlo to linalg on tensors: spells custom calls and
/// chlo, lowers, and cleans up. A program without these dialects does not change.
void buildPipelineToLinalg(mlir::OpPassManager &passes);

/// For command lines: the passes above, and `--mercator-linalg-pipeline`.
void registerStablehloPasses();

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_PASSES_H
