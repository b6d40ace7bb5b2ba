// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The order in which the terms of a reduction are combined.
///
/// The order is a value. It follows from the extents of the reduced dimensions
/// alone: not from the CPU, the number of threads, the layout of the operands, or
/// the dispatch that the reduction is in. So neither do the bits of the result.
/// Take a sum over 3 x 100 elements:
///
///   outer 3, inner 100       rows of terms: the innermost dimension is a row
///   lanes 16                 term k of a row goes to accumulator k mod 16
///   steps 3 * 7              a step is 16 neighbors of a row; the last one of a
///                            row has 4
///   nodes 16, 256            steps 0 to 15 are added to accumulators of their own,
///                            and steps 16 to 20 too: a *node*, of level 0. Both
///                            nodes are added to the accumulators of level 1, and
///                            so on, 16 nodes to a node of the next level
///   tree                     lanes l and l + 8, then l and l + 4, ...
///   init                     the initial value is added at the end
///
/// So a term takes part in at most 16 additions a level: the error grows with the
/// logarithm of the number of terms, and a sum of 2^24 terms has 5 levels. The code
/// is free to choose what runs at the same time: lanes in vectors of any width,
/// columns of results side by side, and nodes in several threads.
///
/// Rows of fewer than 16 terms are joined with the dimension around them. Rows of
/// fewer than 64 terms have 4 lanes. Fewer than 64 terms in all are added one after
/// another.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_SUMORDER_H
#define MERCATOR_TARGETS_CPU_KERNELS_SUMORDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>

namespace mercator::cpu {

struct SumOrder {
  /// Steps of a node, and nodes of a node of the next level.
  static constexpr int64_t kFan = 16;

  /// The dimensions around the rows, and the number of those that make up a row.
  int64_t outer = 1, inner = 1;
  unsigned rowDims = 0;
  int64_t lanes = 1;
  /// The steps of a whole node of each level, from level 0; one node of the last
  /// level has all steps.
  llvm::SmallVector<int64_t> nodes;

  /// Of reduced dimensions with these extents, outermost first. A negative extent
  /// is unknown: then `outer` or `inner` is -1, and there are enough levels for
  /// any sum.
  [[nodiscard]] static SumOrder of(llvm::ArrayRef<int64_t> extents);
  /// The same for maxima, minima and integers, where any order gives the same result:
  /// long rows have 64 lanes, so that vectors do not wait for each other.
  [[nodiscard]] static SumOrder ofExact(llvm::ArrayRef<int64_t> extents);

  /// Of a row.
  [[nodiscard]] int64_t rowSteps() const { return (inner + lanes - 1) / lanes; }
  [[nodiscard]] int64_t steps() const { return outer * rowSteps(); }
  /// How many nodes a level has.
  [[nodiscard]] int64_t count(unsigned level) const {
    return (steps() + nodes[level] - 1) / nodes[level];
  }
  /// The most additions on the way of a term to the result. The relative error of
  /// a sum of numbers of one sign is at most this, in units of half a place (2^-24
  /// for f32).
  [[nodiscard]] int64_t depth() const;

  /// `3 rows of 100, 16 lanes, nodes of 16, 256 steps`.
  void print(llvm::raw_ostream &os) const;

private:
  void setLanes(int64_t count);
};

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_SUMORDER_H
