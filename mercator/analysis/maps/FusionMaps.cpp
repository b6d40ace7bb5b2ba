// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of whole computations, and the cache that walks share.
//
// The idea is data flow analysis on an acyclic graph: one pass in reverse order
// of the block, with a set of maps as the value of each node, and composition
// and union as transfer function and join.

#include "mercator/analysis/maps/FusionMaps.h"
#include "mercator/analysis/maps/Loop.h"
#include "mercator/analysis/maps/Manual.h"
#include "mercator/analysis/maps/Model.h"
#include "mercator/analysis/maps/Walk.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/indexing/simplify/Inverse.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using mlir::Block;
using mlir::Operation;
using mlir::Value;
using mlir::ValueRange;

//===--- The cache --------------------------------------------------------===//

FusionMaps::Cache::Cache(FusionMaps &maps) : owner(maps) {}
FusionMaps::Cache::~Cache() = default;

Loop &FusionMaps::Cache::loop(Operation *op) {
  std::unique_ptr<Loop> &place = loops[op];
  if (!place)
    place = std::make_unique<Loop>(*this, llvm::cast<stablehlo::WhileOp>(op));
  return *place;
}

const Manual &FusionMaps::Cache::manual(Operation *op) {
  std::unique_ptr<Manual> &place = manuals[op];
  if (!place)
    place = std::make_unique<Manual>(llvm::cast<sdy::ManualComputationOp>(op));
  return *place;
}

const WalkResult &FusionMaps::Cache::answer(Block *block, Direction direction,
                                            Leaf root) {
  static const WalkResult recursive{{}, {}, "a computation that calls itself"};
  static const WalkResult tooDeep{{}, {}, "computations are nested too deep"};
  WalkKey q{block, direction, root.value.getAsOpaquePointer(), root.leaf};
  auto [it, isNew] = answers.try_emplace(q);
  if (!isNew)
    return it->second ? *it->second : recursive;
  if (depth == kMaxDepth) {
    answers.erase(it);
    return tooDeep;
  }
  ++depth;
  WalkResult answer;
  Walk walk(owner, direction, root);
  if (direction == Direction::OutToIn) {
    for (Operation &op : llvm::reverse(block->without_terminator()))
      walk.step(&op);
    answer.reached = walk.found(block->getArguments());
    answer.captured = walk.foundOutside(block);
  } else {
    for (Operation &op : block->without_terminator())
      walk.step(&op);
    answer.reached = walk.found(block->getTerminator()->getOperands());
  }
  --depth;
  it->second = std::move(answer);
  return *it->second;
}

const std::vector<Outside> &FusionMaps::Cache::readsOf(Leaf result) {
  std::pair<const void *, unsigned> key{result.value.getAsOpaquePointer(),
                                        result.leaf};
  auto it = reads.find(key);
  if (it != reads.end())
    return it->second;
  std::vector<Outside> found =
      result.value.getDefiningOp<stablehlo::WhileOp>()
          ? loop(result.value.getDefiningOp()).readsOf(result)
          : branchReads(*this, result);
  return reads[key] = std::move(found);
}

MapSet FusionMaps::Cache::mapsOf(Operation *op, Direction direction,
                                 unsigned operand, unsigned result) {
  uint64_t which = (uint64_t(operand) << 32 | result) * 2 +
                   (direction == Direction::OutToIn ? 0 : 1);
  if (auto known = ownMaps.find({op, which}); known != ownMaps.end())
    return known->second;
  MapSet maps =
      mercator::mapsOf(op, arena(), direction, operand, result, owner.reads);
  ownMaps[{op, which}] = maps;
  return maps;
}

const std::vector<Value> &FusionMaps::Cache::capturesOf(Operation *op) {
  std::unique_ptr<std::vector<Value>> &place = captures[op];
  if (!place) {
    llvm::SetVector<Value> found;
    mlir::getUsedValuesDefinedAbove(op->getRegions(), found);
    place = std::make_unique<std::vector<Value>>(found.begin(), found.end());
  }
  return *place;
}

//===--- Whole computations -----------------------------------------------===//

FusionMaps::FusionMaps(Arena &arena, ReadsOf reads)
    : arena(arena), reads(reads), cache(std::make_unique<Cache>(*this)) {}
FusionMaps::~FusionMaps() = default;

std::vector<Reached> FusionMaps::toArguments(Leaf root) {
  Walk walk(*this, Direction::OutToIn, root);
  mlir::Region *region = root.value.getParentRegion();
  ValueRange arguments = region->front().getArguments();
  if (!region->hasOneBlock())
    walk.reachAll(arguments, "control flow between blocks");
  else if (Operation *op = root.value.getDefiningOp())
    for (; op; op = op->getPrevNode())
      walk.step(op);
  return walk.found(arguments);
}

std::vector<Producer> FusionMaps::toProducers(Leaf root) {
  mlir::Block *block = root.value.getParentBlock();
  if (!block->getParent()->hasOneBlock())
    return {};
  Walk walk(*this, Direction::OutToIn, root);
  for (Operation *op = root.value.getDefiningOp(); op; op = op->getPrevNode())
    walk.step(op);
  std::vector<Producer> producers;
  for (Leaf leaf : walk.met()) {
    Operation *op = leaf.value.getDefiningOp();
    if (op && op->getBlock() == block && leaf.value != root.value)
      producers.push_back({leaf, walk.find(leaf)->maps});
  }
  return producers;
}

std::vector<Reached> FusionMaps::toResults(Leaf argument) {
  Walk walk(*this, Direction::InToOut, argument);
  mlir::Region *region = argument.value.getParentRegion();
  if (!region->back().mightHaveTerminator())
    return {};
  Operation *terminator = region->back().getTerminator();
  if (!region->hasOneBlock())
    walk.reachAll(terminator->getOperands(), "control flow between blocks");
  else
    for (Operation &op : region->front().without_terminator())
      walk.step(&op);
  return walk.found(terminator->getOperands());
}

