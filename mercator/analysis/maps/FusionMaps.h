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
// ```cpp (Arena &arena, mlir::Value a0)
// FusionMaps maps(arena);
// std::vector<Reached> reached = maps.toArguments({a0});
// ```
//
// gives one entry, for argument p0:
//
//   { (d0, d1) -> (d0, d1),
//     (d0, d1) -> (d1, d0) }, d0 and d1 in [0, 999]
//
// Method. The maps of each operation (MapInterface.h) are composed along every
// edge, starting at the root (or, from input to output, at the argument), one
// operation after the other in the order of the block. Each value keeps one
// MapSet: the simplified maps from the root to the value, without duplicates.
// So the work is linear in the operations times the sizes of these sets, and
// does not depend on the number of paths: ten thousand `add(x, x)` in a row are
// ten thousand steps. Fusions, calls, branches and loops are entered, each
// computation once for each of its results.
//
// Branches. Every result of a branch depends on the predicate. A constant
// predicate selects one branch. Otherwise each branch is read under the
// condition that it runs.
//
// Loops. The maps of the body are composed until the set of maps no longer
// grows: a value that is passed on, or is added to, takes two steps. If the
// loop counts from one constant to another, the number of iterations and the
// value of the counter are known. Then a slice at the counter is read for every
// value of the counter. Every result depends on the condition. See Loop.h.
//
// Reductions, sorts and similar operations are not entered: their own maps
// describe them completely.
//
// Limits. Each of them gives the read of the whole tensor, marked as not exact,
// with the reason:
//   - more than kMaxMaps maps of one value;
//   - more than kMaxVariables range and runtime variables, or constraints, in
//     one map;
//   - more work than kMaxWork per operation, on average, where the work of a
//     map is the square of its variables and constraints;
//   - recursive calls, and calls nested deeper than kMaxDepth;
//   - regions of several blocks;
//   - loops whose reads still change after kMaxIterations iterations.
//
// Tuples. A value of tuple type has `leaves`: its members, with nested members
// counted in order. Any other value is its own leaf 0.

#ifndef MERCATOR_ANALYSIS_MAPS_FUSIONMAPS_H
#define MERCATOR_ANALYSIS_MAPS_FUSIONMAPS_H

#include "mercator/analysis/Leaves.h"
#include "mercator/analysis/maps/MapInterface.h"

#include <memory>
#include <vector>

namespace mercator {

/// An argument of a block, or an operand of its terminator, and the maps to it.
struct Reached {
  unsigned number;   ///< of the argument or operand
  unsigned leaf = 0; ///< of its type
  indexing::MapSet maps;
};

/// A value between a result and the arguments, and the maps to it.
struct Producer {
  Leaf value;
  indexing::MapSet maps;
};

class FusionMaps {
public:
  static constexpr unsigned kMaxMaps = 64;
  static constexpr unsigned kMaxVariables = 24;
  static constexpr unsigned kMaxDepth = 64;
  static constexpr uint64_t kMaxWork = 64;
  static constexpr unsigned kMaxIterations = 16;

  /// Caches results for fused and called computations. Requires: the arena and
  /// the operations outlive this object and are not changed.
  explicit FusionMaps(indexing::Arena &arena, ReadsOf reads = ReadsOf::Meaning);
  ~FusionMaps();

  /// Output to input: the maps from `root` to the arguments of the block that
  /// computes it. Ensures: sorted by number and leaf; an argument that is not
  /// listed is not read.
  [[nodiscard]] std::vector<Reached> toArguments(Leaf root);

  /// Output to input: the maps from `root` to the results of the operations
  /// between it and the arguments of its block. Ensures: the nearest come first;
  /// none for a region of several blocks.
  [[nodiscard]] std::vector<Producer> toProducers(Leaf root);

  /// Input to output: the maps from an argument of a block to the operands of
  /// its terminator. Ensures: sorted; an operand that is not listed does not
  /// read the argument.
  [[nodiscard]] std::vector<Reached> toResults(Leaf argument);

  /// The maps of one operation, from a result to each operand, as mapsOf gives
  /// them. The body of a fusion is walked once for all operands.
  [[nodiscard]] std::vector<indexing::MapSet> toOperands(mlir::Operation *op,
                                                         unsigned result);
  /// The maps of one operation, from an operand to each result.
  [[nodiscard]] std::vector<indexing::MapSet> fromOperand(mlir::Operation *op,
                                                          unsigned operand);

  struct Cache; ///< internal: maps/Walk.h
  class Walk;

private:
  friend class ProgramMaps;
  std::vector<indexing::MapSet>
  alone(mlir::Operation *op, indexing::Direction direction, unsigned number);
  indexing::Arena &arena;
  ReadsOf reads;
  std::unique_ptr<Cache> cache;
};

} // namespace mercator

#endif // MERCATOR_ANALYSIS_MAPS_FUSIONMAPS_H
