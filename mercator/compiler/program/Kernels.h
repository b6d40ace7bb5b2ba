// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The kernels of compiled HLO: what XLA already put together. A kernel is a
/// fusion, or an instruction that computes outside of one.

#ifndef MERCATOR_COMPILER_PROGRAM_KERNELS_H
#define MERCATOR_COMPILER_PROGRAM_KERNELS_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <vector>

namespace mercator {

/// In program order. Empty if the program has no fusions.
[[nodiscard]] std::vector<mlir::Operation *> findKernels(mlir::ModuleOp module);

/// True for instructions that move no data.
[[nodiscard]] bool movesNoData(mlir::Operation *op);

/// Whether `op` is one of them, in a program that has fusions.
[[nodiscard]] bool isKernel(mlir::Operation *op);
/// The bytes of the operands and results of a kernel; none if one is unknown.
[[nodiscard]] std::optional<int64_t> kernelBytes(mlir::Operation *kernel);

} // namespace mercator

#endif // MERCATOR_COMPILER_PROGRAM_KERNELS_H
