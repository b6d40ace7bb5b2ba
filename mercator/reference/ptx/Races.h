// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Finds accesses to shared memory whose order no barrier decides.
///
///   Races races(sharedBytes);
///   races.access({.instruction = 3, .thread = 0, .epoch = 1}, 0, 4, /*isWrite=*/true);
///   races.access({.instruction = 7, .thread = 32, .epoch = 1}, 0, 4, false);
///   races.found()      // one race, of the instructions 3 and 7
///
/// For each byte the last write and the last reads are known. An epoch is a time between two barriers of a block. Two accesses of
/// one epoch by two threads race if one of them writes. Within a warp an order is a time
/// between two `bar.warp.sync`.
///
/// A barrier of some warps begins an epoch for these warps only. Epochs of warps are
/// numbers, so an access before and another after barriers of different warps are taken
/// as ordered: such a race is not found.

#ifndef MERCATOR_REFERENCE_PTX_RACES_H
#define MERCATOR_REFERENCE_PTX_RACES_H

#include "mercator/reference/ptx/Machine.h"

#include "llvm/ADT/DenseSet.h"

namespace mercator::reference::ptx {

class Races {
public:
  struct Access {
    uint32_t instruction = 0;
    uint32_t thread = 0;
    uint32_t epoch = 0; ///< from 1
    uint32_t order = 0;
  };

  explicit Races(size_t bytes) : cells(bytes) {}

  /// `isSame`: a write that does not change the bytes.
  void access(const Access &access, uint64_t address, unsigned bytes,
              bool isWrite, bool isSame);
  /// Another block begins. Its epochs are larger than those of the blocks before.
  void nextBlock(uint64_t next) { block = next; }

  [[nodiscard]] std::vector<Race> take() { return std::move(races); }

private:
  /// The last write and the last read, and the last read before it by another lane of
  /// the same warp, and by another warp.
  struct Cell {
    Access write, read, readOfLane, readOfWarp;
  };
  void add(const Access &first, bool isFirstWrite, const Access &second,
           bool isSecondWrite, uint64_t address);

  std::vector<Cell> cells;
  llvm::DenseSet<uint64_t> known; // pairs of instructions
  std::vector<Race> races;
  uint64_t block = 0;
};

} // namespace mercator::reference::ptx

#endif // MERCATOR_REFERENCE_PTX_RACES_H
