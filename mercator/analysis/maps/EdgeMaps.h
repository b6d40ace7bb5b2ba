// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The maps along an edge, from one value to another, and a cache of the results
// of following it. Internal to FusionMaps.h.
//
// A program of a thousand results is walked a thousand times. On most edges of
// these walks the same set of maps meets the same maps of an edge: layers
// repeat, and walks from results of one shape are alike. Equal sets and equal
// edges are stored once, and the answer to
//
//   (maps to the first value, maps of the edge, maps to the second value)
//     -> new maps to the second value
//
// is found in a table. An answer is exactly that of Reads::compose or
// Reads::add, including its cost (FusionMaps::kMaxWork). If the cost exceeds
// the budget, the work is done again, so that it stops at the right place.

#ifndef MERCATOR_ANALYSIS_MAPS_EDGEMAPS_H
#define MERCATOR_ANALYSIS_MAPS_EDGEMAPS_H

#include "mercator/analysis/maps/Reads.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <map>
#include <set>
#include <unordered_map>

namespace mercator::maps {

/// The sizes of a tensor. Equal sizes have equal addresses.
using Shape = llvm::SmallVector<int64_t>;

/// The maps from a value of one shape to a value of another.
struct EdgeMaps {
  const Shape *from = nullptr, *to = nullptr;
  bool isCopy = false; ///< element d reads element d; `maps` is not used
  indexing::MapSet maps = {};
};

class EdgeMapsCache {
public:
  [[nodiscard]] const Shape *shape(mlir::Type type);
  [[nodiscard]] const EdgeMaps *copy(const Shape *shape);
  [[nodiscard]] const EdgeMaps *edge(const indexing::MapSet &maps,
                                     const Shape *from, const Shape *to);

  /// One representative for all sets with equal maps in equal order.
  [[nodiscard]] indexing::MapSet canonical(indexing::MapSet set);

  /// Value `to` is read through the edge where `from` is. `root` is the shape
  /// that both states start from.
  void take(Reads &reads, const Shape *root, const State &from,
            const EdgeMaps &edge, State &to);
  /// The number of answers that were not in the table.
  [[nodiscard]] uint64_t computed() const { return numComputed; }

private:
  /// The table is cleared at this size.
  static constexpr size_t kMaxAnswers = 1 << 20;

  struct ResultKey {
    const void *from, *to; ///< MapSet::identity
    const EdgeMaps *edge;
    const Shape *root;
    int64_t devices;
    bool fromIsFull, toIsFull;
    bool operator==(const ResultKey &) const = default;
  };
  struct ResultKeyHash {
    size_t operator()(const ResultKey &q) const;
  };
  struct Result {
    State from, to; ///< kept alive, so that identities are not reused
    State now;
    int64_t devices;
    uint64_t work;
  };

  llvm::SmallDenseMap<mlir::Type, const Shape *, 8> shapes;
  std::set<Shape> shapesBySizes;
  std::unordered_multimap<uint64_t, indexing::MapSet> sets; ///< by hash
  std::map<std::tuple<const void *, const Shape *, const Shape *>, EdgeMaps>
      steps;
  std::unordered_map<ResultKey, Result, ResultKeyHash> answers;
  uint64_t numComputed = 0;
};

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_EDGEMAPS_H
