// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks over the operations of blocks from one value, and the cache of
// computations that they share. Internal to FusionMaps.h and ProgramMaps.h.

#ifndef MERCATOR_ANALYSIS_MAPS_WALK_H
#define MERCATOR_ANALYSIS_MAPS_WALK_H

#include "mercator/analysis/Computations.h"
#include "mercator/analysis/Leaves.h"
#include "mercator/analysis/Sources.h"
#include "mercator/analysis/maps/EdgeMaps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/Support/Allocator.h"

#include <deque>
#include <map>
#include <optional>

namespace mercator::maps {

using indexing::Arena;
using indexing::Direction;
using indexing::Map;
using indexing::MapSet;
using indexing::OperandMap;

class Loop;
class Manual;

/// The maps to a value outside the block of the walk.
struct Outside {
  Leaf leaf;
  MapSet maps;
  /// The number of the operand; nothing for a value that a region captures.
  std::optional<unsigned> operand = {};
};

/// The maps of a computation as seen from the operation that enters it. Sources
/// of runtime variables are rewritten: arguments of the block become operands,
/// other values become sources inside the operation.
[[nodiscard]] MapSet lift(indexing::Arena &arena, const MapSet &inner,
                          mlir::Operation *op, mlir::Block *block);

/// The key of a cached walk: a block, and one of its results or arguments.
struct WalkKey {
  mlir::Block *block;
  Direction direction;
  const void *value;
  unsigned leaf;
  auto operator<=>(const WalkKey &) const = default;
};

struct WalkResult {
  /// Maps to arguments; from input to output, to operands of the terminator.
  std::vector<Reached> reached;
  /// Maps to values that the block captures.
  std::vector<Outside> captured;
  std::string refusal; ///< the reason if there is no answer
};

/// The effect of a step over an operation, computed once for all walks.
struct WalkPlan {
  struct Edge {
    unsigned to; ///< number of a leaf
    const EdgeMaps *step;
  };
  /// A leaf of a near value and its edges. Computed on demand, since walks may
  /// need few leaves of a large operation.
  struct Near {
    unsigned number; ///< of the near value
    unsigned leaf;   ///< number of the leaf
    bool isKnown = false;
    llvm::SmallVector<Edge, 2> edges = {};
  };
  enum class Kind : uint8_t {
    Moves,    ///< passes values on, whole or in tuples
    Enters,   ///< enters a computation
    Manual,   ///< has a body that is written for one device, see Manual.h
    Controls, ///< see isControl
    Maps,     ///< see MapInterface
    Anything  ///< reaches every far value, for the reason below
  };
  Kind kind;
  std::string reason = {};
  mlir::Block *block = nullptr; ///< the computation
  bool hasRegions = false;
  bool hasCaptures = false; ///< its regions use values from outside
  llvm::SmallVector<Near, 1> near = {};
  llvm::SmallVector<unsigned, 2> nearLeaves = {}; ///< all leaves of near values
};

} // namespace mercator::maps

namespace mercator {

struct FusionMaps::Cache {
  explicit Cache(FusionMaps &maps);
  ~Cache();

  /// The walk from the leaf of a value in the block, or returned by it.
  const maps::WalkResult &answer(mlir::Block *block,
                                 indexing::Direction direction, Leaf root);
  /// The reads outside of a leaf of a result of an operation with isControl.
  const std::vector<maps::Outside> &readsOf(Leaf result);
  /// As mercator::mapsOf, cached.
  indexing::MapSet mapsOf(mlir::Operation *op, indexing::Direction direction,
                          unsigned operand, unsigned result);
  /// The values that the regions of an operation capture.
  const std::vector<mlir::Value> &capturesOf(mlir::Operation *op);
  const maps::Shape &sizes(Leaf leaf) {
    return *edgeMaps.shape(leaves.leafType(leaf.value.getType(), leaf.leaf));
  }
  /// A number for each leaf of each value.
  unsigned numberOf(Leaf leaf);
  [[nodiscard]] Leaf leafOf(unsigned number) const { return numbered[number]; }
  maps::WalkPlan &plan(mlir::Operation *op, indexing::Direction direction);
  /// Where each leaf leads, for an operation that only hands values on; none
  /// for another one.
  std::optional<llvm::SmallVector<maps::WalkPlan::Near, 1>>
  moves(mlir::Operation *op, indexing::Direction direction);
  /// Computes the edges of a leaf. Returns the reason if a computation cannot
  /// be entered, else the empty string.
  std::string follow(maps::WalkPlan &plan, maps::WalkPlan::Near &near,
                     mlir::Operation *op, indexing::Direction direction);

