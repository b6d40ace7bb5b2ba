// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is read through several operations from one starting point, and the
// limits that keep it small. Internal to FusionMaps.h and ProgramMaps.h.
//
//   Reads reads(arena, {1000, 1000});       from a tensor of these sizes
//   State here = reads.start(), there;
//   reads.compose(here, sizes, there, sizes, {the maps of a transpose});
//     there.maps: (d0, d1) -> (d1, d0)
//
// Maps of collectives have one dimension and one result more, the device
// (MapSet.h). A map without it stays on its device, and gets it as soon as it
// meets one that has it.

#ifndef MERCATOR_ANALYSIS_MAPS_READS_H
#define MERCATOR_ANALYSIS_MAPS_READS_H

#include "mercator/analysis/maps/FusionMaps.h"

namespace mercator::maps {

/// What is known to be read of one value.
struct State {
  indexing::MapSet maps;
  /// Every element is read: nothing can be added.
  bool isFull = false;
};

class Reads {
public:
  Reads(indexing::Arena &arena, llvm::SmallVector<int64_t> rootSizes)
      : arena(arena), rootSizes(std::move(rootSizes)) {}

  /// The root itself.
  [[nodiscard]] State start() const {
    return {indexing::Map::identity(arena, rootSizes)};
  }
  /// Allows the work of one operation more.
  void allow() { allowed += FusionMaps::kMaxWork; }

  /// Each returns true if the state changed.
  bool widen(State &to, indexing::Sizes sizes, llvm::Twine reason);
  bool insert(State &to, indexing::Sizes sizes, indexing::OperandMap m);
  /// The one is read where the other is.
  bool add(const State &from, State &to, indexing::Sizes sizes);
  /// As add, but perhaps not all of it is read.
  bool addSome(const State &from, State &to, indexing::Sizes sizes,
               llvm::Twine reason);
  /// `to` is read through `step` where `from` is.
  bool compose(const State &from, indexing::Sizes fromSizes, State &to,
               indexing::Sizes toSizes, const indexing::MapSet &step);
  /// Every element of `to` is read for every element of the root.
  bool addAll(State &to, indexing::Sizes sizes, llvm::Twine reason = "");

  indexing::Arena &arena;
  const llvm::SmallVector<int64_t> rootSizes;

private:
  friend class Steps;
  bool spend(const indexing::Map &a, const indexing::Map &b);

  uint64_t work = 0; ///< done so far, and allowed so far: see kMaxWork
  uint64_t allowed = 1 << 15;
  int64_t devices = 0; ///< how many there are, once one was met
};

/// True if the set says what `m` says, exactly if `m` does.
[[nodiscard]] bool contains(const indexing::MapSet &set,
                            const indexing::OperandMap &m);

/// A map that stays on its device, as one that says so.
[[nodiscard]] indexing::Map onDevices(indexing::Map map);

/// Every element of every device.
[[nodiscard]] indexing::Map everywhere(indexing::Arena &arena,
                                       indexing::Sizes from, indexing::Sizes to,
                                       int64_t devices);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_READS_H
