// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What elementwise operations make of a block that a mask excludes.
///
///   e[j, i]  = exp(select(i >= j, s[j, i], -1e30) - m[i])
///   p[j, i]  = e[j, i] / l[i]
///   ds[j, i] = select(i >= j, dp[j, i] * e[j, i], 0)
///
/// Where i < j in all of the block, p is exp(-1e30 - m[i]) / l[i], and ds is 0. So p
/// follows from the rows m and l: code looks at a vector in place of a matrix, to see
/// whether the block adds something to p * dy (SumBlocks.cpp).

#ifndef MERCATOR_TARGETS_CPU_KERNELS_EXCLUDEDVALUES_H
#define MERCATOR_TARGETS_CPU_KERNELS_EXCLUDEDVALUES_H

#include "mercator/targets/cpu/kernels/Masks.h"
#include "mercator/targets/cpu/kernels/OnlineSoftmax.h"

#include <memory>

namespace mercator::cpu {

/// An element of a buffer in a block where a mask is false, as a value of operands that
/// do not have both the rows and the columns of the block.
struct ExcludedValue {
  struct Input {
    const CellMember *member = nullptr;
    mlir::OpOperand *operand = nullptr;
    /// From the indices of the element to those of the operand.
    mlir::AffineMap map;
  };
  std::unique_ptr<mlir::Block> body; ///< one argument for each input
  mlir::Value value;                 ///< in the body, or before all members
  llvm::SmallVector<Input> inputs;

  /// None if the members do not say it. `bounds`: one of them is false in all of the
  /// block. Requires: members with columns have a `column`.
  [[nodiscard]] static std::optional<ExcludedValue>
  of(llvm::ArrayRef<CellMember> members, mlir::Value buffer,
     llvm::ArrayRef<MaskBound> bounds);

  /// found |= whether some element is not 0. `views[i]`: what the block has of input i.
  void findNumbers(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::ValueRange views, mlir::Value found) const;
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_EXCLUDEDVALUES_H
