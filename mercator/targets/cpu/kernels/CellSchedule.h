// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How tiles of cells are computed (CellLoops.h): a decision, as data.
///
///   attention of 8 x 1024 queries and 1024 keys: 8 x 1024 cells
///
///   rows=128 block=128 parts=64
///
/// A tile has one value of each coordinate of the cells, but `rows` of the last one. A
/// softmax between two products is computed in blocks of `block` columns, or as a
/// whole, if that is 0 (OnlineSoftmax.h). The tiles are divided into `parts`. With
/// `overlaps=1`, the last tile of the rows begins in the one before: some rows are computed
/// twice, and all tiles have the same code.
///
/// In the text of a program, each operation of the tiles says which of its loops the
/// coordinates are, and which tiles it is in. The first operation says how they are
/// computed, and a product has a schedule for each place where its code stands: in
/// whole tiles, then in the last one if it has fewer rows; in both, for whole blocks and
/// then for the last one.
///
///   %5 = linalg.batch_matmul
///     {mercator.cells = affine_map<(d0, d1, d2, d3) -> (d0, d1)>,
///      mercator.tile = "group=0 rows=128 block=128 parts=64",
///      mercator.products = ["form=tiles lanes=16 rows=13 vectors=2 pack=b parts=1"]} ..
///   %6 = linalg.generic
///     {mercator.cells = affine_map<(d0, d1, d2) -> (d0, d1)>,
///      mercator.tile = "group=0", ..} ..
///
/// The order in which sums are added follows from `block` alone. So `choose` takes it
/// from the shape, whatever the device is.
///
/// Laws. check(choose(p, c)) and check(drawn(p)) hold. Schedules that `check` accepts
/// and that have the same block compute the same bits.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_CELLSCHEDULE_H
#define MERCATOR_TARGETS_CPU_KERNELS_CELLSCHEDULE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <random>
#include <string>

namespace mercator::cpu {

/// The attributes of operations of a group.
inline constexpr llvm::StringLiteral kCells = "mercator.cells",
                                     kGroup = "mercator.tile";

/// What a schedule is chosen for.
struct CellProblem {
  /// The number of values of each coordinate.
  llvm::SmallVector<int64_t> extents;
  int64_t products = 0;
  int64_t rowBytes = 0;    ///< that a tile of one row accesses for itself
  int64_t sharedBytes = 0; ///< that it accesses with others
  int64_t localBytes = 0;  ///< of all buffers that only the group has
  double operations = 0;   ///< of all cells
  /// Of the softmax: its columns, and how many of them make a good block; 0 if there is
  /// none that can be computed in blocks.
  int64_t columns = 0, block = 0;
  bool canRepeatRows = false; ///< in two tiles, by one thread

  [[nodiscard]] int64_t rows() const { return extents.back(); }
  /// Tiles of so many rows, along the last coordinate and in all.
  [[nodiscard]] int64_t rowTiles(int64_t rows) const;
  [[nodiscard]] int64_t tiles(int64_t rows) const;
};

struct CellSchedule {
  int64_t rows = 1;
  int64_t block = 0; ///< columns; 0: all
  int64_t parts = 1; ///< that several threads may compute
  /// The last tile of the rows has as many as the others, some of the one before it.
  bool overlaps = false;

  /// None if tiles do not pay. `cacheBytes`: of the cache that a core has alone.
  [[nodiscard]] static std::optional<CellSchedule>
  choose(const CellProblem &problem, int64_t cacheBytes);
  /// Any schedule with the block that `choose` takes, for tests.
  [[nodiscard]] static CellSchedule drawn(const CellProblem &problem,
                                          std::mt19937_64 &random);

  /// Why the problem cannot be computed like this; empty if it can.
  [[nodiscard]] std::string check(const CellProblem &problem) const;

  /// As above, without the group.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] static llvm::Expected<CellSchedule> parse(llvm::StringRef text);
  /// For people: `8 x 512 cells, tiles of 32 rows, 64 parts`.
  [[nodiscard]] std::string describe(const CellProblem &problem) const;

  bool operator==(const CellSchedule &) const = default;
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_CELLSCHEDULE_H
