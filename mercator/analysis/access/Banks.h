// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Bank conflicts: how many passes shared memory needs for one load of a warp.
///
/// Shared memory has banks. Word w of it is in bank w modulo their number, and a
/// bank gives one word in a pass. Lanes that ask for words of one bank wait for
/// each other; lanes that ask for the same word do not.
///
///   a column of a tile of 32x32 f32, 32 banks of 4 B
///     rows of 32 elements   lane l reads word 32 * l: all in bank 0, 32 passes
///     rows of 33 elements   lane l reads word 33 * l: a bank for each, 1 pass
///
/// Elements wider than a word are served for fewer lanes at a time: as many as ask for
/// one row of the banks. Measured on an H100 (`data/gpu/banks.json`).
///
/// ```cpp
/// StagedTile tile = stagedTile(32, 4, *findDevice("h100"));
/// assert(tile.passes == 32 && tile.padding == 1 && tile.paddedPasses == 1);
/// ```

#ifndef MERCATOR_ANALYSIS_ACCESS_BANKS_H
#define MERCATOR_ANALYSIS_ACCESS_BANKS_H

#include "mercator/analysis/device/Device.h"

#include "llvm/ADT/ArrayRef.h"

namespace mercator::access {

/// Passes for lanes that each read `bytes` bytes at these addresses in shared
/// memory, in the order of the lanes. Requires: memory.banks > 0. Complexity: linear in the words.
[[nodiscard]] int64_t bankPasses(llvm::ArrayRef<int64_t> addresses,
                                 int64_t bytes, const Device &memory);

/// A square tile of `lanes` rows in shared memory that is written by rows and
/// read by columns, as for a transpose.
struct StagedTile {
  int64_t side = 1;        ///< rows and columns
  double passes = 1;       ///< of a load of a column, on average
  int64_t leastPasses = 1; ///< of any load of so many bytes
  int64_t padding = 0;     ///< elements to add to each row
  double paddedPasses = 1; ///< of a column of padded rows
};

/// Requires: memory.banks > 0. Ensures: no smaller padding, up to a row of
/// banks, has fewer passes.
[[nodiscard]] StagedTile stagedTile(int64_t lanes, int64_t elementBytes,
                                    const Device &memory);

} // namespace mercator::access

#endif // MERCATOR_ANALYSIS_ACCESS_BANKS_H
