// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Sums over long rows that a tile computes on the way, in blocks of columns.
///
///   s = k * q^T                                  for blocks of 128 columns i:
///   p[j, i] = exp(s[j, i] - m[i]) / l[i]   =>      s' = k * q[i, :]^T
///   dv = p * dy                                    p' = exp(s' - m) / l
///                                                  dv = dv + p' * dy[i, :]
///
/// So a tile needs room for one block, however long the rows are. The gradients of an
/// attention are such sums, over queries or over keys.
///
/// A member is of one of three kinds:
///
///   column   an element for each column, in the room of a tile: s, p
///   sum      adds up along the columns: a product or a reduction, dv
///   row      has no columns
///
/// What needs a finished sum is computed in a later *phase*, with blocks of its own. The
/// columns that it needs are computed again:
///
///   d[i] = sum over j of p[i, j] * dp[i, j]      phase 0: s, p, dp; d
///   dq = (p * (dp - d)) * k                      phase 1: s, p, dp; dq
///
/// Each block is a chain of its own. A product adds chains of 256 terms to each element
/// (SumOrder.h), so its sums keep their order in blocks of 256 columns. Blocks of 128 are
/// faster: precise math alone has 256. A reduction gets the order of the blocks.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_COLUMNSUMS_H
#define MERCATOR_TARGETS_CPU_KERNELS_COLUMNSUMS_H

#include "mercator/targets/cpu/kernels/OnlineSoftmax.h"

namespace mercator::cpu {

struct ColumnSums {
  int64_t columns = 0, block = 0;
  /// The loop over the columns of each member that has them.
  llvm::SmallVector<std::optional<unsigned>> loops;
  /// Numbers of members: rows that are computed before the blocks, and what runs in
  /// each block. The last phase has no blocks.
  struct Phase {
    llvm::SmallVector<size_t> before, blocks;
  };
  llvm::SmallVector<Phase> phases;

  /// The sums of the members, if it pays to compute them like this. Whether it does
  /// follows from the extents alone. `isLocal`: whether only the members use a buffer.
  /// `keepsOrder`: only sums that keep their order.
  [[nodiscard]] static std::optional<ColumnSums>
  of(llvm::ArrayRef<CellMember> members,
     llvm::function_ref<bool(mlir::Value)> isLocal, bool keepsOrder);
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_COLUMNSUMS_H
