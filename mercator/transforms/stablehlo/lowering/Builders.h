// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Pieces that the lowering rules share: extents, numbers, generic operations.
///
/// Extents are OpFoldResults: an attribute where the type has a number, else the
/// value of tensor.dim.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_BUILDERS_H
#define MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_BUILDERS_H

#include "mercator/transforms/stablehlo/lowering/Lowering.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

namespace mercator::stablehlo {

using Sizes = llvm::SmallVector<mlir::OpFoldResult>;

//===--- Extents ----------------------------------------------------------===//

[[nodiscard]] mlir::OpFoldResult extentOf(mlir::ImplicitLocOpBuilder &b,
                                          mlir::Value tensor, int64_t dim);
[[nodiscard]] Sizes extentsOf(mlir::ImplicitLocOpBuilder &b,
                              mlir::Value tensor);
/// The sizes of a type that is static but for dimensions that have the extents
/// of `like`.
[[nodiscard]] Sizes sizesOf(mlir::ImplicitLocOpBuilder &b,
                            mlir::RankedTensorType type, mlir::Value like);
/// As a value of type index.
mlir::Value valueOf(mlir::ImplicitLocOpBuilder &b, mlir::OpFoldResult size);
mlir::Value indexConstant(mlir::ImplicitLocOpBuilder &b, int64_t number);
/// A number of an integer type as an index.
mlir::Value toIndex(mlir::ImplicitLocOpBuilder &b, mlir::Value integer,
                    bool isUnsigned);
/// An index within [0, upper].
mlir::Value clampIndex(mlir::ImplicitLocOpBuilder &b, mlir::Value index,
                       mlir::Value upper);
/// Arithmetic on sizes, folded where the numbers are known.
mlir::OpFoldResult addSizes(mlir::ImplicitLocOpBuilder &b, mlir::OpFoldResult x,
                            mlir::OpFoldResult y);
mlir::OpFoldResult subSizes(mlir::ImplicitLocOpBuilder &b, mlir::OpFoldResult x,
                            mlir::OpFoldResult y);
mlir::OpFoldResult mulSizes(mlir::ImplicitLocOpBuilder &b, mlir::OpFoldResult x,
                            mlir::OpFoldResult y);
mlir::OpFoldResult minSizes(mlir::ImplicitLocOpBuilder &b, mlir::OpFoldResult x,
                            mlir::OpFoldResult y);
mlir::OpFoldResult maxSizes(mlir::ImplicitLocOpBuilder &b, mlir::OpFoldResult x,
                            mlir::OpFoldResult y);
/// Requires: y > 0.
mlir::OpFoldResult ceilDivSizes(mlir::ImplicitLocOpBuilder &b,
                                mlir::OpFoldResult x, mlir::OpFoldResult y);
/// The product; 1 if there are none.
mlir::OpFoldResult productOf(mlir::ImplicitLocOpBuilder &b,
                             llvm::ArrayRef<mlir::OpFoldResult> sizes);
/// The first `count` elements of a tensor of rank 1.
[[nodiscard]] Sizes elementsOf(mlir::ImplicitLocOpBuilder &b,
                               mlir::Value vector, int64_t count,
                               bool isUnsigned);
/// The sizes of the result; dynamic extents are elements of `shape`, which was
/// `old` before lowering. An error if one is known to be negative.
llvm::FailureOr<Sizes> resultSizesIn(Lowering &l, mlir::Value old,
                                     mlir::Value shape);
/// A start index of a window, clamped to [0, upper].
mlir::Value clampStart(mlir::ImplicitLocOpBuilder &b, mlir::Value integer,
                       bool isUnsigned, mlir::OpFoldResult upper);
/// The static extents of sizes.
[[nodiscard]] llvm::SmallVector<int64_t>
shapeOf(llvm::ArrayRef<mlir::OpFoldResult> sizes);
/// True if they are known to be equal.
[[nodiscard]] bool areEqualSizes(mlir::OpFoldResult x, mlir::OpFoldResult y);
/// True if a size is known to be negative.
[[nodiscard]] bool anyNegative(llvm::ArrayRef<mlir::OpFoldResult> sizes);
/// The number of elements; nothing if it is not known or beyond int64_t.
[[nodiscard]] std::optional<int64_t> numElements(llvm::ArrayRef<int64_t> shape);
/// True if an extent is known to be 0.
[[nodiscard]] bool hasNoElements(llvm::ArrayRef<int64_t> shape);

//===--- Tensors ----------------------------------------------------------===//

/// `tensor` with a type of the same element type and rank; a tensor.cast unless
/// it has that type.
mlir::Value castTo(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                   mlir::RankedTensorType type);
mlir::Value empty(mlir::ImplicitLocOpBuilder &b,
                  llvm::ArrayRef<mlir::OpFoldResult> sizes, mlir::Type element);
/// A tensor whose elements are all `number`.
mlir::Value filled(mlir::ImplicitLocOpBuilder &b,
                   llvm::ArrayRef<mlir::OpFoldResult> sizes,
                   mlir::Value number);
/// The only element of a tensor of rank 0.
mlir::Value scalarOf(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor);
/// A tensor of rank 0.
mlir::Value tensorOf(mlir::ImplicitLocOpBuilder &b, mlir::Value number);
/// `tensor` cast to a type that has the extents of `shape`, where those are
/// known and its own are not.
mlir::Value refine(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                   llvm::ArrayRef<int64_t> shape);
/// The same with all extents that are known: a cast may hide them.
mlir::Value refine(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor);
/// An error unless operand 0 of the lowered operation has the elements of the
/// result: verifiers let a quantized type stand beside its expressed type.
llvm::LogicalResult expectResultElement(Lowering &l, mlir::Value operand);

//===--- Data movement ----------------------------------------------------===//
//
// Views where possible. Each returns the tensor itself if there is nothing to
// move. The result has the static extents that the sizes have.

/// The elements in row-major order in another shape. Requires: as many elements.
mlir::Value reshapeTensor(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                          llvm::ArrayRef<mlir::OpFoldResult> sizes);
/// Dimension i of the result is dimension permutation[i] of the tensor.
mlir::Value transposeTensor(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                            llvm::ArrayRef<int64_t> permutation);
mlir::Value sliceTensor(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                        llvm::ArrayRef<mlir::OpFoldResult> offsets,
                        llvm::ArrayRef<mlir::OpFoldResult> sizes,
                        llvm::ArrayRef<mlir::OpFoldResult> strides);
/// `into` with `part` at every strides-th place from `offsets` on.
mlir::Value insertTensor(mlir::ImplicitLocOpBuilder &b, mlir::Value part,
                         mlir::Value into,
                         llvm::ArrayRef<mlir::OpFoldResult> offsets,
                         llvm::ArrayRef<mlir::OpFoldResult> strides);

//===--- Numbers ----------------------------------------------------------===//

/// Zero of a lowered element type: integer, float, complex or index.
mlir::Value zero(mlir::ImplicitLocOpBuilder &b, mlir::Type element);
/// A constant of a lowered element type; for complex, the real part.
mlir::Value number(mlir::ImplicitLocOpBuilder &b, mlir::Type element,
                   double value);
mlir::Value integer(mlir::ImplicitLocOpBuilder &b, mlir::Type element,
                    int64_t value);

//===--- linalg.generic ---------------------------------------------------===//

using Iterator = mlir::utils::IteratorType;

/// Creates the operations for one point of the iteration space at `b`; returns
/// the numbers to yield, or nothing after an error.
using PointFn = llvm::function_ref<Values(mlir::ImplicitLocOpBuilder &b,
                                          mlir::ValueRange numbers)>;

/// A linalg.generic. The body's numbers are those of the inputs, then those of
/// the initial values.
Values generic(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange inputs,
               mlir::ValueRange inits, llvm::ArrayRef<mlir::AffineMap> maps,
               llvm::ArrayRef<Iterator> iterators, PointFn body);

/// A tensor of these sizes computed element by element; the inputs are read at
/// `maps`, from the indices of the result.
mlir::Value compute(mlir::ImplicitLocOpBuilder &b,
                    llvm::ArrayRef<mlir::OpFoldResult> sizes,
                    mlir::Type element, mlir::ValueRange inputs,
                    llvm::ArrayRef<mlir::AffineMap> maps, PointFn body);

/// The same for inputs of the result's shape, or of rank 0, which all elements
/// read.
mlir::Value computeEach(mlir::ImplicitLocOpBuilder &b,
                        mlir::RankedTensorType type, mlir::ValueRange inputs,
                        PointFn body);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_LOWERING_BUILDERS_H
