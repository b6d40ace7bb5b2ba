// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walking over the operations of blocks from one value, and what is remembered
// of computations on the way. Internal to FusionMaps.h and ProgramMaps.h.

#ifndef MERCATOR_ANALYSIS_MAPS_WALK_H
#define MERCATOR_ANALYSIS_MAPS_WALK_H

#include "mercator/analysis/Computations.h"
#include "mercator/analysis/Leaves.h"
#include "mercator/analysis/Sources.h"
#include "mercator/analysis/maps/Steps.h"

#include "mlir/IR/SymbolTable.h"

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

/// What is read of a value that is not the walk's own.
struct Outside {
  Leaf leaf;
  MapSet maps;
  /// Which operand it is; none for a value that a region takes from around it.
  std::optional<unsigned> operand = {};
};

/// The maps inside name values of the inner block; from outside, its arguments
/// are the operands, and other values are named after the operation.
[[nodiscard]] MapSet lift(indexing::Arena &arena, const MapSet &inner,
                          mlir::Operation *op, mlir::Block *block);

/// A computation seen from one of its results, or from one of its arguments.
struct Question {
  mlir::Block *block;
  Direction direction;
  const void *value;
  unsigned leaf;
  auto operator<=>(const Question &) const = default;
};

struct Answer {
  /// Arguments; or, from input to output, operands of the terminator.
  std::vector<Reached> reached;
  /// Values that the block takes from outside.
  std::vector<Outside> captured;
  std::string refusal; ///< why there is no answer
};

/// What a step over an operation does, worked out once for all walks.
struct Plan {
  struct Edge {
    unsigned to; ///< number of a leaf
    const Step *step;
  };
  /// A leaf of a near value, and where it leads: worked out when it is asked
  /// for, since few leaves of large operations may be.
  struct Near {
    unsigned number; ///< which near value
    unsigned leaf;   ///< number of the leaf
    bool isKnown = false;
    std::vector<Edge> edges = {};
  };
  enum class Kind : uint8_t {
    Moves,    ///< values are handed on, whole or in tuples
    Enters,   ///< a computation
    Manual,   ///< a body that is written for one device, see Manual.h
    Controls, ///< see isControl
    Maps,     ///< see MapInterface
    Anything  ///< every far value is reached, for the reason below
  };
  Kind kind;
  std::string reason = {};
  mlir::Block *block = nullptr; ///< the computation
  bool hasRegions = false;
  bool hasCaptures = false; ///< its regions use values from outside
  std::vector<Near> near = {};
  llvm::SmallVector<unsigned, 2> nearLeaves = {}; ///< all leaves of near values
};

} // namespace mercator::maps

namespace mercator {

struct FusionMaps::Cache {
  explicit Cache(FusionMaps &maps);
  ~Cache();

  /// What the leaf of a value in the block, or returned by it, reads or
  /// reaches.
  const maps::Answer &answer(mlir::Block *block, indexing::Direction direction,
                             Leaf root);
  /// What a leaf of a result of an operation with isControl reads outside.
  const std::vector<maps::Outside> &readsOf(Leaf result);
  /// As mercator::mapsOf, simplified, and remembered.
  const indexing::MapSet &mapsOf(mlir::Operation *op,
                                 indexing::Direction direction,
                                 unsigned operand, unsigned result);
  /// The values from outside that the regions of an operation use.
  const std::vector<mlir::Value> &capturesOf(mlir::Operation *op);
  const maps::Shape &sizes(Leaf leaf) {
    return *steps.shape(leaves.leafType(leaf.value.getType(), leaf.leaf));
  }
  /// A number for each leaf of each value.
  unsigned numberOf(Leaf leaf);
  [[nodiscard]] Leaf leafOf(unsigned number) const { return numbered[number]; }
  maps::Plan &plan(mlir::Operation *op, indexing::Direction direction);
  /// Where each leaf leads, for an operation that only hands values on; none
  /// for another one.
  std::optional<std::vector<maps::Plan::Near>>
  moves(mlir::Operation *op, indexing::Direction direction);
  /// Works out where a leaf leads. Returns why a computation cannot be entered,
  /// or nothing.
  std::string follow(maps::Plan &plan, maps::Plan::Near &near,
                     mlir::Operation *op, indexing::Direction direction);

  [[nodiscard]] indexing::Arena &arena() const { return owner.arena; }
  maps::Loop &loop(mlir::Operation *op);
  const maps::Manual &manual(mlir::Operation *op);

  FusionMaps &owner;
  maps::Leaves leaves;
  maps::Steps steps;
  /// Tables that no walk uses, of zeros alone.
  std::vector<std::vector<unsigned>> spareTables;
  mlir::SymbolTableCollection symbols;

private:
  std::map<maps::Question, std::optional<maps::Answer>>
      answers; ///< none: being worked out
  std::map<std::pair<const void *, unsigned>, std::vector<maps::Outside>> reads;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<std::vector<mlir::Value>>>
      captures;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<maps::Loop>> loops;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<maps::Manual>> manuals;
  llvm::DenseMap<std::pair<mlir::Operation *, uint64_t>,
                 std::unique_ptr<indexing::MapSet>>
      ownMaps;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, unsigned> numbers;
  std::vector<Leaf> numbered;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<maps::Plan>> plans[2];
  unsigned depth = 0;
};

/// A walk from one leaf of one value. Output to input, "near" are the results
/// of an operation and "far" its operands; input to output, the other way
/// round. Each step goes from the near values to the far ones.
class FusionMaps::Walk {
public:
  Walk(FusionMaps &maps, indexing::Direction direction, Leaf root);
  ~Walk();
  Walk(const Walk &) = delete;

  void step(mlir::Operation *op);
  /// Every element of the values may be read.
  void reachAll(mlir::ValueRange values, llvm::Twine reason);
  /// What is known of these values.
  std::vector<Reached> found(mlir::ValueRange values);
  /// What is known of the values that are not of this block.
  std::vector<maps::Outside> foundOutside(mlir::Block *block);

  [[nodiscard]] const maps::State *find(Leaf at) const {
    return find(cache.numberOf(at));
  }
  maps::State &slot(Leaf at) { return slot(cache.numberOf(at)); }
  const maps::Shape &sizes(Leaf at) { return cache.sizes(at); }
  /// Element d of the one is element d of the other.
  void copy(Leaf from, Leaf to);
  /// As copy, but perhaps not all of it.
  void copySome(Leaf from, Leaf to, llvm::Twine reason);
  void compose(Leaf from, Leaf to, const indexing::MapSet &step);
  void widen(Leaf to, llvm::Twine reason) {
    reads.widen(slot(to), sizes(to), reason);
  }

  maps::Reads reads;

  [[nodiscard]] bool anyKnown(mlir::ValueRange values) const {
    return llvm::any_of(values, [&](mlir::Value v) { return isKnown(v); });
  }
  /// All that is known, in the order in which it was met.
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

  Cache &cache;
  maps::Leaves &leaves;
  indexing::Direction direction;
  const maps::Shape *rootShape;
  std::vector<unsigned> places;   ///< by number of leaf: 0, or which state + 1
  std::deque<maps::State> states; ///< a deque: what is there does not move
  std::vector<unsigned> order;    ///< whose state is which
};

} // namespace mercator

namespace mercator::maps {

/// What a leaf of a result of `if` and `case` reads: the predicate, and what
/// the branches take from outside.
[[nodiscard]] std::vector<Outside> branchReads(FusionMaps::Cache &cache,
                                               Leaf result);

} // namespace mercator::maps

#endif // MERCATOR_ANALYSIS_MAPS_WALK_H
