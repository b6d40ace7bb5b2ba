// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The passes of Mercator. Those of flow/ and util/ are declared in the
/// Passes.h of their folders.

#ifndef MERCATOR_TRANSFORMS_PASSES_H
#define MERCATOR_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace mercator {

/// `--chlo-legalize-to-stablehlo`: spells every operation of `chlo` in
/// StableHLO. An operation that it cannot spell (a scan over an unknown number
/// of steps, say) is an error.
std::unique_ptr<mlir::Pass> createChloLegalizeToStablehloPass();

/// For command lines: all passes under their names.
void registerMercatorPasses();

/// The same for those of MLIR that the passes here are used with: what it has
/// for any program (`--canonicalize`, `--cse`, `--symbol-dce`, ...), for linalg
/// (`--convert-elementwise-to-linalg`, `--linalg-fold-unit-extent-dims`,
/// `--linalg-detensorize`, ...), for the extents of results
/// (`--resolve-ranked-shaped-type-result-dims`,
/// `--resolve-shaped-type-result-dims`), and for scripts
/// (`--transform-interpreter`).
void registerUpstreamPasses();

} // namespace mercator

#endif // MERCATOR_TRANSFORMS_PASSES_H
