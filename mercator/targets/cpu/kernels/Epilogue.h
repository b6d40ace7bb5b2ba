// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What is done with the result of a product, element by element, while a tile of the
/// result is in registers.
///
///   c = a * b                          for tiles of c:
///   d[i, j] = max(c[i, j] + v[j], 0)     t = the sums of the tile
///                               =>       d's tile = max(t + v[j], 0)
///
/// So c is not stored and loaded again, and if nothing else reads it, it has no memory.
/// The *epilogue* is the next operation that accesses c. It has no reductions, its
/// body is arithmetic without functions, and the address of each operand is linear in
/// the rows and in the columns of a tile: a bias, a factor of each row, a residual. An
/// operation whose attribute says how rows are computed (RowSchedule.h) is none.
///
/// Each element is computed as before, from the finished sum: results keep their bits.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_EPILOGUE_H
#define MERCATOR_TARGETS_CPU_KERNELS_EPILOGUE_H

#include "mercator/targets/cpu/kernels/Contraction.h"

namespace mercator::cpu {

struct Epilogue {
  /// A buffer, or the sum itself if there is none.
  struct Operand {
    mlir::Value buffer;
    /// For each dimension of c: the stride in the buffer.
    llvm::SmallVector<int64_t> strides;
    int64_t row = 0;    ///< from a row of a tile to the next one
    int64_t column = 0; ///< 0 or 1
  };

  mlir::linalg::GenericOp op;
  /// One for each argument of the body but the last: buffers, the sum, and scalars,
  /// which are values of another type.
  llvm::SmallVector<Operand> inputs;
  Operand result;
  bool storesSum = true; ///< something else reads c

  /// The epilogue of a product. None if the next operation that accesses c is none.
  /// `row`, `column`: the innermost loops of the rows and of the columns of a tile.
  [[nodiscard]] static std::optional<Epilogue>
  of(const Contraction &contraction, const ContractionLoop &row,
     const ContractionLoop &column);

  /// Makes all operands known where the product is.
  void moveOperandsBefore(mlir::Operation *product) const;
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_EPILOGUE_H
