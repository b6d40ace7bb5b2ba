// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Code for tiles of the matrix unit (MatrixUnit.h), in operations of the amx dialect.
///
///   a tile of 32 rows and 2 vectors             zero = amx.tile_zero           (4 times)
///                                               for each 16 words of the sum:
///                                        =>       x, y = amx.tile_load a, b    (2 of each)
///                                                 c += amx.tile_muli x, y      (4 times)
///                                               amx.tile_store c               (4 times)

#ifndef MERCATOR_TARGETS_CPU_KERNELS_MATRIXTILES_H
#define MERCATOR_TARGETS_CPU_KERNELS_MATRIXTILES_H

#include "mercator/targets/cpu/kernels/Contraction.h"

namespace mercator::cpu {

/// A tile of c. Addresses are in elements.
struct MatrixTile {
  mlir::Value a, b, c;       ///< buffers of one dimension; b has words
  mlir::Value atA, atB, atC; ///< where the tile begins in each
  int64_t rowA, rowC;        ///< from a row to the next one
  /// Of the tile. At least 16 rows, or rows before it that are as far apart.
  int64_t rows, columns, vectors;
  /// The loops of terms. The words of one are neighbors in a.
  llvm::ArrayRef<ContractionLoop> sums;
  mlir::ArrayAttr types; ///< kMatrix
  bool isZero;           ///< sums begin with zero, not with what c has
};

void emitMatrixTile(mlir::OpBuilder &builder, mlir::Location loc,
                    const MatrixTile &tile);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_MATRIXTILES_H
