// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The passes of Mercator for command lines. Each is declared and registered in
/// the Passes.h of its folder.

#ifndef MERCATOR_TRANSFORMS_PASSES_H
#define MERCATOR_TRANSFORMS_PASSES_H

namespace mercator {

/// All passes under their names, and the flow pipeline.
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
