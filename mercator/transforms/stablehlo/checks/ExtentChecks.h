// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Checks, at run time, that the extents of an operation fit together:
///
///   %r = stablehlo.add %a, %b : tensor<?xf32>
///
/// gets before it
///
///   %m = tensor.dim %a, %c0
///   %n = tensor.dim %b, %c0
///   %same = arith.cmpi eq, %m, %n : index
///   cf.assert %same, "expected operands of the same extent in dimension 0"
///
/// The condition of an assertion is one comparison of two numbers of type index: who
/// reports that it does not hold says both numbers.
///
/// Law: no check is made for what EqualExtents proves, so a program of known extents
/// does not change.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_CHECKS_EXTENTCHECKS_H
#define MERCATOR_TRANSFORMS_STABLEHLO_CHECKS_EXTENTCHECKS_H

#include "mercator/analysis/extents/EqualExtents.h"
#include "mercator/transforms/stablehlo/lowering/Builders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mercator::stablehlo {

/// Requires: the value is a tensor of known rank.
[[nodiscard]] inline mlir::RankedTensorType rankedType(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// The checks of one operation, which are made before it.
struct ExtentChecks {
  ExtentChecks(mlir::ImplicitLocOpBuilder &b, EqualExtents &known)
      : b(b), known(known) {}
  mlir::ImplicitLocOpBuilder &b;
  EqualExtents &known;

  /// An extent of a tensor, and an element of a vector of integers.
  [[nodiscard]] mlir::OpFoldResult extent(mlir::Value tensor, int64_t dim);
  [[nodiscard]] Sizes extents(mlir::Value tensor);
  [[nodiscard]] mlir::OpFoldResult element(mlir::Value vector, int64_t i);
  [[nodiscard]] Sizes elements(mlir::Value vector);
  [[nodiscard]] mlir::OpFoldResult number(int64_t value) {
    return b.getIndexAttr(value);
  }

  void require(mlir::arith::CmpIPredicate predicate, mlir::OpFoldResult x,
               mlir::OpFoldResult y, const llvm::Twine &expectation);
  void requireAtMost(mlir::OpFoldResult x, mlir::OpFoldResult y,
                     const llvm::Twine &expectation) {
    require(mlir::arith::CmpIPredicate::sle, x, y, expectation);
  }
  void requireEqual(mlir::OpFoldResult x, mlir::OpFoldResult y,
                    const llvm::Twine &expectation) {
    require(mlir::arith::CmpIPredicate::eq, x, y, expectation);
  }
  /// Two extents are equal, which is known afterwards.
  void requireSame(mlir::Value x, int64_t i, mlir::Value y, int64_t j,
                   const llvm::Twine &expectation);
  void requireSameShape(mlir::Value x, mlir::Value y, const llvm::Twine &what);
  /// The elements of a shape are at least 0.
  void requireShape(mlir::Value vector);
  /// A known extent of a result is the one that is computed.
  void requireResult(mlir::Value result, int64_t dim,
                     llvm::function_ref<mlir::OpFoldResult()> computed);
  void requireResult(mlir::Value result, int64_t dim, mlir::Value like,
                     int64_t dimOfLike);

private:
  mlir::OpFoldResult read(EqualExtents::Id id);
  llvm::SmallDenseMap<EqualExtents::Id, mlir::OpFoldResult> numbers;
};

/// The checks of one operation; none for other dialects.
void checkExtents(mlir::Operation *op, ExtentChecks &checks);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_CHECKS_EXTENTCHECKS_H
