// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How many replicas and partitions run a program. Internal.
///
///   mercator run f.mlir --processes=4                  as the program says
///   mercator run f.mlir --processes=4 --replicas=2     2 replicas of 2 partitions
///
/// A program says it by the attributes `mhlo.num_replicas` and `mhlo.num_partitions`
/// of its module, which JAX and XLA write, or by its collectives: their groups are of
/// replicas, or of partitions.

#ifndef MERCATOR_COMPILER_RUN_GRID_H
#define MERCATOR_COMPILER_RUN_GRID_H

#include "mercator/compiler/program/Answer.h"
#include "mercator/compiler/run/Run.h"
#include "mercator/support/Diagnostic.h"

namespace mercator {

/// Fails after an error: the numbers do not fit, or the program does not say.
[[nodiscard]] Answer<stablehlo::ProcessCounts>
processGridOf(mlir::ModuleOp module, const RunOptions &options,
              DiagnosticEngine &diagnostics);

} // namespace mercator

#endif // MERCATOR_COMPILER_RUN_GRID_H
