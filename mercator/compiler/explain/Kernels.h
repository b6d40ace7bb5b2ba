// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The kernels of compiled HLO: what XLA already put together. A kernel is a
/// fusion, or an instruction that computes outside of one.

#ifndef MERCATOR_COMPILER_EXPLAIN_KERNELS_H
#define MERCATOR_COMPILER_EXPLAIN_KERNELS_H

#include "mercator/compiler/explain/Explanation.h"

#include "mlir/IR/BuiltinOps.h"

namespace mercator {

/// In program order. Empty if the program has no fusions.
[[nodiscard]] std::vector<Explanation::Dispatch>
findKernels(mlir::ModuleOp module);

} // namespace mercator

#endif // MERCATOR_COMPILER_EXPLAIN_KERNELS_H
