// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What the verifiers of the operations share. Each function succeeds or emits
/// one error "expected X, got Y" on the operation.

#ifndef MERCATOR_DIALECTS_STABLEHLO_VERIFY_H
#define MERCATOR_DIALECTS_STABLEHLO_VERIFY_H

#include "mercator/dialects/stablehlo/Stablehlo.h"

namespace mercator::stablehlo {

/// `count` entries of `name`.
llvm::LogicalResult expectCount(mlir::Operation *op, llvm::StringRef name,
                                size_t got, size_t expected);
/// Each of `dims` once, and within [0, rank).
llvm::LogicalResult expectDims(mlir::Operation *op, llvm::StringRef name,
                               llvm::ArrayRef<int64_t> dims, int64_t rank);
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
/// The element type, unless one is quantised.
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

/// A window over one dimension.
struct WindowSpec {
  int64_t size = 1, stride = 1, low = 0, high = 0, baseDilation = 1,
          windowDilation = 1;
};
/// How many places a window has over `extent` elements; kDynamic where unknown
/// or beyond int64.
int64_t windowExtent(int64_t extent, const WindowSpec &window);

/// Reads the window attributes of an operation of `rank` dimensions; absent
/// ones have their default. Fails with an error where a length is wrong.
llvm::FailureOr<llvm::SmallVector<WindowSpec>>
readWindow(mlir::Operation *op, llvm::ArrayRef<int64_t> sizes,
           std::optional<llvm::ArrayRef<int64_t>> strides,
           std::optional<llvm::ArrayRef<int64_t>> baseDilations,
           std::optional<llvm::ArrayRef<int64_t>> windowDilations,
           mlir::DenseIntElementsAttr padding);

} // namespace mercator::stablehlo

#endif // MERCATOR_DIALECTS_STABLEHLO_VERIFY_H