//===--- One operation alone ----------------------------------------------===//

static void addTo(MapSet &to, const MapSet &maps) {
  for (const OperandMap &m : maps)
    to.insert(m);
}

std::vector<MapSet> FusionMaps::alone(Operation *op, Direction direction,
                                      unsigned number) {
  bool back = direction == Direction::OutToIn;
  unsigned count = back ? op->getNumOperands() : op->getNumResults();
  std::vector<MapSet> out(count);
  CalledBlock computation = computationOf(op, &cache->symbols);
  std::string refusal = computation.refusal;
  // A future of one value is treated as the value.
  auto start = llvm::dyn_cast<stablehlo::AsyncStartOp>(op);
  bool isOneValue = start && computation.block &&
                    computation.block->getTerminator()->getNumOperands() == 1;
  // An empty tuple has no elements: it reads nothing and is not read.
  auto isEmpty = [&](Value value) {
    return cache->leaves.count(value.getType()) == 0;
  };
  if (isEmpty(back ? Value(op->getResult(number)) : op->getOperand(number)))
    return out;
  if (isControl(op)) {
    for (unsigned r = 0; r < op->getNumResults(); ++r) {
      if ((back && r != number) || isEmpty(op->getResult(r)))
        continue;
      for (const Outside &outside : cache->readsOf({op->getResult(r)})) {
        if (back && outside.operand)
          addTo(out[*outside.operand], outside.maps);
        if (!back && outside.operand == number)
          addTo(out[r], inverse(outside.maps, cache->sizes(outside.leaf)));
      }
    }
  } else if (computation.block) {
    ValueRange returned = computation.block->getTerminator()->getOperands();
    Leaf root{back ? (number < returned.size() ? returned[number] : Value())
                   : Value(computation.block->getArgument(number))};
    if (root.value) {
      const WalkResult &answer =
          cache->answer(computation.block, direction, root);
      refusal = answer.refusal;
      if (!start || isOneValue)
        for (const Reached &r : answer.reached)
          addTo(out[r.number], lift(arena, r.maps, op, computation.block));
    }
  } else if (llvm::isa<sdy::ManualComputationOp>(op)) {
    const Manual &manual = cache->manual(op);
    refusal = manual.refusal();
    Block *block = &op->getRegion(0).front();
    Leaf root{back ? block->getTerminator()->getOperand(number)
                   : Value(block->getArgument(number))};
    if (refusal.empty()) {
      const WalkResult &answer = cache->answer(block, direction, root);
      refusal = answer.refusal;
      for (const Reached &r : answer.reached)
        addTo(out[r.number],
              manual.around(arena, direction, back ? r.number : number,
                            back ? number : r.number, r.maps));
    }
  } else if (refusal.empty()) {
    for (unsigned other = 0; other < count; ++other)
      if (!isEmpty(back ? Value(op->getOperand(other)) : op->getResult(other)))
        out[other] = mapsOf(op, arena, direction, back ? other : number,
                            back ? number : other, reads);
    return out;
  }
  std::string spelling = maps::spelling(op).str();
  auto types = back ? mlir::TypeRange(op->getOperandTypes())
                    : mlir::TypeRange(op->getResultTypes());
  auto hasLeaves = [&](mlir::Type type) {
    return llvm::isa<mlir::TupleType>(type) ||
           (llvm::isa<stablehlo::FutureType>(type) && !isOneValue);
  };
  bool fromTuple = hasLeaves(
      (back ? op->getResult(number) : op->getOperand(number)).getType());
  for (unsigned other = 0; other < count; ++other)
    if (cache->leaves.count(types[other]) > 0 &&
        (!refusal.empty() || fromTuple || hasLeaves(types[other]))) {
      Query q(op, arena, direction, back ? other : number,
              back ? number : other);
      out[other] = q.everything(
          refusal.empty()
              ? spelling + ": members of a tuple are not distinguished"
              : refusal);
    }
  return out;
}

std::vector<MapSet> FusionMaps::toOperands(Operation *op, unsigned result) {
  return alone(op, Direction::OutToIn, result);
}

std::vector<MapSet> FusionMaps::fromOperand(Operation *op, unsigned operand) {
  return alone(op, Direction::InToOut, operand);
}

template <typename Op>
static MapSet computationMaps(Op op, const maps::Query &q) {
  FusionMaps maps(q.arena);
  return q.direction == Direction::OutToIn
             ? maps.toOperands(op, q.result)[q.operand]
             : maps.fromOperand(op, q.operand)[q.result];
}

void maps::attachCallMaps(mlir::MLIRContext *context) {
  attach<mlir::func::CallOp, computationMaps<mlir::func::CallOp>>(context);
}
void maps::attachFusionMaps(mlir::MLIRContext *context) {
  attach<hlo::FusionOp, computationMaps<hlo::FusionOp>>(context);
}
void maps::attachRegionMaps(mlir::MLIRContext *context) {
  using namespace stablehlo;
  attach<CompositeOp, computationMaps<CompositeOp>>(context);
  attach<AsyncStartOp, computationMaps<AsyncStartOp>>(context);
  attach<IfOp, computationMaps<IfOp>>(context);
  attach<CaseOp, computationMaps<CaseOp>>(context);
  attach<WhileOp, computationMaps<WhileOp>>(context);
}
void maps::attachComputationMaps(mlir::MLIRContext *context) {
  using namespace sdy;
  attach<ManualComputationOp, computationMaps<ManualComputationOp>>(context);
  attach<NamedComputationOp, computationMaps<NamedComputationOp>>(context);
}
