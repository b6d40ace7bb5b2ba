// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions that have the same value in each call. Internal.

#ifndef MERCATOR_TRANSFORMS_UTIL_CONSTANTEXPRESSIONS_H
#define MERCATOR_TRANSFORMS_UTIL_CONSTANTEXPRESSIONS_H

#include "mercator/transforms/util/GlobalTable.h"

namespace mercator::util {

/// The operations whose results are always the same: constants, loads of
/// immutable globals, and speculatable operations on such values. A value that
/// a region captures counts as an operand of the operation with the region.
///
///   %c = arith.constant dense<..> : tensor<4xf32>    a root
///   %g = util.global.load @immutable : tensor<4xf32>  a root
///   %0 = arith.addf %c, %g : tensor<4xf32>            an expression
///   %1 = arith.addf %0, %arg0 : tensor<4xf32>         neither
///
/// Ignores functions that initializers call, because the globals are not
/// initialized yet, and does not look into dispatches and bodies of linalg
/// operations. Takes time linear in the operands, times the nesting depth.
class ConstantExpressions {
public:
  explicit ConstantExpressions(mlir::ModuleOp module);

  /// The outermost such operations, roots included, each after those it uses.
  llvm::ArrayRef<mlir::Operation *> getInOrder() const { return order; }

  bool isRoot(mlir::Operation *op) const { return roots.contains(op); }
  /// Whether it is in getInOrder().
  bool contains(mlir::Operation *op) const { return constant.contains(op); }

  /// The operation of getInOrder() that is or contains `op`; null if there is
  /// none.
  mlir::Operation *findAround(mlir::Operation *op) const;

  /// The index in getInOrder().
  size_t getOrder(mlir::Operation *op) const { return places.lookup(op); }

  /// The position in the program, in textual order.
  size_t getPosition(mlir::Operation *op) const { return positions.lookup(op); }

private:
  void visit(mlir::Operation *op, const GlobalTable &table);
  void countOperands(mlir::Operation *op);
  void propagate();

  llvm::SetVector<mlir::Operation *> roots, constant;
  llvm::SmallVector<mlir::Operation *> order;
  llvm::DenseMap<mlir::Operation *, size_t> places, positions;
  /// For operations that may be constant: the number of operands not yet known
  /// to be.
  llvm::DenseMap<mlir::Operation *, int64_t> pending;
};

} // namespace mercator::util

#endif // MERCATOR_TRANSFORMS_UTIL_CONSTANTEXPRESSIONS_H
