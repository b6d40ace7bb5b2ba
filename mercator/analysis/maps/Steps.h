// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps from one value to another, and what each of them made of what was known
// before. Internal to FusionMaps.h.
//
// A program of a thousand results is walked a thousand times, and in most of
// its steps the same set of maps meets the same step: layers repeat one
// another, and so do walks from results of one shape. So equal sets are kept
// once, equal steps too, and the answer to
//
//   (what is read of the first value, the step, what is read of the second)
//     -> what is read of the second now
//
// is found in a table. The table is only a shortcut: an answer is what
// Reads::compose or Reads::add gives, its cost included (FusionMaps::kMaxWork),
// and where that cost is not allowed the work is done anew, to stop where it
// has to.

#ifndef MERCATOR_ANALYSIS_MAPS_STEPS_H
#define MERCATOR_ANALYSIS_MAPS_STEPS_H

#include "mercator/analysis/maps/Reads.h"

#include "llvm/ADT/DenseMap.h"

#include <deque>
#include <map>
#include <set>
#include <unordered_map>

namespace mercator::maps {

/// The sizes of a tensor; equal sizes have one address.
using Shape = llvm::SmallVector<int64_t>;

/// From a value of one shape to one of another.
struct Step {
  const Shape *from, *to;
  bool isCopy; ///< element d is element d, and there are no maps
  indexing::MapSet maps;
};

class Steps {
public:
  [[nodiscard]] const Shape *shape(mlir::Type type);
  [[nodiscard]] const Step *copy(const Shape *shape);
  [[nodiscard]] const Step *step(const indexing::MapSet &maps,
                                 const Shape *from, const Shape *to);

  /// The same set for all sets that say the same in one order.
  [[nodiscard]] indexing::MapSet canonical(indexing::MapSet set);

  /// `to` is read through the step where `from` is. `root` is the shape that
  /// both states start from.
  void take(Reads &reads, const Shape *root, const State &from,
            const Step &step, State &to);
  /// How many answers were not in the table.
  [[nodiscard]] uint64_t computed() const { return numComputed; }

private:
  /// The table is emptied at so many answers.
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
    State from, to; ///< before: so that their identities stay theirs
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
