// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MERCATOR_TRANSFORMS_CHLO_PASSES_H
#define MERCATOR_TRANSFORMS_CHLO_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace mercator::chlo {

/// `--chlo-legalize-to-stablehlo`: spells every operation of `chlo` in
/// StableHLO. An operation that it cannot spell (a scan over an unknown number
/// of steps, say) is an error. With `keepsErf`, `chlo.erf` and `chlo.erfc` of f32
/// stay, for a stage that has functions for them; one of narrower floats becomes
/// one of f32.
std::unique_ptr<mlir::Pass>
createChloLegalizeToStablehlo(bool keepsErf = false);

/// For command lines.
void registerChloPasses();

} // namespace mercator::chlo

#endif // MERCATOR_TRANSFORMS_CHLO_PASSES_H
