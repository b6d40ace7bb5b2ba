// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A softmax between two products, computed block by block of its columns.
///
///   s = q * k^T                          for blocks of 128 columns j:
///   m[i] = max over j of s[i, j]           s' = q * k[j, :]^T
///   e[i, j] = exp(s[i, j] - m[i])          m' = max(m, max over j of s')
///   l[i] = sum over j of e[i, j]     =>    e' = exp(s' - m')
///   p[i, j] = e[i, j] / l[i]               l = l * exp(m - m') + sum over j of e'
///   y = p * v                              y = y * exp(m - m') + e' * v[j, :]
///                                          m = m'
///                                        y = y / l
///
/// So a tile needs room for one block, however long the rows are. The order of the
/// blocks is fixed, and which of them are computed follows from the values alone:
/// results have the same bits for any number of threads. They differ from those of
/// the two passes on the left in the last places (docs/cpu.md).
///
/// Rows whose maximum is -inf so far subtract 0, so that a later block counts. A row
/// that has nothing else ends as 0 / 0, as on the left.
///
/// m and l may be results, or needed by others after the blocks, as a gradient needs them.
///
/// A mask of indices (Masks.h) leaves some of the blocks. The others add nothing if the
/// value in the place of what is excluded is far below the maximum of each row, and v
/// is finite (0 * inf is NaN). If not, the tile is computed once more, of all blocks.
///
/// Source: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018;
/// Dao et al., "FlashAttention", 2022.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_ONLINESOFTMAX_H
#define MERCATOR_TARGETS_CPU_KERNELS_ONLINESOFTMAX_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace mercator::cpu {

/// The attribute of a loop over blocks of columns.
inline constexpr llvm::StringLiteral kBlocks = "mercator.blocks";

/// An operation of a group (CellLoops.h), and which of its loops each coordinate is.
struct CellMember {
  mutable mlir::linalg::LinalgOp op; ///< its methods are not const
  llvm::SmallVector<unsigned, 4> loops;
  bool isProduct = false;
  /// The loop over the columns, if they are computed in blocks.
  std::optional<unsigned> column;
};

struct OnlineSoftmax {
  /// Numbers of members. All from `first` to `last` run for each block, but the
  /// division, the fills of `maxima`, `sums` and `result`, and those of `after`.
  size_t first = 0, scores = 0, maximum = 0, exponential = 0, division = 0,
         last = 0;
  mlir::Value masked; ///< the buffer whose rows have the maxima
  mlir::Value maxima; ///< a buffer with an element for each row
  mlir::Value sums;   ///< the same
  mlir::Value exponentials,
      weights; ///< buffers with an element for each column
  mlir::Value result;
  int64_t columns = 0, block = 0;
  /// What has no columns, and runs after the blocks.
  llvm::SmallVector<size_t> after;
  /// The loop over the columns of each member from `first` to `last`.
  llvm::SmallVector<std::optional<unsigned>> loops;
  /// What stands in `masked` where a select of the scores has not chosen them.
  mlir::TypedAttr excluded;

  /// The softmax that the members compute, if it pays to compute it like this. Whether
  /// it does follows from its extents alone. `isLocal`: whether only the members use
  /// a buffer.
  [[nodiscard]] static std::optional<OnlineSoftmax>
  of(llvm::ArrayRef<CellMember> members,
     llvm::function_ref<bool(mlir::Value)> isLocal);

  /// Whether the member fills what all blocks have in common, before the first one.
  [[nodiscard]] bool isBeginning(size_t number, const CellMember &member) const;
};

/// The buffers of the rows of a tile.
struct SoftmaxRows {
  mlir::Value maxima, old, shift, factor, sums;
};
/// Before a block: old = maxima.
void keepMaxima(mlir::OpBuilder &builder, mlir::Location loc,
                const SoftmaxRows &rows);
/// After the maxima of a block: the shift that its exponentials subtract, and the
/// factor of what was added up before; the sums are multiplied by it.
void rescaleSums(mlir::OpBuilder &builder, mlir::Location loc,
                 const SoftmaxRows &rows);
/// result = result * row, or result / row. `places[d]`: the dimension of the result
/// that dimension d of the row is.
void scaleResult(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value result, mlir::Value row,
                 llvm::ArrayRef<unsigned> places, bool divides);
/// Memory for the bits that a search of a buffer finds.
[[nodiscard]] mlir::Value bitsFor(mlir::OpBuilder &builder, mlir::Value buffer);
void storeZero(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value found);
/// found |= whether some element is not finite.
void findInfinite(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Value buffer, mlir::Value found);
/// An integer of this type that is 0 where the number is 0 or -0.
[[nodiscard]] mlir::Value bitsOfNumber(mlir::OpBuilder &builder,
                                       mlir::Location loc, mlir::Value number,
                                       mlir::Type bits);
/// found |= whether some element is not 0.
void findNumbers(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value buffer, mlir::Value found);
/// found |= whether exp(excluded - maximum) is not 0 for some row.
void findCounting(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::Value maxima, mlir::TypedAttr excluded,
                  mlir::Value found);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_ONLINESOFTMAX_H
