// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What the verifiers of the operations share. Each function succeeds or emits
/// one error "expected X, got Y" on the operation.

#ifndef MERCATOR_DIALECTS_STABLEHLO_VERIFY_H
#define MERCATOR_DIALECTS_STABLEHLO_VERIFY_H

#include "mercator/dialects/stablehlo/ResultExtents.h"
#include "mercator/dialects/stablehlo/TensorExtents.h"

namespace mercator::stablehlo {

/// `count` entries of `name`.
llvm::LogicalResult expectCount(mlir::Operation *op, llvm::StringRef name,
                                size_t got, size_t expected);
/// Each of `dims` once, and within [0, rank).
llvm::LogicalResult expectDims(mlir::Operation *op, llvm::StringRef name,
                               llvm::ArrayRef<int64_t> dims, int64_t rank);
/// Each of `dims` within [0, rank); the first half of `expectDims`.
llvm::LogicalResult expectWithin(mlir::Operation *op, llvm::StringRef name,
                                 llvm::ArrayRef<int64_t> dims, int64_t rank);
/// Each of `dims` once; the second half of `expectDims`.
llvm::LogicalResult expectUnique(mlir::Operation *op, llvm::StringRef name,
                                 llvm::ArrayRef<int64_t> dims);
/// `dims` ascending.
llvm::LogicalResult expectSorted(mlir::Operation *op, llvm::StringRef name,
                                 llvm::ArrayRef<int64_t> dims);
/// Each of `values` at least `least`.
llvm::LogicalResult expectAtLeast(mlir::Operation *op, llvm::StringRef name,
                                  llvm::ArrayRef<int64_t> values,
                                  int64_t least);
/// The shape, where known on both sides.
llvm::LogicalResult expectShape(mlir::Operation *op, llvm::StringRef what,
                                mlir::RankedTensorType got,
                                llvm::ArrayRef<int64_t> expected);
/// The same, with bounds.
llvm::LogicalResult expectExtents(mlir::Operation *op, llvm::StringRef what,
                                  mlir::RankedTensorType got,
                                  llvm::ArrayRef<Extent> expected);
/// The very element type.
llvm::LogicalResult expectSameElement(mlir::Operation *op, llvm::StringRef what,
                                      mlir::RankedTensorType got,
                                      mlir::Type expected);
/// The element type; a quantised one also where just scales differ, and beside
/// the float that it stands for.
llvm::LogicalResult expectElement(mlir::Operation *op, llvm::StringRef what,
                                  mlir::RankedTensorType got,
                                  mlir::RankedTensorType expected);
/// A tensor of rank 0.
llvm::LogicalResult expectScalar(mlir::Operation *op, llvm::StringRef what,
                                 mlir::Type got);
/// The types, by `typesAgree`.
llvm::LogicalResult expectTypes(mlir::Operation *op, llvm::StringRef what,
                                mlir::TypeRange got, mlir::TypeRange expected);
/// A region that takes `arguments` values and ends in stablehlo.return of
/// `returned` values.
llvm::LogicalResult expectRegion(mlir::Operation *op, llvm::StringRef name,
                                 mlir::Region &region, size_t arguments,
                                 size_t returned);
/// The same, whose arguments and returned values are scalars.
llvm::LogicalResult expectScalarRegion(mlir::Operation *op,
                                       llvm::StringRef name,
                                       mlir::Region &region, size_t arguments,
                                       size_t returned);

/// A region that returns tensor<i1>, and nothing else.
llvm::LogicalResult expectPredicate(mlir::Operation *op, llvm::StringRef name,
                                    mlir::Region &region);

/// Whether elements are stored alike. `u8` and `ui8` are: text has the one, and
/// what has read the other prints it so.
[[nodiscard]] bool storedAlike(mlir::quant::QuantizedType a,
                               mlir::quant::QuantizedType b);
/// Whether two element types are one but for scales and zero points: the
/// `baseline_element_type` of the specification.
[[nodiscard]] bool sameBaseline(mlir::Type a, mlir::Type b);
/// The element type, as `sameBaseline` sees it.
llvm::LogicalResult expectBaseline(mlir::Operation *op, llvm::StringRef what,
                                   mlir::RankedTensorType got,
                                   mlir::RankedTensorType expected);

/// Checks that `region` combines pairs of elements of `inputs`: it takes
/// (tensor<E0>, .., tensor<E0>, ..), returns (tensor<E0>, ..), and element type
/// i of the inputs promotes to Ei. Returns E0, E1, ..
llvm::FailureOr<llvm::SmallVector<mlir::Type>>
expectReducer(mlir::Operation *op, llvm::StringRef name, mlir::Region &region,
              mlir::TypeRange inputs);
/// Checks the element type of `got`, a value that is combined with elements of
/// `input` in `accumulator`: that of the input, or one that promotes too.
llvm::LogicalResult expectCombinable(mlir::Operation *op, llvm::StringRef what,
                                     mlir::RankedTensorType got,
                                     mlir::RankedTensorType input,
                                     mlir::Type accumulator);

/// The integers of `value`, where a constant defines it.
[[nodiscard]] std::optional<llvm::SmallVector<int64_t>>
constantIntegers(mlir::Value value);

/// How many places each window has over the dimension of `extents` it slides
/// along; dynamic where the dimension or the window is. Fails with an error
/// where the padded dimension, the dilated window or the number of places does
/// not fit in an int64.
llvm::FailureOr<llvm::SmallVector<int64_t>>
expectWindows(mlir::Operation *op, llvm::ArrayRef<int64_t> extents,
              llvm::ArrayRef<WindowSpec> windows);

/// Reads the window attributes of an operation whose windows have `sizes`;
/// absent ones have their default. Fails with an error where a length is wrong,
/// a stride or a dilation below 1. Sizes are taken as they are.
llvm::FailureOr<llvm::SmallVector<WindowSpec>>
readWindow(mlir::Operation *op, llvm::ArrayRef<int64_t> sizes,
           std::optional<llvm::ArrayRef<int64_t>> strides,
           std::optional<llvm::ArrayRef<int64_t>> baseDilations,
           std::optional<llvm::ArrayRef<int64_t>> windowDilations,
           mlir::DenseIntElementsAttr padding);

} // namespace mercator::stablehlo

#endif // MERCATOR_DIALECTS_STABLEHLO_VERIFY_H
