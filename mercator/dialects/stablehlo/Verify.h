// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Checks shared by the verifiers of the operations. Each function succeeds or
/// emits one error "expected X, got Y" at the operation.

#ifndef MERCATOR_DIALECTS_STABLEHLO_VERIFY_H
#define MERCATOR_DIALECTS_STABLEHLO_VERIFY_H

#include "mercator/dialects/stablehlo/ResultExtents.h"
#include "mercator/dialects/stablehlo/TensorExtents.h"

namespace mercator::stablehlo {

/// Expects `count` entries of `name`.
llvm::LogicalResult expectCount(mlir::Operation *op, llvm::StringRef name,
                                size_t got, size_t expected);
/// Expects each of `dims` once and within [0, rank).
llvm::LogicalResult expectDims(mlir::Operation *op, llvm::StringRef name,
                               llvm::ArrayRef<int64_t> dims, int64_t rank);
/// Expects each of `dims` within [0, rank); the first half of `expectDims`.
llvm::LogicalResult expectWithin(mlir::Operation *op, llvm::StringRef name,
                                 llvm::ArrayRef<int64_t> dims, int64_t rank);
/// Expects each of `dims` once; the second half of `expectDims`.
llvm::LogicalResult expectUnique(mlir::Operation *op, llvm::StringRef name,
                                 llvm::ArrayRef<int64_t> dims);
/// Expects `dims` in ascending order.
llvm::LogicalResult expectSorted(mlir::Operation *op, llvm::StringRef name,
                                 llvm::ArrayRef<int64_t> dims);
/// Expects each of `values` to be at least `least`.
llvm::LogicalResult expectAtLeast(mlir::Operation *op, llvm::StringRef name,
                                  llvm::ArrayRef<int64_t> values,
                                  int64_t least);
/// The type of a value that is a tensor with a rank.
inline mlir::RankedTensorType tensorType(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}
/// Expects this shape, as far as both sides are known.
llvm::LogicalResult expectShape(mlir::Operation *op, llvm::StringRef what,
                                mlir::RankedTensorType got,
                                llvm::ArrayRef<int64_t> expected);
/// Expects this shape and these bounds.
llvm::LogicalResult expectExtents(mlir::Operation *op, llvm::StringRef what,
                                  mlir::RankedTensorType got,
                                  llvm::ArrayRef<Extent> expected);
/// Expects exactly this element type.
llvm::LogicalResult expectSameElement(mlir::Operation *op, llvm::StringRef what,
                                      mlir::RankedTensorType got,
                                      mlir::Type expected);
/// Expects this element type. Scales of quantized types may differ, and a
/// quantized type matches the float type that it expresses.
llvm::LogicalResult expectElement(mlir::Operation *op, llvm::StringRef what,
                                  mlir::RankedTensorType got,
                                  mlir::RankedTensorType expected);
/// Expects a tensor of rank 0.
llvm::LogicalResult expectScalar(mlir::Operation *op, llvm::StringRef what,
                                 mlir::Type got);
/// Expects types that agree, by `typesAgree`.
llvm::LogicalResult expectTypes(mlir::Operation *op, llvm::StringRef what,
                                mlir::TypeRange got, mlir::TypeRange expected);
/// Expects a region with `arguments` arguments that ends in stablehlo.return of
/// `returned` values.
llvm::LogicalResult expectRegion(mlir::Operation *op, llvm::StringRef name,
                                 mlir::Region &region, size_t arguments,
                                 size_t returned);
/// Expects such a region with scalar arguments and scalar returned values.
llvm::LogicalResult expectScalarRegion(mlir::Operation *op,
                                       llvm::StringRef name,
                                       mlir::Region &region, size_t arguments,
                                       size_t returned);

/// Expects a region that returns one tensor<i1>.
llvm::LogicalResult expectPredicate(mlir::Operation *op, llvm::StringRef name,
                                    mlir::Region &region);

/// Whether elements have the same storage type. `u8` and `ui8` are the same:
/// text has `u8`, and a parsed attribute prints `ui8`.
[[nodiscard]] bool storedAlike(mlir::quant::QuantizedType a,
                               mlir::quant::QuantizedType b);
/// Whether two element types differ at most in scales and zero points: the
/// `baseline_element_type` of the specification.
[[nodiscard]] bool sameBaseline(mlir::Type a, mlir::Type b);
/// Expects this element type up to `sameBaseline`.
llvm::LogicalResult expectBaseline(mlir::Operation *op, llvm::StringRef what,
                                   mlir::RankedTensorType got,
                                   mlir::RankedTensorType expected);

/// Checks that `region` combines pairs of elements of `inputs`: it takes
/// (tensor<E0>, .., tensor<E0>, ..), returns (tensor<E0>, ..), and the element
/// type of input i promotes to Ei. Returns E0, E1, ..
llvm::FailureOr<llvm::SmallVector<mlir::Type>>
expectReducer(mlir::Operation *op, llvm::StringRef name, mlir::Region &region,
              mlir::TypeRange inputs);
/// Checks the element type of `got`, a value that is combined with elements of
/// `input` in `accumulator`: it equals the input's type or also promotes.
llvm::LogicalResult expectCombinable(mlir::Operation *op, llvm::StringRef what,
                                     mlir::RankedTensorType got,
                                     mlir::RankedTensorType input,
                                     mlir::Type accumulator);

/// The integers of `value`, if a constant defines it.
[[nodiscard]] std::optional<llvm::SmallVector<int64_t>>
constantIntegers(mlir::Value value);

/// The number of positions of each window over the dimension of `extents` that
/// it slides along; dynamic if the dimension or the window is. Fails with an
/// error if the padded dimension, the dilated window or the number of positions
/// does not fit in int64.
llvm::FailureOr<llvm::SmallVector<int64_t>>
expectWindows(mlir::Operation *op, llvm::ArrayRef<int64_t> extents,
              llvm::ArrayRef<WindowSpec> windows);

/// Reads the window attributes of an operation whose windows have `sizes`.
/// Absent attributes have their defaults. Fails with an error for a wrong
/// length and for a stride or dilation below 1. The sizes are not checked.
llvm::FailureOr<llvm::SmallVector<WindowSpec>>
readWindow(mlir::Operation *op, llvm::ArrayRef<int64_t> sizes,
           std::optional<llvm::ArrayRef<int64_t>> strides,
           std::optional<llvm::ArrayRef<int64_t>> baseDilations,
           std::optional<llvm::ArrayRef<int64_t>> windowDilations,
           mlir::DenseIntElementsAttr padding);

} // namespace mercator::stablehlo

#endif // MERCATOR_DIALECTS_STABLEHLO_VERIFY_H
