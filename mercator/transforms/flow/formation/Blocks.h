// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Where dispatches are formed: the blocks of a function and of its control
/// flow. Loops on numbers (ScalarLoops.h) are dispatches of their own, and are
/// not entered.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_BLOCKS_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_BLOCKS_H

#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace mercator::flow {

struct FormationBlocks {
  /// A block is followed by the blocks inside it.
  llvm::SmallVector<mlir::Block *> blocks;
  /// Their operations, block by block, in order.
  llvm::SmallVector<mlir::Operation *> operations;
  /// The position of each operation in its block.
  llvm::DenseMap<mlir::Operation *, unsigned> position;
  llvm::SmallVector<mlir::Operation *> scalarLoops;

  explicit FormationBlocks(mlir::FunctionOpInterface function);
};

/// Whether a dispatch with `op` alone is possible: it has no effects, and its
/// operands and results can cross.
[[nodiscard]] bool canStart(mlir::Operation *op);

/// The pads that need a dispatch of their own: others are cloned into the
/// dispatches that read them. `isMember` says which operations are in one.
[[nodiscard]] llvm::SmallVector<mlir::Operation *>
padsOfTheirOwn(const FormationBlocks &blocks,
               llvm::function_ref<bool(mlir::Operation *)> isMember);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_BLOCKS_H
