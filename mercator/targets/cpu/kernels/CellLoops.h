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
/// Joins groups of linalg operations on buffers that have a product, in the body of
/// a kernel: those that their attributes name (CellSchedule.h), and others that pay.
/// Fails after an error if a named group cannot be joined.
llvm::LogicalResult joinCells(mlir::func::FuncOp kernel, const Machine &machine,
                              ScheduleNotes &notes);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_CELLLOOPS_H
