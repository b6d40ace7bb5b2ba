// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Products and what is computed around them, in one loop over tiles of cells.
///
///   s = q * k^T                                for tiles of 32 rows i:
///   m[i] = max over j of s[i, j]                 s' = q[i, :] * k^T
///   p[i, j] = exp(s[i, j] - m[i])         =>     m' = max over j of s'[i, j]
///   y = p * v                                    p' = exp(s' - m')
///                                                y[i, :] = p' * v
///
/// A *cell* is a value of coordinates that all operations have (analysis/cells/
/// Align.h): here a row. Each coordinate is a parallel loop of each operation, and
/// a buffer that one of them writes has it as one of its dimensions, for all of
/// them. So a cell needs no other cell. A buffer of the kernel's own then has the
/// elements of one tile, and stays in the cache: s and p are never in memory.
///
/// What a tile reads whole, such as k and v, is packed before the loop over tiles.
///
/// A mask that compares indices, such as `j <= i` of causal attention, excludes whole
/// parts of rows (Masks.h): a tile does not compute their products.
///
/// A product with a schedule of its own (ContractionSchedule.h) is in no tile.
///
/// Sums keep their order, so results keep their bits (ContractionSchedule.h).

#ifndef MERCATOR_TARGETS_CPU_KERNELS_CELLLOOPS_H
#define MERCATOR_TARGETS_CPU_KERNELS_CELLLOOPS_H

#include "mercator/targets/cpu/kernels/ScheduleNotes.h"
#include "mercator/targets/cpu/machine/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mercator::cpu {

/// The attribute of a loop over tiles.
inline constexpr llvm::StringLiteral kTiles = "mercator.tiles";
/// The attribute of a product in such a loop whose second operand is the same for
/// all of its tiles.
inline constexpr llvm::StringLiteral kSamePanels = "mercator.same_panels";

/// How the cells of a group are computed.
struct CellSchedule {
  /// The number of values of each coordinate. A tile has one value of each, but of
  /// the last one `rows`.
  llvm::SmallVector<int64_t> extents;
  int64_t rows = 1;
  int64_t block =
      0; ///< columns of a softmax that are computed together; 0: all
  int64_t parts = 1; ///< that several threads may compute

  /// Tiles along the last coordinate.
  [[nodiscard]] int64_t rowTiles() const {
    return (extents.back() + rows - 1) / rows;
  }
  /// Tiles in all.
  [[nodiscard]] int64_t tiles() const;
  /// `8 x 512 cells, tiles of 32 rows, 64 parts`.
  void print(llvm::raw_ostream &os) const;
};

/// Joins groups of linalg operations on buffers that have a product, in the body of
/// a kernel.
void joinCells(mlir::func::FuncOp kernel, const Machine &machine,
               ScheduleNotes &notes);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_CELLLOOPS_H
