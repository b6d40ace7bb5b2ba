// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Loops from linalg on buffers. A sum is kept in a register:
///
///   for i                                      for i
///     for k                              =>      s = for k iter_args(s = y[i])
///       y[i] = y[i] + x[i, k]                         yield s + x[i, k]
///                                                y[i] = s
///
/// What is the same in all iterations of a loop is computed before it: the index of a
/// row that is gathered, the scale of a row.
///
/// An operation on tensors reads its operands before it writes its result, so no
/// load of the loop can see the stores that are delayed, nor a store that comes after
/// a load in the order of iterations. Terms are combined in the
/// order of the loops; reductions whose order is free have been replaced before
/// (SumCode.h).

#ifndef MERCATOR_TARGETS_CPU_KERNELS_LOOPS_H
#define MERCATOR_TARGETS_CPU_KERNELS_LOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mercator::cpu {

/// Replaces the linalg operations of a function on buffers. Fails after an error.
llvm::LogicalResult lowerToLoops(mlir::func::FuncOp function);

/// Moves loop-invariant operations in front of the loop: loads from buffers that the loop
/// does not write, and operations on these values. LLVM does not, since it does not know
/// which buffers overlap.
void hoistSame(mlir::scf::ForOp loop);

/// Whether the operand is a buffer whose index depends on the dimension.
[[nodiscard]] bool movesAlong(mlir::linalg::LinalgOp op,
                              mlir::OpOperand &operand, unsigned dim);

/// Whether vectors along the dimension can be loaded and stored: it is long enough,
/// and neighbors along it are neighbors in each operand that moves along it.
[[nodiscard]] bool canBeInnermost(mlir::linalg::LinalgOp op, unsigned dim);

/// Asks LLVM for vectors in which a mask leaves out what is beyond the loop. Otherwise
/// the iterations that do not fill a vector are computed one by one, and so are all
/// of a short loop before which LLVM would have to ask whether buffers overlap.
/// Requires: iterations do not depend on each other.
void setMasked(mlir::scf::ForOp loop);
[[nodiscard]] bool isMasked(mlir::scf::ForOp loop);

/// The buffer that a view is a part of, through all views.
[[nodiscard]] mlir::Value rootOf(mlir::Value buffer);

/// Whether two values are computed in the same way from the same values: buffers are views
/// of the same elements.
[[nodiscard]] bool areSame(mlir::Value x, mlir::Value y);

/// A buffer of one dimension from the first element of this one on, of any length.
[[nodiscard]] mlir::Value lineOf(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value buffer);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_LOOPS_H
