// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How the operands of a product become stacks of matrices with as little moved
/// as can be.
///
///   // [batch, query, head, feature] x [batch, key, head, feature]
///   ProductLayout layout = layOut(
///       {lhs, {0, 2}, {1}, {3}}, {rhs, {0, 2}, {1}, {3}});
///   layout.lhs.perm             // {0, 2, 1, 3}: heads are batches, too
///   layout.rhs.isTransposed     // true: [batch, head, key, feature]
///
/// A matrix product takes each of its matrices either way round, and
/// neighbouring dimensions are one by a Reshape, which moves nothing. So an
/// operand is moved only where its batches do not come first, or where what is
/// left of it and what is contracted lie among each other. The order of
/// contracted dimensions is free, as long as both operands have the same; that
/// of batches is, too, but then the result is moved.

#ifndef MERCATOR_TARGETS_ASCEND_LOWERING_PRODUCTLAYOUT_H
#define MERCATOR_TARGETS_ASCEND_LOWERING_PRODUCTLAYOUT_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace mercator::ascend {

using Dims = llvm::SmallVector<int64_t, 8>;

/// An operand and what each of its dimensions is. Entry i of `batch`, and of
/// `contract`, goes with entry i of the other operand's. Dimension -1 is one of
/// extent 1 that the value does not have.
struct ProductSide {
  mlir::Value value;
  Dims batch, free, contract;
};

struct SideLayout {
  /// Where `value` is made by a Transpose that need not be, what it is made of.
  /// The lists are in the order chosen.
  ProductSide side;
  /// To be transposed so; empty where it lies well already.
  Dims perm;
  /// Whether the matrices are [contract, free], for the left operand, or [free,
  /// contract], for the right one.
  bool isTransposed = false;
  /// Elements to be moved.
  uint64_t moved = 0;
};

struct ProductLayout {
  SideLayout lhs, rhs;
  /// The order in which the batches come: batch i of the result is number
  /// batchOrder[i] of the program's.
  Dims batchOrder;
  /// Elements to be moved, those of the result included.
  uint64_t moved = 0;
};

/// The layout that moves the fewest elements. Requires: values of ranked
/// tensors with static shapes, which have elements.
[[nodiscard]] ProductLayout layOut(const ProductSide &lhs,
                                   const ProductSide &rhs);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_LOWERING_PRODUCTLAYOUT_H
