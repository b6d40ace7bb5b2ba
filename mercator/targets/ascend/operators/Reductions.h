// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The kinds of reductions of GE.
///
///   isIdentity(zero, Reduction::Sum, f32)       // true
///   reduce(b, Reduction::Sum, x, {1}, type)     // ascend.ReduceSum

#ifndef MERCATOR_TARGETS_ASCEND_OPERATORS_REDUCTIONS_H
#define MERCATOR_TARGETS_ASCEND_OPERATORS_REDUCTIONS_H

#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mercator::ascend {

enum class Reduction { Sum, Product, Greatest, Least, All, Any };

/// The reduction of elements of a type by an operation; none for operations that
/// GE has no reduction for.
[[nodiscard]] std::optional<Reduction> reductionOf(mlir::Operation *op,
                                                   mlir::Type element);

/// The reduction of result `i`, if a single operation combines its accumulator
/// and its element.
[[nodiscard]] std::optional<Reduction> reductionOf(stablehlo::ReduceOp op,
                                                   unsigned i);

/// Whether a value is known to be the identity element of the reduction.
[[nodiscard]] bool isIdentity(mlir::Value value, Reduction by,
                              mlir::Type element);

/// Requires: the operator supports the element type of `x`: booleans for `all`
/// and `any`, numbers for the others. Without dimensions it is `x`.
[[nodiscard]] mlir::Value reduce(mlir::ImplicitLocOpBuilder &b, Reduction by,
                                 mlir::Value x, llvm::ArrayRef<int64_t> dims,
                                 mlir::RankedTensorType type);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_OPERATORS_REDUCTIONS_H
