// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps from one value to another, and a cache of their results. Internal to
// FusionMaps.h.
//
// A program of a thousand results is walked a thousand times. In most steps of
// these walks the same set of maps meets the same step: layers repeat, and so
// do walks from results of one shape. So equal sets and equal steps are stored
// once, and the answer to
//
//   (maps to the first value, the step, maps to the second value)
//     -> new maps to the second value
//
// is found in a table. An answer is exactly that of Reads::compose or
// Reads::add, including its cost (FusionMaps::kMaxWork). If the cost exceeds
// the budget, the work is done again, so that it stops at the right place.

#ifndef MERCATOR_ANALYSIS_MAPS_STEPS_H
#define MERCATOR_ANALYSIS_MAPS_STEPS_H

#include "mercator/analysis/maps/Reads.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <map>
#include <set>
#include <unordered_map>

namespace mercator::maps {

/// The sizes of a tensor. Equal sizes have equal addresses.
using Shape = llvm::SmallVector<int64_t>;

/// A step from a value of one shape to a value of another.
struct Step {
  const Shape *from, *to;
  bool isCopy; ///< element d reads element d; `maps` is not used
  indexing::MapSet maps;
};

class Steps {
public:
  [[nodiscard]] const Shape *shape(mlir::Type type);
  [[nodiscard]] const Step *copy(const Shape *shape);
  [[nodiscard]] const Step *step(const indexing::MapSet &maps,
                                 const Shape *from, const Shape *to);

  /// One representative for all sets with equal maps in equal order.
  [[nodiscard]] indexing::MapSet canonical(indexing::MapSet set);

  /// Value `to` is read through the step where `from` is. `root` is the shape
  /// that both states start from.
  void take(Reads &reads, const Shape *root, const State &from,
            const Step &step, State &to);
  /// The number of answers that were not in the table.
  [[nodiscard]] uint64_t computed() const { return numComputed; }

private:
  /// The table is cleared at this size.
  static constexpr size_t kMaxAnswers = 1 << 20;

  struct Question {
    const void *from, *to; ///< MapSet::identity
    const Step *step;
    const Shape *root;
    int64_t devices;
    bool fromIsFull, toIsFull;
    bool operator==(const Question &) const = default;
  };
  struct QuestionHash {
    size_t operator()(const Question &q) const;
  };
  struct Answer {
    State from, to; ///< kept alive, so that identities are not reused
    State now;
    int64_t devices;
    uint64_t work;
  };

  llvm::DenseMap<mlir::Type, const Shape *> shapes;
  std::set<Shape> shapesBySizes;
  std::unordered_multimap<uint64_t, indexing::MapSet> sets; ///< by hash
  std::map<std::tuple<const void *, const Shape *, const Shape *>,
           std::unique_ptr<Step>>
      steps;
  std::unordered_map<Question, Answer, QuestionHash> answers;
  uint64_t numComputed = 0;
};

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_STEPS_H
