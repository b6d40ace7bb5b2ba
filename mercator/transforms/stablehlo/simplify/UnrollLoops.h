// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Loops whose number of iterations follows from constants, as their iterations:
///
///   while (i < 3) { x = x * x; i = i + 1 }  ->  x * x, squared twice more
///
/// The counters become constants, so that what depends on them is known as well.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_SIMPLIFY_UNROLLLOOPS_H
#define MERCATOR_TRANSFORMS_STABLEHLO_SIMPLIFY_UNROLLLOOPS_H

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/IRMapping.h"

#include <optional>

namespace mercator::stablehlo {

/// The value of an integer with one element that follows from constants.
[[nodiscard]] std::optional<llvm::APInt> integerOf(mlir::Value value);

/// The operations in a block and in the regions of its operations.
[[nodiscard]] int64_t countOperations(mlir::Block &block);

/// Copies a block to the builder's place. Returns the operands of its terminator.
llvm::SmallVector<mlir::Value> copyBlock(mlir::OpBuilder &b, mlir::Block &block,
                                         mlir::IRMapping &mapping);

/// Replaces a loop by its iterations and returns the number of operations that they
/// have. Nothing changes if the number of iterations is not known, if they have more
/// than `most` operations, or if there are more than `mostIterations`. Linear in the
/// operations of the iterations.
std::optional<int64_t> unroll(WhileOp loop, int64_t most,
                              int64_t mostIterations);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_SIMPLIFY_UNROLLLOOPS_H