  [[nodiscard]] indexing::Arena &arena() const { return owner.arena; }
  maps::Loop &loop(mlir::Operation *op);
  const maps::Manual &manual(mlir::Operation *op);

  FusionMaps &owner;
  maps::Leaves leaves;
  maps::EdgeMapsCache edgeMaps;
  /// Tables of zeros that no walk uses, for reuse.
  std::vector<std::vector<unsigned>> spareTables;
  mlir::SymbolTableCollection symbols;

private:
  std::map<maps::WalkKey, std::optional<maps::WalkResult>>
      answers; ///< nothing: being computed
  std::map<std::pair<const void *, unsigned>, std::vector<maps::Outside>> reads;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<std::vector<mlir::Value>>>
      captures;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<maps::Loop>> loops;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<maps::Manual>> manuals;
  llvm::SmallDenseMap<std::pair<mlir::Operation *, uint64_t>, indexing::MapSet,
                      16>
      ownMaps;
  llvm::SmallDenseMap<std::pair<mlir::Value, unsigned>, unsigned, 32> numbers;
  llvm::SmallVector<Leaf, 16> numbered;
  llvm::SpecificBumpPtrAllocator<maps::WalkPlan> planAllocator;
  llvm::SmallDenseMap<mlir::Operation *, maps::WalkPlan *, 16> plans[2];
  unsigned depth = 0;
};

/// A walk from one leaf of one value. From output to input, the results of an
/// operation are "near" and its operands "far"; from input to output, the
/// operands are near. Each step goes from the near values to the far ones.
class FusionMaps::Walk {
public:
  Walk(FusionMaps &maps, indexing::Direction direction, Leaf root);
  ~Walk();
  Walk(const Walk &) = delete;

  void step(mlir::Operation *op);
  /// Every element of the values may be read.
  void reachAll(mlir::ValueRange values, llvm::Twine reason);
  /// The maps to the leaves of these values.
  std::vector<Reached> found(mlir::ValueRange values);
  /// The maps to values outside this block.
  std::vector<maps::Outside> foundOutside(mlir::Block *block);

  [[nodiscard]] const maps::State *find(Leaf at) const {
    return find(cache.numberOf(at));
  }
  maps::State &slot(Leaf at) { return slot(cache.numberOf(at)); }
  const maps::Shape &sizes(Leaf at) { return cache.sizes(at); }
  /// Element d of `from` is element d of `to`.
  void copy(Leaf from, Leaf to);
  /// The same as an over-approximation: perhaps only a part is copied.
  void copySome(Leaf from, Leaf to, llvm::Twine reason);
  void compose(Leaf from, Leaf to, const indexing::MapSet &step);
  void widen(Leaf to, llvm::Twine reason) {
    reads.widen(slot(to), sizes(to), reason);
  }

  maps::Reads reads;

  [[nodiscard]] bool anyKnown(mlir::ValueRange values) const {
    return llvm::any_of(values, [&](mlir::Value v) { return isKnown(v); });
  }
  /// All leaves with maps, in the order of their first use.
  [[nodiscard]] std::vector<Leaf> met() const;

private:
  bool isBack() const { return direction == indexing::Direction::OutToIn; }
  mlir::ValueRange far(mlir::Operation *op) const {
    return isBack() ? mlir::ValueRange(op->getOperands())
                    : mlir::ValueRange(op->getResults());
  }

  [[nodiscard]] bool isKnown(mlir::Value value) const;
  [[nodiscard]] const maps::State *find(unsigned leaf) const {
    unsigned place = leaf < places.size() ? places[leaf] : 0;
    return place == 0 ? nullptr : &states[place - 1];
  }
  maps::State &slot(unsigned leaf);
  void stepThroughControl(mlir::Operation *op);
  void stepIntoCaptures(mlir::Operation *op);
  bool stepIntoBody(mlir::linalg::LinalgOp op, mlir::Value captured);

  Cache &cache;
  maps::Leaves &leaves;
  indexing::Direction direction;
  const maps::Shape *rootShape;
  std::vector<unsigned> places;   ///< by number of leaf: 0, or its state + 1
  std::deque<maps::State> states; ///< a deque, for stable addresses
  std::vector<unsigned> order;    ///< the leaf of each state
};

} // namespace mercator

namespace mercator::maps {

/// The reads of a leaf of a result of `if` and `case`: the predicate, and the
/// values that the branches capture.
[[nodiscard]] std::vector<Outside> branchReads(FusionMaps::Cache &cache,
                                               Leaf result);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_WALK_H
