// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indexing maps through many operations: of a fusion, of a whole computation.
//
//   f {
//     p0 = f32[1000, 1000] parameter(0)
//     t = f32[1000, 1000] transpose(p0), dimensions={1, 0}
//     ROOT a0 = f32[1000, 1000] add(p0, t)
//   }
//
//   FusionMaps maps(arena);
//   maps.toArguments({a0})
//     p0: { (d0, d1) -> (d0, d1),
//           (d0, d1) -> (d1, d0) }, d0 and d1 in [0, 999]
//
// How. The maps of each operation (MapInterface.h) are composed along every
// edge, starting at the root (or, from input to output, at the argument), one
// operation after the other in the order of the block. Each value keeps one
// MapSet: the maps from the root to it, simplified, those that mean the same
// only once. So the work is linear in the operations times the sizes of these
// sets, and does not depend on the number of paths: ten thousand `add(x, x)` in
// a row are ten thousand steps. Fusions, calls, branches and loops are entered,
// each computation once for each of its results.
//
// Branches. All that is computed in one of them depends on the predicate. Where
// that is a constant there is one branch; else what all of them read is read,
// and what only some of them read may be.
//
// Loops. The maps of the body are composed until there is nothing new: a value
// that only hands itself on, or is added to, takes two steps. The number of
// iterations, and the value of a counter in each of them, are found where the
// loop counts from one constant to another; then a slice at the counter is read
// for every value that it has. Every result depends on the condition.
//
// Reductions, sorts and the like are not entered: their own maps say it all.
//
// Limits, each of which gives the read of the whole tensor, marked as not
// exact, with the reason: more than kMaxMaps maps of one value; more than
// kMaxVariables range and runtime variables, or constraints, in one map; more
// work than kMaxWork for each operation, on average, where a map counts as the
// square of its variables and constraints; calls that are recursive or nest
// deeper than kMaxDepth; regions of several blocks; loops whose reads are
// others in each of kMaxIterations iterations.
//
// Tuples. A value of tuple type has `leaves`: its members, members of members
// counted through, in order. Any other value is its own leaf 0.

#ifndef MERCATOR_ANALYSIS_MAPS_FUSIONMAPS_H
#define MERCATOR_ANALYSIS_MAPS_FUSIONMAPS_H

#include "mercator/analysis/Leaves.h"
#include "mercator/analysis/maps/MapInterface.h"

#include <memory>
#include <vector>

namespace mercator {

/// What was reached of a block's arguments or of its terminator's operands.
struct Reached {
  unsigned number;   ///< which argument or operand
  unsigned leaf = 0; ///< which leaf of it
  indexing::MapSet maps;
};

class FusionMaps {
public:
  static constexpr unsigned kMaxMaps = 64;
  static constexpr unsigned kMaxVariables = 24;
  static constexpr unsigned kMaxDepth = 64;
  static constexpr uint64_t kMaxWork = 64;
  static constexpr unsigned kMaxIterations = 16;

  /// Keeps what it finds about fused and called computations, for as long as
  /// the arena and the operations live and are not changed.
  explicit FusionMaps(indexing::Arena &arena);
  ~FusionMaps();

  /// Output to input: from the elements of `root` to those of the arguments of
  /// the block that computes it. Ensures: sorted by number and leaf; an
  /// argument that is not listed is not read.
  [[nodiscard]] std::vector<Reached> toArguments(Leaf root);

  /// Input to output: from the elements of a block's argument to those of the
  /// operands of its terminator. Sorted; what is not listed does not read it.
  [[nodiscard]] std::vector<Reached> toResults(Leaf argument);

  /// The maps of one operation, from a result to each operand. As mapsOf, but
  /// the body of a fusion is walked once for all operands.
  [[nodiscard]] std::vector<indexing::MapSet> toOperands(mlir::Operation *op,
                                                         unsigned result);
  /// From an operand to each result.
  [[nodiscard]] std::vector<indexing::MapSet> fromOperand(mlir::Operation *op,
                                                          unsigned operand);

  struct Cache; ///< internal: maps/Walk.h
  class Walk;

private:
  friend class ProgramMaps;
  std::vector<indexing::MapSet>
  alone(mlir::Operation *op, indexing::Direction direction, unsigned number);
  indexing::Arena &arena;
  std::unique_ptr<Cache> cache;
};

} // namespace mercator

#endif // MERCATOR_ANALYSIS_MAPS_FUSIONMAPS_H
