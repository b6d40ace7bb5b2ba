// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Creates operators of GE with constants as inputs.
///
/// Shapes are static; DynamicShape.h has the others.
///
/// ```cpp (mlir::ImplicitLocOpBuilder &b, mlir::Value x)
/// mlir::Value t = transpose(b, x, {1, 0}); // ascend.Const, ascend.Transpose
/// (void)t;
/// ```

#ifndef MERCATOR_TARGETS_ASCEND_OPERATORS_BUILD_H
#define MERCATOR_TARGETS_ASCEND_OPERATORS_BUILD_H

#include "mercator/dialects/ascend/Ascend.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mercator::ascend {

/// A vector of int64, or a scalar of an integer type.
[[nodiscard]] mlir::Value constantVector(mlir::ImplicitLocOpBuilder &b,
                                         llvm::ArrayRef<int64_t> values);
[[nodiscard]] mlir::Value constantScalar(mlir::ImplicitLocOpBuilder &b,
                                         mlir::Type element, int64_t value);
/// A tensor of one repeated number. More than 1,024 elements become a Fill,
/// which takes no space in a file. Requires: the attribute is a splat.
[[nodiscard]] mlir::Value splat(mlir::ImplicitLocOpBuilder &b,
                                mlir::DenseElementsAttr elements);
/// The same for a number that is not complex.
[[nodiscard]] mlir::Value splat(mlir::ImplicitLocOpBuilder &b,
                                mlir::RankedTensorType type,
                                mlir::Attribute element);
/// Integers with a shape, row-major.
[[nodiscard]] mlir::Value constantInts(mlir::ImplicitLocOpBuilder &b,
                                       mlir::RankedTensorType type,
                                       llvm::ArrayRef<int64_t> values);

[[nodiscard]] mlir::Value reshape(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                                  llvm::ArrayRef<int64_t> shape);
[[nodiscard]] mlir::Value transpose(mlir::ImplicitLocOpBuilder &b,
                                    mlir::Value x,
                                    llvm::ArrayRef<int64_t> axes);
[[nodiscard]] mlir::Value broadcastTo(mlir::ImplicitLocOpBuilder &b,
                                      mlir::Value x,
                                      llvm::ArrayRef<int64_t> shape);
/// A size of ShapedType::kDynamic takes the rest of the dimension.
[[nodiscard]] mlir::Value slice(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                                mlir::Value offsets,
                                llvm::ArrayRef<int64_t> sizes);
/// Requires: GE has the element type.
[[nodiscard]] mlir::Value cast(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                               mlir::Type element);
[[nodiscard]] mlir::Value concat(mlir::ImplicitLocOpBuilder &b,
                                 mlir::ValueRange parts, int64_t axis);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_OPERATORS_BUILD_H
