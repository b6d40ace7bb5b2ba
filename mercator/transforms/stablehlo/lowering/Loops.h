// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Loops over numbers: nests of scf.for and scf.if that carry tensors and touch
/// them only by tensor.extract and tensor.insert. Each tensor that a loop
/// carries is updated, never replaced by another one, so the loops run in place
/// after bufferization.
///
///   FailureOr<Values> filled = forEach(b, sizes, {tensor},
///       [&](ImplicitLocOpBuilder &b, ValueRange at, ValueRange carried)
///           -> FailureOr<Values> {
///         return insertAll(b, {number}, carried, at);
///       });
///
/// The functions fail if a body does.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_LOOPS_H
#define MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_LOOPS_H

#include "mercator/transforms/stablehlo/lowering/Builders.h"

namespace mercator::stablehlo {

/// One iteration: returns the values to carry to the next.
using LoopFn = llvm::function_ref<llvm::FailureOr<Values>(
    mlir::ImplicitLocOpBuilder &b, mlir::Value at, mlir::ValueRange carried)>;
/// One iteration of a nest of loops.
using NestFn = llvm::function_ref<llvm::FailureOr<Values>(
    mlir::ImplicitLocOpBuilder &b, mlir::ValueRange at,
    mlir::ValueRange carried)>;
using BranchFn =
    llvm::function_ref<llvm::FailureOr<Values>(mlir::ImplicitLocOpBuilder &b)>;

/// From `begin` up to `end`, by `step`. Returns the carried values after the
/// last iteration.
llvm::FailureOr<Values> loop(mlir::ImplicitLocOpBuilder &b, mlir::Value begin,
                             mlir::Value end, mlir::Value step,
                             mlir::ValueRange carried, LoopFn body);
/// A loop for each size, the first outermost; none for a size of 1.
llvm::FailureOr<Values> forEach(mlir::ImplicitLocOpBuilder &b,
                                llvm::ArrayRef<mlir::OpFoldResult> sizes,
                                mlir::ValueRange carried, NestFn body);
/// Both branches return values of the same types.
llvm::FailureOr<Values> conditional(mlir::ImplicitLocOpBuilder &b,
                                    mlir::Value condition, BranchFn then,
                                    BranchFn otherwise);

/// The element of each tensor at `index`.
Values extractAll(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange tensors,
                  mlir::ValueRange index);
/// Each tensor with one of the numbers at `index`.
Values insertAll(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange numbers,
                 mlir::ValueRange tensors, mlir::ValueRange index);

/// Whether each index is within its extent, as an i1.
mlir::Value isWithin(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange index,
                     llvm::ArrayRef<mlir::OpFoldResult> extents);

/// A number in the element type that a body takes: integers and floats get
/// wider. `from` and `to` are types before lowering. Fails after an error.
llvm::FailureOr<mlir::Value> promote(Lowering &l, mlir::ImplicitLocOpBuilder &b,
                                     mlir::Value number, mlir::Type from,
                                     mlir::Type to);
/// The same for each element of a lowered tensor.
llvm::FailureOr<mlir::Value> promoteTensor(Lowering &l, mlir::Value tensor,
                                           mlir::Type from, mlir::Type to);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_LOOPS_H
