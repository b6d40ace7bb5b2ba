// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Mercator's passes that are independent of flow/ and util/. Those folders
/// declare their passes in their own Passes.h.

#ifndef MERCATOR_TRANSFORMS_PASSES_H
#define MERCATOR_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace mercator {

/// `--chlo-legalize-to-stablehlo`: expands every operation of `chlo` to
/// StableHLO. An operation that cannot be expanded (for example a scan with an
/// unknown number of steps) is an error.
std::unique_ptr<mlir::Pass> createChloLegalizeToStablehloPass();

/// For command lines: registers all passes under their names.
void registerMercatorPasses();

/// The same for the MLIR passes that are used together with these: general ones
/// (`--canonicalize`, `--cse`, `--symbol-dce`, ...), passes for linalg
/// (`--convert-elementwise-to-linalg`, `--linalg-fold-unit-extent-dims`,
/// `--linalg-detensorize`, ...), for the extents of results
/// (`--resolve-ranked-shaped-type-result-dims`,
/// `--resolve-shaped-type-result-dims`), and for scripts
/// (`--transform-interpreter`).
void registerUpstreamPasses();

} // namespace mercator

#endif // MERCATOR_TRANSFORMS_PASSES_H
