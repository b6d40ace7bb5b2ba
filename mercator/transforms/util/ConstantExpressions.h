// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program computes the same at each call. Internal.

#ifndef MERCATOR_TRANSFORMS_UTIL_CONSTANTEXPRESSIONS_H
#define MERCATOR_TRANSFORMS_UTIL_CONSTANTEXPRESSIONS_H

#include "mercator/transforms/util/GlobalTable.h"

namespace mercator::util {

/// The operations whose results are the same whenever they run: constants and
/// loads of immutable globals, and what may be computed at any time from such
/// values alone. A value that a region takes from around it counts as an
/// operand of the operation with the region.
///
///   %c = arith.constant dense<..> : tensor<4xf32>    a root
///   %g = util.global.load @immutable : tensor<4xf32>  a root
///   %0 = arith.addf %c, %g : tensor<4xf32>            an expression
///   %1 = arith.addf %0, %arg0 : tensor<4xf32>         neither
///
/// Looks only at functions that no initializer calls, as what initializers
/// leave behind is not there yet; and not into dispatches, nor bodies of
/// linalg. Takes time linear in operands, times how deep they are nested.
class ConstantExpressions {
public:
  explicit ConstantExpressions(mlir::ModuleOp module);

  /// Those that are not inside another, each after those it takes values from;
  /// roots among them.
  llvm::ArrayRef<mlir::Operation *> getInOrder() const { return order; }

  bool isRoot(mlir::Operation *op) const { return roots.contains(op); }
  /// Whether it is in getInOrder().
  bool contains(mlir::Operation *op) const { return constant.contains(op); }

  /// The one that `op` is or is inside of; null if there is none.
  mlir::Operation *findAround(mlir::Operation *op) const;

  /// Its place in getInOrder().
  size_t getOrder(mlir::Operation *op) const { return places.lookup(op); }

  /// Where the program has it: a number that grows from line to line.
  size_t getPosition(mlir::Operation *op) const { return positions.lookup(op); }

private:
  void visit(mlir::Operation *op, const GlobalTable &table);
  void countOperands(mlir::Operation *op);
  void propagate();

  llvm::SetVector<mlir::Operation *> roots, constant;
  llvm::SmallVector<mlir::Operation *> order;
  llvm::DenseMap<mlir::Operation *, size_t> places, positions;
  /// How many operands of an operation that may be constant are not yet known
  /// to be.
  llvm::DenseMap<mlir::Operation *, int64_t> pending;
};

} // namespace mercator::util

#endif // MERCATOR_TRANSFORMS_UTIL_CONSTANTEXPRESSIONS_H
