// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What a mask of indices excludes from a tile.
///
///   s'[i, j] = select(i >= j, s[i, j] / 8, -1e30)       rows 32 to 63: j < 64
///
/// Where the condition is false, s is not read. So a product that computes s needs
/// no columns from 64 on, for a tile of these rows. What comes after it, exp and sums,
/// is computed of all columns.
///
/// A product that adds up along the columns of the masked values needs no terms from
/// 64 on either, if these values are 0 then, as those of a softmax are. Nothing
/// proves it before the program runs: its code looks at the values of the tile, and
/// whether the other operand is finite (0 * inf is NaN), and adds all terms if
/// something is not 0.
///
/// In registers, a product has a few rows at a time. Each of these tiles has bounds of its
/// own: of a block on the diagonal, little more than half is computed.
///
/// A condition is a comparison of sums of indices and constants, or several of them
/// joined by `and`: also sliding windows.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_MASKS_H
#define MERCATOR_TARGETS_CPU_KERNELS_MASKS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mercator::cpu {

/// Attributes of a product in a tile, maps of MaskDim: the columns, or the terms, from
/// the greatest result of `begin` to the least one of `end`.
inline constexpr llvm::StringLiteral kColumnsBegin = "mercator.columns_begin",
                                     kColumnsEnd = "mercator.columns_end",
                                     kTermsBegin = "mercator.terms_begin",
                                     kTermsEnd = "mercator.terms_end";
/// The attribute of a loop around such products. Its variable is 1 if they compute
/// what the mask excludes, too, and else 0.
inline constexpr llvm::StringLiteral kEverything = "mercator.everything";

/// The dimensions of these maps: the number of the tile, that of a block of columns, the
/// variable of kEverything, and the first and the last row, as numbers in the tile.
enum MaskDim : unsigned {
  kTileDim,
  kBlockDim,
  kEverythingDim,
  kFirstRowDim,
  kLastRowDim,
  kMaskDims
};

/// Larger numbers could overflow in the types of a program: the conditions that are
/// found have none.
inline constexpr int64_t kMostOfMask = 1 << 30;

/// A condition row * i + column * j + constant >= 0.
struct MaskBound {
  int64_t row = 0, column = 0, constant = 0;

  /// The condition that holds where this one does not.
  [[nodiscard]] MaskBound negated() const {
    return {-row, -column, -constant - 1};
  }
  bool operator==(const MaskBound &) const = default;
};

/// A condition in the body of an operation, as bounds of two of its loops that all
/// hold. None if it is something else.
[[nodiscard]] std::optional<llvm::SmallVector<MaskBound>>
boundsOf(mlir::linalg::LinalgOp op, mlir::Value condition, unsigned rowLoop,
         unsigned columnLoop);

/// The conditions under which an operation reads an operand, as bounds of two of its
/// loops. None if it may read it everywhere.
[[nodiscard]] std::optional<llvm::SmallVector<MaskBound>>
maskOf(mlir::linalg::LinalgOp op, mlir::OpOperand &operand, unsigned rowLoop,
       unsigned columnLoop);

/// The columns that some row reads, of those from kFirstRowDim to kLastRowDim: maps with
/// one result for each bound; null if there is none. With both dimensions exchanged,
/// the columns that each row reads.
struct MaskRange {
  mlir::AffineMap begin, end;
};
[[nodiscard]] MaskRange rangeOf(llvm::ArrayRef<MaskBound> bounds,
                                int64_t rowsOfTile, mlir::MLIRContext *context);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_MASKS_H
