// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The kernels of compiled HLO: what XLA already put together. A kernel is a
/// fusion, or an instruction that computes outside of one.

#ifndef MERCATOR_COMPILER_PROGRAM_KERNELS_H
#define MERCATOR_COMPILER_PROGRAM_KERNELS_H

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace mercator {

/// In program order. Empty if the program has no fusions.
[[nodiscard]] std::vector<mlir::Operation *> findKernels(mlir::ModuleOp module);

/// True for instructions that move no data.
[[nodiscard]] bool movesNoData(mlir::Operation *op);

} // namespace mercator

#endif // MERCATOR_COMPILER_PROGRAM_KERNELS_H
