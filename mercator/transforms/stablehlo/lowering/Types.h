// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The types of values after lowering.
///
///   tensor<4xui8>                        tensor<4xi8>
///   tensor<?xf32, #stablehlo.bounds<8>>  tensor<?xf32>
///   tensor<4xf32, #hlo.layout<..>>       tensor<4xf32>
///   tensor<4x!quant.uniform<i8:f32,..>>  tensor<4xi8>
///   tuple<A, B>                          A and B, two values
///   !stablehlo.future<A, B>              A and B: the operation is done at once
///   !stablehlo.token                     no value
///
/// linalg and arith compute on integers without a sign: the operation says how
/// it reads them. The sign of a type is therefore taken from the StableHLO
/// operation, never from a lowered value.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_TYPES_H
#define MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_TYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace mercator::stablehlo {

/// The type of a number in arith, math or complex.
[[nodiscard]] mlir::Type loweredElement(mlir::Type element);

/// Appends the types of the values that a value of `type` becomes. A type that
/// is not listed above stays as it is.
void lowerType(mlir::Type type, llvm::SmallVectorImpl<mlir::Type> &into);
[[nodiscard]] llvm::SmallVector<mlir::Type> lowerTypes(mlir::TypeRange types);

/// The type of the one value that a tensor becomes.
[[nodiscard]] mlir::RankedTensorType loweredTensor(mlir::Type type);

/// The element type of a tensor.
[[nodiscard]] inline mlir::Type elementOf(mlir::Value tensor) {
  return llvm::cast<mlir::ShapedType>(tensor.getType()).getElementType();
}

/// How the elements of a StableHLO tensor are read. `boolean` is i1.
enum class Kind { Boolean, SignedInt, UnsignedInt, Real, Complex };
/// Takes an element type before lowering. A quantized type is its storage type.
[[nodiscard]] Kind kindOf(mlir::Type element);
[[nodiscard]] Kind kindOf(mlir::Value tensor);
/// True for booleans and unsigned integers, which are extended by zeros.
[[nodiscard]] bool isUnsigned(mlir::Type element);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_TYPES_H
