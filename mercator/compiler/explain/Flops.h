// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How many floating-point operations an operation computes.
///
///   %y = stablehlo.exponential %x : tensor<4x8xf32>            32
///   %z = stablehlo.dot_general %a, %b : f32[64,32], f32[32,64]  2 * 64*64*32
///   %m = stablehlo.reduce %x by maximum : f32[64,128]           64*128
///
/// One for each arithmetic operation on floats and each point of its loops;
/// comparisons, selections, conversions and moves are not counted. A fusion or a
/// call counts what it runs.

#ifndef MERCATOR_COMPILER_EXPLAIN_FLOPS_H
#define MERCATOR_COMPILER_EXPLAIN_FLOPS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace mercator {

/// Of loops in linalg. None if an extent is unknown.
[[nodiscard]] std::optional<int64_t> flopsOf(mlir::linalg::LinalgOp op);

/// Of an operation of StableHLO, or a fusion of them. None if an extent is
/// unknown, or the count depends on more than the types: loops, branches, sorts
/// of floats, calls of libraries. Complexity: the number of operations inside.
[[nodiscard]] std::optional<int64_t> flopsOf(mlir::Operation *op);

} // namespace mercator

#endif // MERCATOR_COMPILER_EXPLAIN_FLOPS_H
