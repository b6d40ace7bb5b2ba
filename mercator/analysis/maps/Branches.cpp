// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reads of the results of `if` and `case`: those of all branches, each
// under the condition that the branch runs, and the predicate.

#include "mercator/analysis/maps/Branches.h"
#include "mercator/analysis/maps/Model.h"
#include "mercator/analysis/values/KnownValues.h"
#include "mercator/analysis/values/LoopCounter.h"
#include "mercator/dialects/flow/Flow.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <map>

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using mlir::Operation;
using mlir::Value;

/// True for an operation whose predicate is a boolean: its first region runs if
/// it holds.
static bool isIf(Operation *op) {
  return llvm::isa<stablehlo::IfOp, mlir::scf::IfOp>(op);
}

llvm::SmallVector<mlir::Region *> maps::liveBranches(Operation *op) {
  // The other region counts workgroups.
  if (llvm::isa<flow::DispatchRegionOp>(op))
    return {&op->getRegion(0)};
  llvm::SmallVector<mlir::Region *> all;
  for (mlir::Region &region : op->getRegions())
    all.push_back(&region);
  std::optional<int64_t> index = integerConstant(op->getOperand(0));
  if (llvm::isa<mlir::scf::IfOp>(op))
    index = mlir::getConstantIntValue(op->getOperand(0));
  if (!index)
    return all;
  int64_t count = all.size();
  // `true` selects the first region of an `if`. An index out of range selects
  // the last region of a `case`.
  if (isIf(op))
    return {all[*index != 0 ? 0 : 1]};
  return {all[*index < 0 || *index >= count ? count - 1 : *index]};
}

static IndexValue predicateOf(Arena &arena, const Domain &domain, Value value) {
  if (llvm::isa<mlir::RankedTensorType>(value.getType()))
    return indexValue(arena, domain, value, {});
  Source source = internSource(arena, value);
  return {.range = {0, 1}, .source = source.id, .element = source.element};
}

/// Restricts the map to runs in which the operation takes region `taken`.
static OperandMap whereTaken(OperandMap m, Operation *op, int64_t taken) {
  Map &map = m.map;
  Arena &arena = *map.arena;
  IndexValue predicate = predicateOf(arena, map.domain, op->getOperand(0));
  if (m.devices) // the value on the device of the result
    predicate.index.push_back(arena.dim(map.numDims() - 1));
  int64_t count = op->getNumRegions();
  if (isIf(op)) {
    Expr holds = clampedIndex(map, predicate, {0, 1});
    map.domain.addConstraint(holds, Interval::point(1 - taken));
  } else {
    // An index without a region selects the last region. -1 and the number of
    // the last region stand for all of these indices.
    Expr index = clampedIndex(map, predicate, {-1, count - 1});
    if (taken < count - 1)
      map.domain.addConstraint(index, Interval::point(taken));
    else
      map.domain.addConstraint(arena.mod(arena.add(index, 1), count),
                               Interval::point(0));
  }
  mergeRuntimes(map);
  map = simplify(map);
  return m;
}

/// The maps of an operation that runs one of several regions. `sets` has the
/// maps of each region.
static MapSet whereTaken(llvm::ArrayRef<MapSet> sets, Operation *op,
                         llvm::ArrayRef<mlir::Region *> regions) {
  MapSet out;
  for (auto [i, set] : llvm::enumerate(sets))
    for (OperandMap m : set) {
      llvm::SmallVector<bool> isIn;
      for (const MapSet &other : sets)
        isIn.push_back(contains(other, m));
      if (sets.size() > 1) // the regions may read different parts
        m.leastRead = 0;
      if (llvm::all_of(isIn, [](bool in) { return in; }) ||
          m.map.isKnownEmpty()) {
        out.insert(std::move(m));
        continue;
      }
      for (auto [j, region] : llvm::enumerate(regions))
        if (isIn[j])
          out.insert(whereTaken(m, op, region->getRegionNumber()));
    }
  return out;
}

std::vector<Outside> maps::branchReads(FusionMaps::Cache &cache, Leaf result) {
  auto opResult = llvm::cast<mlir::OpResult>(result.value);
  Operation *op = opResult.getOwner();
  Arena &arena = cache.arena();
  llvm::SmallVector<int64_t> sizes = cache.sizes(result);
  std::vector<Outside> out;
  if (!llvm::isa<flow::DispatchRegionOp>(op)) {
    Value predicate = op->getOperand(0);
    out.push_back({{predicate},
                   everything(arena, sizes, sizesOf(predicate.getType())),
                   0});
  }

  llvm::SmallVector<mlir::Region *> branches = liveBranches(op);
  // The values that each branch reads, in the order of their first use.
  std::vector<Leaf> leaves;
  std::map<std::pair<const void *, unsigned>, std::vector<MapSet>> sets;
  for (auto [i, region] : llvm::enumerate(branches)) {
    mlir::Block *block = &region->front();
    Value returned =
        block->getTerminator()->getOperand(opResult.getResultNumber());
    const WalkResult &answer =
        cache.answer(block, Direction::OutToIn, {returned, result.leaf});
    std::vector<Outside> found = answer.captured;
    if (!answer.refusal.empty()) {
      found.clear();
      for (Value value : cache.capturesOf(op))
        for (unsigned leaf = 0, e = cache.leaves.count(value.getType());
             leaf < e; ++leaf)
          found.push_back(
              {{value, leaf},
               MapSet::approximate(
                   everything(arena, sizes, cache.sizes({value, leaf})),
                   answer.refusal)});
    }
    for (Outside &outside : found) {
      auto [it, isNew] = sets.try_emplace(
          {outside.leaf.value.getAsOpaquePointer(), outside.leaf.leaf});
      if (isNew)
        leaves.push_back(outside.leaf);
      it->second.resize(branches.size());
      it->second[i] = std::move(outside.maps);
    }
  }
  for (Leaf leaf : leaves)
    out.push_back(
        {leaf, whereTaken(sets[{leaf.value.getAsOpaquePointer(), leaf.leaf}],
                          op, branches)});
  return out;
}
