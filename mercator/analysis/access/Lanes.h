// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Coalescing: which bytes the lanes of a warp ask for together, and how many
/// sectors and lines the memory sends for them, over all warps.
///
///   (d0, d1) -> (d1, d0) on f32[1024,1024], 32 lanes along d1, sectors of 32 B
///     lanes 4096 B apart: each touches a sector of its own, 32 for the 128
///     bytes that are used
///
/// ```cpp (Arena &arena, const Map &transpose, const Layout &operand)
/// LaneMapping lanes = lanesOf(arena, {1024, 1024}, {1, 0}, 32, 1);
/// auto traffic = trafficOf(lanes, transpose, operand, *findDevice("h100"));
/// assert(traffic && traffic->sectors.begin()->first == 32);
/// ```
///
/// A load is one access of all lanes: one value of everything but the lane and
/// the position in its vector. A map with range variables is a load for each of
/// their values; those that it does not use are dropped.
///
/// A vector is one load where it is one for the hardware. With shared memory (a
/// GPU), a load takes the most elements of a lane, a power of two and at most 16
/// bytes, that are neighbors at a multiple of their bytes, for all lanes and loads:
///
///   4 x f32 from a multiple of 16 bytes  1 load of 16 bytes
///   4 x f32 from element 1, or reversed  4 loads of one element each
///   8 x f32                              2 loads of 16 bytes
///
/// A lane that takes a part of such neighbors only, as at the end of a row, loads
/// them one by one. What all elements of a lane share is one load.
///
/// A runtime variable is no loop: it has one value in each load. If the address
/// has a part of runtime variables, the load counts with the value for which it
/// touches the most sectors. If the value differs from lane to lane, lanes that read
/// it at one index have one value, and the others may be anywhere. A condition on runtime variables does not
/// exclude a lane. The results are then upper bounds, unless every value gives
/// the same: rows of whole lines, of a gather, are exact.
///
/// Method. The address is split into a part of the lane and a part of the load.
/// Sectors depend on the second part modulo the line only, so the loads are
/// counted by residue, in closed form: a shape of 10^12 elements takes as long
/// as one of 10^3. Variables that the address mixes with the lane are
/// enumerated, for one period (Periods.h): rows of 777 elements look alike after
/// 777 warps. Where a constraint ends in the middle, as at the last row, the box
/// of the loads is split there. If a period is too long, some loads are tried,
/// and the result says `sampled`.
///
/// The address of the first element is a multiple of the base alignment of the
/// device, which is what allocators give.

#ifndef MERCATOR_ANALYSIS_ACCESS_LANES_H
#define MERCATOR_ANALYSIS_ACCESS_LANES_H

#include "mercator/analysis/Layout.h"
#include "mercator/analysis/access/Banks.h"
#include "mercator/analysis/device/Device.h"
#include "mercator/support/Verdict.h"

#include <map>

namespace mercator::access {

/// Which element of the result each lane computes: a map from (lane, element of
/// its vector, ...) to the index of the result. The further dimensions number
/// the loads.
struct LaneMapping {
  indexing::Map map;
  int64_t lanes = 32, vector = 1;
  /// One load takes all elements of a lane, wherever they are.
  bool isOneLoad = false;
  /// Elements of a lane that one load takes at most.
  int64_t mostTogether = 16;
  /// The operand lies in shared memory: `sectors` are passes of its banks (Banks.h).
  /// Requires: isOneLoad, no lane takes a part of its vector, and a line of the device
  /// is a row of the banks.
  bool isInBanks = false;
};

/// Consecutive lanes take consecutive elements in the order of the layout,
/// `vector` elements each. Requires: sizes are at least 1.
[[nodiscard]] LaneMapping lanesOf(indexing::Arena &arena,
                                  llvm::ArrayRef<int64_t> sizes,
                                  llvm::ArrayRef<int64_t> minorToMajor,
                                  int64_t lanes, int64_t vector);

/// Consecutive lanes take consecutive indices of one dimension. Requires: the
/// same, and dim < sizes.size().
[[nodiscard]] LaneMapping lanesAlong(indexing::Arena &arena,
                                     llvm::ArrayRef<int64_t> sizes, int64_t dim,
                                     int64_t lanes, int64_t vector);

struct Traffic {
  /// For each number of sectors, the number of loads that touch as many. In
  /// shared memory: its passes.
  std::map<int64_t, int64_t> sectors, lines;
  int64_t loads = 0;
  /// Elements of a lane that one load takes.
  int64_t together = 1;
  /// Sums over all loads.
  int64_t usedBytes = 0, fetchedBytes = 0, neededSectors = 0;
  /// From lane to lane, where that is one number.
  std::optional<int64_t> laneStride;
  bool isUniform = false; ///< all lanes of a load read one element
  bool isAligned = true;  ///< loads begin at sectors
  Exactness loadsAre = Exactness::Exact, usedAre = Exactness::Exact,
            fetchedAre = Exactness::Exact;
  /// How exact factor() is, its cause, and what would change it.
  Grounds grounds;
  /// Where the help is to stage a tile in shared memory: its bank conflicts.
  std::optional<StagedTile> staged;

  [[nodiscard]] int64_t touchedSectors() const {
    int64_t sum = 0;
    for (auto [count, loads] : sectors)
      sum += count * loads;
    return sum;
  }
  /// Fetched bytes for each used byte, at least 1.
  [[nodiscard]] double factor() const {
    return neededSectors == 0 ? 1 : double(touchedSectors()) / neededSectors;
  }
};

/// What the lanes read by `map`, from the index of the result to the index of
/// an operand with that layout. Nothing if the map reads nothing.
[[nodiscard]] std::optional<Traffic> trafficOf(const LaneMapping &lanes,
                                               const indexing::Map &map,
                                               const Layout &layout,
                                               const Device &memory);

/// The same for a mapping whose map leads to the index of the operand itself.
[[nodiscard]] std::optional<Traffic> trafficOf(const LaneMapping &toOperand,
                                               const Layout &layout,
                                               const Device &memory);

/// The byte that each lane reads first in load `number`, counted over the
/// dimensions of the mapping, then the range variables, the last one fastest.
/// Runtime variables have their least value. None for a lane that takes no part.
/// Empty if there is no such load, or if data decide which elements lanes read.
[[nodiscard]] std::vector<std::optional<int64_t>>
addressesOf(const LaneMapping &lanes, const indexing::Map &map,
            const Layout &layout, int64_t number);

} // namespace mercator::access

#endif // MERCATOR_ANALYSIS_ACCESS_LANES_H
