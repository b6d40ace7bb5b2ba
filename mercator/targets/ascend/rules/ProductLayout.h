// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The layout of the operands of a dot as stacks of matrices, with the least
/// data movement.
///
/// ```cpp (mlir::Value lhs, mlir::Value rhs)
/// // [batch, query, head, feature] x [batch, key, head, feature]
/// ProductLayout layout =
///     layOut({lhs, {0, 2}, {1}, {3}}, {rhs, {0, 2}, {1}, {3}});
/// assert(layout.lhs.perm == Dims({0, 2, 1, 3})); // heads are batches too
/// assert(layout.rhs.isTransposed); // [batch, head, key, feature]
/// ```
///
/// A matrix product accepts each of its matrices transposed, and a Reshape
/// merges adjacent dimensions without moving data. So an operand is moved only
/// if its batches do not come first, or if its free and contracted dimensions
/// are interleaved. The order of contracted dimensions is free but must be the
/// same for both operands. The order of batches is free too, but another order
/// moves the result.

#ifndef MERCATOR_TARGETS_ASCEND_RULES_PRODUCTLAYOUT_H
#define MERCATOR_TARGETS_ASCEND_RULES_PRODUCTLAYOUT_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace mercator::ascend {

using Dims = llvm::SmallVector<int64_t, 8>;

/// An operand and the roles of its dimensions. Entry i of `batch`, and of
/// `contract`, is paired with entry i of the other operand. Dimension -1 stands
/// for a dimension of extent 1 that the value does not have.
struct ProductSide {
  mlir::Value value;
  Dims batch, free, contract;
};

struct SideLayout {
  /// The source of `value` if its Transpose is unnecessary. The lists are in
  /// the chosen order.
  ProductSide side;
  /// The permutation of the Transpose; empty if none is needed.
  Dims perm;
  /// Whether the matrices are [contract, free], for the left operand, or [free,
  /// contract], for the right one.
  bool isTransposed = false;
  /// The number of elements that are moved.
  uint64_t moved = 0;
};

struct ProductLayout {
  SideLayout lhs, rhs;
  /// The order of the batches: batch i of the result is batch batchOrder[i] of
  /// the program.
  Dims batchOrder;
  /// The number of elements that are moved, including the result.
  uint64_t moved = 0;
};

/// The layout that moves the fewest elements. Requires: ranked tensors with
/// static shapes and at least one element.
[[nodiscard]] ProductLayout layOut(const ProductSide &lhs,
                                   const ProductSide &rhs);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_RULES_PRODUCTLAYOUT_H
