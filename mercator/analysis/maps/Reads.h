// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements that one starting point reads, through several operations, and
// the limits on the size of such sets. Internal to FusionMaps.h and
// ProgramMaps.h.
//
// ```cpp (Arena &arena, const MapSet &transposeMaps)
// SmallVector<int64_t> sizes{1000, 1000};
// maps::Reads reads(arena, sizes);
// maps::State here = reads.start(), there;
// reads.compose(here, sizes, there, sizes, transposeMaps);
// // there.maps: (d0, d1) -> (d1, d0)
// ```
//
// Maps of collectives have an additional dimension and result, the device
// (MapSet.h). A map without devices stays on its device. Combining it with a map
// that has devices adds the device.

#ifndef MERCATOR_ANALYSIS_MAPS_READS_H
#define MERCATOR_ANALYSIS_MAPS_READS_H

#include "mercator/analysis/maps/FusionMaps.h"

namespace mercator::maps {

/// The maps from the root to one value.
struct State {
  indexing::MapSet maps;
  /// True if every element is read: nothing can be added.
  bool isFull = false;
};

class Reads {
public:
  Reads(indexing::Arena &arena, llvm::SmallVector<int64_t> rootSizes)
      : arena(arena), rootSizes(std::move(rootSizes)) {}

  /// The state of the root: the identity.
  [[nodiscard]] State start() const {
    return {indexing::Map::identity(arena, rootSizes)};
  }
  /// Adds the work of one operation to the budget.
  void allow() { allowed += FusionMaps::kMaxWork; }

  // Each of these functions returns true if the state changed.

  /// Every element of `to` may be read, for the given reason.
  bool widen(State &to, indexing::Sizes sizes, llvm::Twine reason);
  bool insert(State &to, indexing::Sizes sizes, indexing::OperandMap &&m);
  /// Value `to` is read where `from` is.
  bool add(const State &from, State &to, indexing::Sizes sizes);
  /// The same as an over-approximation: perhaps only a part is read.
  bool addSome(const State &from, State &to, indexing::Sizes sizes,
               llvm::Twine reason);
  /// Value `to` is read through `step` where `from` is.
  bool compose(const State &from, indexing::Sizes fromSizes, State &to,
               indexing::Sizes toSizes, const indexing::MapSet &step);
  /// Every element of `to` is read for every element of the root.
  bool addAll(State &to, indexing::Sizes sizes, llvm::Twine reason = "");

  indexing::Arena &arena;
  const llvm::SmallVector<int64_t> rootSizes;

private:
  friend class EdgeMapsCache;
  bool spend(const indexing::Map &a, const indexing::Map &b);

  uint64_t work = 0; ///< work done; `allowed` is the budget: see kMaxWork
  uint64_t allowed = 1 << 15;
  int64_t devices = 0; ///< the number of devices; 0 until a map has devices
};

/// True if the set has a map that means the same as `m`, and an exact one if
/// `m` is exact.
[[nodiscard]] bool contains(const indexing::MapSet &set,
                            const indexing::OperandMap &m);

/// A map without devices as a map with devices that stays on its device.
[[nodiscard]] indexing::Map onDevices(indexing::Map map);

/// Every element of every device is read.
[[nodiscard]] indexing::Map everywhere(indexing::Arena &arena,
                                       indexing::Sizes from, indexing::Sizes to,
                                       int64_t devices);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_READS_H
