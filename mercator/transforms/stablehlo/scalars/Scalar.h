// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Operations on numbers instead of tensors: what an elementwise operation of
/// StableHLO does to one element, in arith, math and complex.
///
///   stablehlo.add on tensor<..xf32>     arith.addf
///   stablehlo.add on tensor<..xi1>      arith.ori
///   stablehlo.maximum on tensor<..ui8>  arith.maxui

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_SCALARS_SCALAR_H
#define MERCATOR_TRANSFORMS_STABLEHLO_SCALARS_SCALAR_H

#include "mercator/transforms/stablehlo/lowering/Lowering.h"

namespace mercator::stablehlo {

/// True if each element of the result depends on one element of each operand.
[[nodiscard]] bool hasScalarForm(mlir::Operation *op);

/// The element of the result for these elements of the operands. `op` tells the
/// operation and the types before lowering. Requires: hasScalarForm(op). Fails
/// after an error if the operation does not take its element types.
llvm::FailureOr<mlir::Value> emitScalar(mlir::ImplicitLocOpBuilder &b,
                                        mlir::Operation *op,
                                        mlir::ValueRange numbers);

/// A number as one of another element type, as `convert` does. Takes the element
/// types before lowering.
mlir::Value emitConvert(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                        mlir::Type from, mlir::Type to);

/// What the body of a reduction, sort, scatter or map does to numbers: the
/// numbers that it returns. `block` takes and returns tensors of one element of
/// StableHLO. Calls were inlined (Passes.h). Operations without a scalar form are
/// lowered on tensors.
llvm::FailureOr<Values> emitBody(Lowering &l, mlir::ImplicitLocOpBuilder &b,
                                 mlir::Block &block, mlir::ValueRange numbers);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_SCALARS_SCALAR_H
