// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set of maps: all the ways in which one tensor is read through another.
//
// One map is not enough. p0 + transpose(p0) reads p0 in two ways:
//
//   (d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 9]
//   (d0, d1) -> (d1, d0), domain: d0 in [0, 9], d1 in [0, 9]
//
// An element reads the union of the elements that the maps give. An empty set
// says that nothing is read.
//
// A map of the set is exact, or it is an over-approximation and says why:
//
//   exact                  (d0)[s0] -> (s0, d0)
//   not exact, "sort may move any element of the dimension here"
//
// ```cpp
// Arena arena;
// MapSet reads(Map::identity(arena, {10, 10}));
// Map transpose = Map::identity(arena, {10, 10});
// std::swap(transpose.results[0], transpose.results[1]);
// assert(reads.insert({transpose}));
// assert(!reads.insert({transpose})); // the set has it
// assert(reads.size() == 2 && reads.isExact());
// ```
//
// Several devices. A program may run on several devices at once, and a
// collective operation reads elements of another device. The map says which
// one:
//
//   all_gather of 4 x [32], along dimension 0
//   (d0, device) -> (d0 mod 32, d0 floordiv 32)
//
// Element d0 on device `device` is read from device `d0 floordiv 32`. So these
// maps are composed and inverted as all others. A map without devices stays on
// the device it starts from; a set may contain both kinds.
//
// Laws
//   For every point, the union over the set contains all elements that are
//   read, and no others if every map of the set is exact.
//   No two maps of a set mean the same, as far as a cheap test shows: maps
//   whose known bounds differ are taken to differ. Of two maps that mean the
//   same, the first stays in its place; it is exact if either was.
//   Maps keep the order of insertion.
//
// Copies of a set share its maps until one of them changes: a thousand values
// that are read in the same way cost as much as one. Like an arena, a set and
// its copies are used by one thread.

#ifndef MERCATOR_INDEXING_DECIDE_MAPSET_H
#define MERCATOR_INDEXING_DECIDE_MAPSET_H

#include "mercator/indexing/map/Map.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"

#include <optional>
#include <string>

namespace mercator::indexing {

/// A map through which an operand is read.
struct OperandMap {
  Map map;
  bool exact = true;
  std::string reason = {}; ///< why the map is not exact; empty if it is
  /// A lower bound on the pairs (d, element) of the map that are read; 0 if
  /// none is known. Meaningful only for a map that is not exact: see overRead
  /// in Footprint.h.
  int64_t leastRead = 0;
  /// The number of devices; the largest int64 if it is not known; 0 for a map
  /// without devices. With devices, the last dimension and the last result are
  /// the numbers of the devices that the elements are on.
  int64_t devices = 0;
};

/// The map, and why it is not exact where it is not.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const OperandMap &m);

class MapSet {
public:
  MapSet() = default;
  /// The set of one exact map.
  MapSet(Map map) { own().maps.emplace_back(std::move(map)); }
  /// The set of one map that over-approximates the elements read.
  [[nodiscard]] static MapSet approximate(Map map, std::string reason,
                                          int64_t leastRead = 0);

  /// The set of one map with devices; exact if there is no reason.
  [[nodiscard]] static MapSet acrossDevices(Map map, int64_t devices,
                                            std::string reason = {});

  /// Ensures: the new union is the old one and the elements that `m` gives. A
  /// known empty map adds nothing, and is kept only as the single member.
  /// Returns true if the set changed.
  /// Complexity: linear in the size of the set, if maps that mean the same
  /// mostly have equal handles, as simplified maps do.
  bool insert(OperandMap &&m);
  bool insert(const OperandMap &m) { return insert(OperandMap(m)); }

  [[nodiscard]] size_t size() const { return maps().size(); }
  [[nodiscard]] bool empty() const { return maps().empty(); }
  [[nodiscard]] auto begin() const { return maps().begin(); }
  [[nodiscard]] auto end() const { return maps().end(); }
  [[nodiscard]] const OperandMap &operator[](size_t i) const {
    return maps()[i];
  }
  [[nodiscard]] const OperandMap &front() const { return maps().front(); }
  /// True if every map is exact.
  [[nodiscard]] bool isExact() const;

  /// Prints the maps to stderr, for the debugger.
  LLVM_DUMP_METHOD void dump() const;

  /// Equal for copies that share their maps, and then the sets are equal. Null
  /// for an empty set.
  [[nodiscard]] const void *identity() const { return shared.get(); }

private:
  struct Shared : llvm::RefCountedBase<Shared> {
    llvm::SmallVector<OperandMap, 1> maps;
    /// Hashes of the bounds of all results, for the first maps of the list;
    /// computed on demand.
    mutable llvm::SmallVector<uint64_t, 1> signatures;
  };
  [[nodiscard]] llvm::ArrayRef<OperandMap> maps() const {
    return shared ? llvm::ArrayRef<OperandMap>(shared->maps)
                  : llvm::ArrayRef<OperandMap>();
  }
  Shared &own();
  [[nodiscard]] uint64_t signature(size_t i) const;
  [[nodiscard]] std::optional<size_t>
  findSame(const Map &map, std::optional<uint64_t> &itsSignature) const;

  llvm::IntrusiveRefCntPtr<Shared> shared; ///< null: no maps
};

/// One map a line.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const MapSet &maps);

/// The inverse of each map of a set: see Inverse.h. Exact maps stay exact. The
/// inverse of an over-approximation has the same pairs and the same reason.
/// `sizes` are those of the tensor alone, also where the maps have devices.
[[nodiscard]] MapSet inverse(const MapSet &maps, llvm::ArrayRef<int64_t> sizes);

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_DECIDE_MAPSET_H
