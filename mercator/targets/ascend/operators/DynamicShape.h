// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Shapes with extents that are known only at run time.
///
/// ```cpp (mlir::ImplicitLocOpBuilder &b, mlir::Value x)
/// // x : tensor<?x8x4xf32>
/// DynamicShape shape = dynamicShapeOf(x); // extent 0 of x, 8, 4
/// DynamicShape merged = {shape[0] * shape[1], shape[2]};
/// mlir::Value rows = reshape(b, x, merged); // Const [-1, 4], Reshape
/// (void)rows;
/// ```
///
/// An extent is a number times extents of values. Two extents that compare
/// equal are the same number in every run. Extents that compare unequal may
/// still be equal at run time.
///
/// One unknown extent of a Reshape is -1, which GE computes. Everything else is
/// taken from GE's operator Shape:
///
///   %s = ascend.Shape(%x)             // int32
///   %n = ascend.Slice(%s, [0], [1])
///   %v = ascend.ConcatV2(%n, [4], 0)
///
/// For static shapes all functions make the same operators as those of Build.h.

#ifndef MERCATOR_TARGETS_ASCEND_OPERATORS_DYNAMICSHAPE_H
#define MERCATOR_TARGETS_ASCEND_OPERATORS_DYNAMICSHAPE_H

#include "mercator/targets/ascend/operators/Build.h"

namespace mercator::ascend {

struct DynamicExtent {
  int64_t known = 1;
  /// Dimensions of values whose extents are factors, in no order.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 1> factors = {};

  [[nodiscard]] static DynamicExtent of(int64_t known) { return {known}; }
  [[nodiscard]] bool isKnown() const { return factors.empty(); }
  [[nodiscard]] bool isOne() const { return isKnown() && known == 1; }
  /// As MLIR has it in types.
  [[nodiscard]] int64_t size() const {
    return isKnown() ? known : mlir::ShapedType::kDynamic;
  }
  [[nodiscard]] bool operator==(const DynamicExtent &other) const;
  [[nodiscard]] DynamicExtent operator*(const DynamicExtent &other) const;
};

using DynamicShape = llvm::SmallVector<DynamicExtent, 6>;

[[nodiscard]] DynamicExtent extentOf(mlir::Value x, int64_t dim);
[[nodiscard]] DynamicShape dynamicShapeOf(mlir::Value x);
[[nodiscard]] DynamicShape known(llvm::ArrayRef<int64_t> shape);
[[nodiscard]] llvm::SmallVector<int64_t, 6>
sizesOf(llvm::ArrayRef<DynamicExtent> shape);
[[nodiscard]] DynamicExtent product(llvm::ArrayRef<DynamicExtent> extents);

/// The extents as a vector: a Const of int64 if all are known, else int32.
[[nodiscard]] mlir::Value shapeVector(mlir::ImplicitLocOpBuilder &b,
                                      llvm::ArrayRef<DynamicExtent> shape);
/// The extent as an integer scalar of the type i32 or i64.
[[nodiscard]] mlir::Value extentScalar(mlir::ImplicitLocOpBuilder &b,
                                       const DynamicExtent &extent,
                                       mlir::Type element);

/// Integers of any type as extents: int32 or int64.
[[nodiscard]] mlir::Value asExtents(mlir::ImplicitLocOpBuilder &b,
                                    mlir::Value integers);

/// Requires: as many elements in every run.
[[nodiscard]] mlir::Value reshape(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                                  llvm::ArrayRef<DynamicExtent> shape);
/// Requires: x broadcasts to the shape in every run.
[[nodiscard]] mlir::Value broadcastTo(mlir::ImplicitLocOpBuilder &b,
                                      mlir::Value x,
                                      llvm::ArrayRef<DynamicExtent> shape);
/// A tensor of one repeated number in the shape of `like`.
[[nodiscard]] mlir::Value splatLike(mlir::ImplicitLocOpBuilder &b,
                                    mlir::Value like, mlir::Attribute element);

/// An element of a vector of integers, as a vector of one element.
[[nodiscard]] mlir::Value elementOfVector(mlir::ImplicitLocOpBuilder &b,
                                          mlir::Value vector, int64_t i);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_OPERATORS_DYNAMICSHAPE_H
