// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What an operation on buffers accesses in one iteration of a parallel loop.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_ROWACCESS_H
#define MERCATOR_TARGETS_CPU_KERNELS_ROWACCESS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mercator::cpu {

/// Which rows of a buffer an operation accesses in one row of its loops.
struct RowAccess {
  enum class Kind {
    All,  ///< what it accesses does not depend on the row
    Own,  ///< the same row of the buffer
    Other ///< others, too
  } kind;
  unsigned dim = 0; ///< of the buffer, for `Own`
};

/// The access of an operand, if a row is an iteration of the loop.
[[nodiscard]] RowAccess rowAccess(mlir::linalg::LinalgOp op,
                                  mlir::OpOperand &operand, unsigned loop);

/// Whether the operation only writes: each element of the buffer once.
[[nodiscard]] bool isPlainWrite(mlir::linalg::LinalgOp op,
                                mlir::OpOperand &operand);

/// Whether the body of `reader` loads elements, at any place, of a buffer that
/// `writer` writes. Its rows are not those of the iterations then.
[[nodiscard]] bool loadsWhatIsWritten(mlir::linalg::LinalgOp reader,
                                      mlir::linalg::LinalgOp writer);

/// Whether the extents of all loops are known, and none is 0.
[[nodiscard]] bool hasKnownLoops(mlir::linalg::LinalgOp op);

/// Nothing that could see in which order linalg operations run.
[[nodiscard]] bool isOrderless(mlir::Operation *op);

/// Whether an operation accesses the buffers that are its operands, and no others.
[[nodiscard]] bool accessesOperandsAlone(mlir::Operation *op);

/// Whether an operand, also of an operation in its body, is a part of the buffer.
[[nodiscard]] bool accesses(mlir::Operation *op, mlir::Value root);

/// The buffers that a copy or an operation of linalg writes.
[[nodiscard]] llvm::SmallVector<mlir::Value> writtenBy(mlir::Operation *op);

/// Bufferization leaves copies of buffers to themselves.
void eraseCopiesToSelf(mlir::Block &block);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_ROWACCESS_H
