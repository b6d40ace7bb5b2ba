// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plan of a step over an operation, computed once for all walks.

#include "mercator/analysis/Forwarding.h"
#include "mercator/analysis/maps/Manual.h"
#include "mercator/analysis/maps/Model.h"
#include "mercator/analysis/maps/Walk.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using mlir::Operation;
using mlir::Value;
using mlir::ValueRange;

unsigned FusionMaps::Cache::numberOf(Leaf leaf) {
  auto [it, isNew] = numbers.insert(
      {{leaf.value, leaf.leaf}, static_cast<unsigned>(numbered.size())});
  if (isNew)
    numbered.push_back(leaf);
  return it->second;
}

static ValueRange nearOf(Operation *op, Direction direction) {
  return direction == Direction::OutToIn ? ValueRange(op->getResults())
                                         : ValueRange(op->getOperands());
}
static ValueRange farOf(Operation *op, Direction direction) {
  return direction == Direction::OutToIn ? ValueRange(op->getOperands())
                                         : ValueRange(op->getResults());
}

/// True if the maps of an operation describe it completely.
static bool hasMaps(Operation *op) {
  auto hasLeaves = [&](Value value) {
    return llvm::isa<mlir::TupleType, stablehlo::FutureType>(value.getType());
  };
  return llvm::isa<MapInterface>(op) &&
         llvm::none_of(op->getOperands(), hasLeaves) &&
         llvm::none_of(op->getResults(), hasLeaves);
}

std::optional<llvm::SmallVector<WalkPlan::Near, 1>>
FusionMaps::Cache::moves(Operation *op, Direction direction) {
  bool isBack = direction == Direction::OutToIn;
  llvm::SmallVector<WalkPlan::Near, 1> found;
  for (Value result : op->getResults())
    for (unsigned leaf = 0, e = leaves.count(result.getType()); leaf < e;
         ++leaf) {
      Leaf to{result, leaf};
      std::optional<Leaf> from = forwardedLeaf(to, leaves);
      if (!from)
        return std::nullopt;
      if (isBack)
        std::swap(to, *from);
      found.push_back({0,
                       numberOf(*from),
                       /*isKnown=*/true,
                       {{numberOf(to), edgeMaps.copy(&sizes(to))}}});
    }
  return found;
}

WalkPlan &FusionMaps::Cache::plan(Operation *op, Direction direction) {
  bool isBack = direction == Direction::OutToIn;
  if (WalkPlan *known = plans[isBack].lookup(op))
    return *known;
  auto *plan = new (planAllocator.Allocate()) WalkPlan();
  plan->hasRegions = op->getNumRegions() != 0;
  for (auto [number, value] : llvm::enumerate(nearOf(op, direction)))
    for (unsigned leaf = 0, e = leaves.count(value.getType()); leaf < e;
         ++leaf) {
      unsigned which = numberOf({value, leaf});
      plan->near.push_back({unsigned(number), which});
      plan->nearLeaves.push_back(which);
    }
  if (std::optional<llvm::SmallVector<WalkPlan::Near, 1>> found =
          moves(op, direction)) {
    plan->kind = WalkPlan::Kind::Moves;
    plan->near = std::move(*found);
  } else if (CalledBlock computation = computationOf(op, &symbols);
             computation.block || !computation.refusal.empty()) {
    plan->kind =
        computation.block ? WalkPlan::Kind::Enters : WalkPlan::Kind::Anything;
    plan->block = computation.block;
    plan->reason = computation.refusal;
  } else if (llvm::isa<sdy::ManualComputationOp>(op)) {
    plan->reason = manual(op).refusal().str();
    plan->kind = plan->reason.empty() ? WalkPlan::Kind::Manual
                                      : WalkPlan::Kind::Anything;
    plan->block = &op->getRegion(0).front();
  } else if (isControl(op)) {
    plan->kind = WalkPlan::Kind::Controls;
  } else {
    if (plan->hasRegions)
      mlir::visitUsedValuesDefinedAbove(
          op->getRegions(),
          [&](mlir::OpOperand *) { plan->hasCaptures = true; });
    plan->kind = WalkPlan::Kind::Maps;
    if (!hasMaps(op)) {
      plan->kind = WalkPlan::Kind::Anything;
      plan->reason =
          (spelling(op) + ": the elements that it reads are not analyzed")
              .str();
    }
  }
  return *(plans[isBack][op] = plan);
}

std::string FusionMaps::Cache::follow(WalkPlan &plan, WalkPlan::Near &near,
                                      Operation *op, Direction direction) {
  bool isBack = direction == Direction::OutToIn;
  Leaf here = leafOf(near.leaf);
  const Shape *shape = &sizes(here);
  ValueRange far = farOf(op, direction);
  // Reentrant: in a recursive computation, following an edge may ask for the
  // same operation again.
  llvm::SmallVector<WalkPlan::Edge, 2> edges;
  auto lead = [&](Leaf to, const MapSet &maps) {
    if (!maps.empty())
      edges.push_back({numberOf(to), edgeMaps.edge(maps, shape, &sizes(to))});
  };
  switch (plan.kind) {
  case WalkPlan::Kind::Enters: {
    // The leaves of a future are the results of the body.
    bool isStart = llvm::isa<stablehlo::AsyncStartOp>(op);
    ValueRange returned = plan.block->getTerminator()->getOperands();
    Leaf inside{isBack ? returned[isStart ? here.leaf : near.number]
                       : Value(plan.block->getArgument(near.number)),
                isBack && isStart ? 0 : here.leaf};
    const WalkResult &found = answer(plan.block, direction, inside);
    if (!found.refusal.empty())
      return found.refusal;
    for (const Reached &r : found.reached)
      lead(isStart && !isBack ? Leaf{op->getResult(0), r.number}
                              : Leaf{far[r.number], r.leaf},
           lift(arena(), r.maps, op, plan.block));
    break;
  }
  case WalkPlan::Kind::Manual: {
    Leaf inside{isBack ? plan.block->getTerminator()->getOperand(near.number)
                       : Value(plan.block->getArgument(near.number))};
    const WalkResult &found = answer(plan.block, direction, inside);
    if (!found.refusal.empty())
      return found.refusal;
    for (const Reached &r : found.reached)
      lead({far[r.number]},
           manual(op).around(arena(), direction,
                             isBack ? r.number : near.number,
                             isBack ? near.number : r.number, r.maps));
    break;
  }
  case WalkPlan::Kind::Controls:
    for (const Outside &outside : readsOf(here))
      lead(outside.leaf, outside.maps);
    break;
  case WalkPlan::Kind::Maps: {
    // A region may ignore an operand, as the body of a `map` may.
    bool elementwise =
        op->hasTrait<stablehlo::Elementwise>() && op->getNumRegions() == 0;
    for (auto [number, to] : llvm::enumerate(far)) {
      // No edges to values that are computed from no operands.
      Operation *source = isBack ? to.getDefiningOp() : nullptr;
      if (source && source->getNumOperands() == 0 &&
          source->getNumRegions() == 0)
        continue;
      if (elementwise && shape == &sizes({to}))
        edges.push_back({numberOf({to}), edgeMaps.copy(shape)});
      else
        lead({to}, mapsOf(op, direction, isBack ? number : near.number,
                          isBack ? near.number : number));
    }
    break;
  }
  case WalkPlan::Kind::Moves:
  case WalkPlan::Kind::Anything:
    break;
  }
  near.edges = std::move(edges);
  near.isKnown = true;
  return {};
}
