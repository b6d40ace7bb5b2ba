// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Conversions of numbers that operations do implicitly: operands of sums of
/// products and of reductions become numbers of the accumulator's type.
///
///   f16    f32            arith.extf
///   i8     i32            arith.extsi
///   ui8    f32            arith.uitofp
///   f32    complex<f64>   arith.extf, complex.create with imaginary part 0

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_SCALARS_PROMOTION_H
#define MERCATOR_TRANSFORMS_STABLEHLO_SCALARS_PROMOTION_H

#include "mercator/transforms/stablehlo/lowering/Lowering.h"

namespace mercator::stablehlo {

/// Converts a number. The element types are those before lowering. Integers
/// wrap and floats are rounded if the type becomes narrower; booleans are made
/// of booleans and floats. Requires: a complex number stays complex.
mlir::Value promoteNumber(mlir::ImplicitLocOpBuilder &b, mlir::Value number,
                          mlir::Type from, mlir::Type to);

/// The same for each element of a tensor.
mlir::Value promoteTensor(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                          mlir::Type from, mlir::Type to);

/// True if an operand, a result or an argument of a region is quantized.
[[nodiscard]] bool isQuantized(mlir::Operation *op);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_SCALARS_PROMOTION_H
