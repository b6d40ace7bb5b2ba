// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks over blocks: one step per operation, by its plan (WalkPlan.cpp).

#include "mercator/analysis/maps/Walk.h"
#include "mercator/analysis/maps/LinalgLoops.h"
#include "mercator/analysis/maps/Manual.h"
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

//===--- Sources ----------------------------------------------------------===//

MapSet maps::lift(Arena &arena, const MapSet &inner, Operation *op,
                  Block *block) {
  MapSet out;
  for (OperandMap m : inner) {
    for (RuntimeVariable &v : m.map.domain.runtimes) {
      Value value = sourcePlace(arena, v.source, v.element).value;
      auto argument = llvm::dyn_cast_if_present<mlir::BlockArgument>(value);
      if (argument && argument.getOwner() == block) {
        Source outside =
            internSource(arena, op->getOperand(argument.getArgNumber()));
        v.source = outside.id;
        v.element = outside.element;
      } else if (v.source != 0) {
        v.source = internSourceInside(arena, op, v.source);
      }
    }
    // One operand may be passed as two arguments.
    mergeRuntimes(m.map);
    out.insert(std::move(m));
  }
  return out;
}

//===--- States -----------------------------------------------------------===//

FusionMaps::Walk::Walk(FusionMaps &maps, Direction direction, Leaf root)
    : reads(maps.arena, maps.cache->sizes(root)), cache(*maps.cache),
      leaves(cache.leaves), direction(direction),
      rootShape(&cache.sizes(root)) {
  if (!cache.spareTables.empty()) {
    places = std::move(cache.spareTables.back());
    cache.spareTables.pop_back();
  }
  slot(root).maps = cache.edgeMaps.canonical(reads.start().maps);
}

FusionMaps::Walk::~Walk() {
  for (unsigned leaf : order)
    places[leaf] = 0;
  cache.spareTables.push_back(std::move(places));
}

State &FusionMaps::Walk::slot(unsigned leaf) {
  if (leaf >= places.size())
    places.resize(std::max<size_t>({leaf + 1, places.size() * 2, 16}));
  if (places[leaf] == 0) {
    states.emplace_back();
    order.push_back(leaf);
    places[leaf] = states.size();
  }
  return states[places[leaf] - 1];
}

bool FusionMaps::Walk::isKnown(Value value) const {
  for (unsigned leaf = 0, e = leaves.count(value.getType()); leaf < e; ++leaf)
    if (find({value, leaf}))
      return true;
  return false;
}

std::vector<Leaf> FusionMaps::Walk::met() const {
  std::vector<Leaf> out;
  for (unsigned leaf : order)
    out.push_back(cache.leafOf(leaf));
  return out;
}

void FusionMaps::Walk::reachAll(ValueRange values, llvm::Twine reason) {
  std::string why = reason.str();
  for (Value value : values)
    for (unsigned leaf = 0, e = leaves.count(value.getType()); leaf < e; ++leaf)
      widen({value, leaf}, why);
}

std::vector<Reached> FusionMaps::Walk::found(ValueRange values) {
  std::vector<Reached> out;
  for (auto [number, value] : llvm::enumerate(values))
    for (unsigned leaf = 0, e = leaves.count(value.getType()); leaf < e; ++leaf)
      if (const State *state = find({value, leaf}))
        out.push_back({(unsigned)number, leaf, state->maps});
  return out;
}

std::vector<Outside> FusionMaps::Walk::foundOutside(Block *block) {
  std::vector<Outside> out;
  for (auto [number, state] : llvm::zip_equal(order, states)) {
    Leaf leaf = cache.leafOf(number);
    if (leaf.value.getParentBlock() != block)
      out.push_back({leaf, state.maps});
  }
  return out;
}

void FusionMaps::Walk::copy(Leaf from, Leaf to) {
  if (const State *source = find(from))
    reads.add(*source, slot(to), sizes(to));
}

void FusionMaps::Walk::copySome(Leaf from, Leaf to, llvm::Twine reason) {
  if (const State *source = find(from))
    reads.addSome(*source, slot(to), sizes(to), reason);
}

void FusionMaps::Walk::compose(Leaf from, Leaf to, const MapSet &step) {
  if (const State *source = find(from))
    if (!step.empty())
      reads.compose(*source, sizes(from), slot(to), sizes(to), step);
}

//===--- Steps ------------------------------------------------------------===//

/// A step from input to output through branches and loops.
void FusionMaps::Walk::stepThroughControl(Operation *op) {
  if (!anyKnown(op->getOperands()) && !anyKnown(cache.capturesOf(op)))
    return;
  for (Value value : op->getResults())
    for (unsigned leaf = 0, e = leaves.count(value.getType()); leaf < e;
         ++leaf) {
      Leaf result{value, leaf};
      for (const Outside &outside : cache.readsOf(result))
        if (find(outside.leaf))
          compose(outside.leaf, result,
                  inverse(outside.maps, sizes(outside.leaf)));
    }
}

/// A step from the results of an operation of linalg to a value that its body
/// uses from outside. False if the body is not followed.
bool FusionMaps::Walk::stepIntoBody(mlir::linalg::LinalgOp op, Value captured) {
  llvm::SmallVector<std::pair<Value, MapSet>> found;
  for (auto [number, result] : llvm::enumerate(op->getResults())) {
    if (!isKnown(result))
      continue;
    std::optional<MapSet> maps =
        capturedMaps(op, reads.arena, number, captured);
    if (!maps)
      return false;
    found.push_back({result, std::move(*maps)});
  }
  for (const auto &[result, maps] : found)
    compose({result}, {captured}, maps);
  return true;
}

/// A step into values that the regions of an operation capture. The values that
/// the regions compute from them are not followed.
void FusionMaps::Walk::stepIntoCaptures(Operation *op) {
  const std::vector<Value> &captures = cache.capturesOf(op);
  auto reason = [&] {
    return (spelling(op) + ": the reads of its regions are not analyzed").str();
  };
  if (isBack() && anyKnown(op->getResults())) {
    auto generic = llvm::dyn_cast<mlir::linalg::LinalgOp>(op);
    for (Value captured : captures)
      if (!generic || !stepIntoBody(generic, captured))
        reachAll(captured, reason());
  }
  if (!isBack() && anyKnown(captures))
    reachAll(op->getResults(), reason());
}

void FusionMaps::Walk::step(Operation *op) {
  WalkPlan &plan = cache.plan(op, direction);
  bool anyNear =
      llvm::any_of(plan.nearLeaves, [&](unsigned leaf) { return find(leaf); });
  if (!plan.hasRegions && !anyNear)
    return;
  reads.allow();
  if (plan.kind == WalkPlan::Kind::Controls && !isBack())
    return stepThroughControl(op);
  if (plan.hasCaptures)
    stepIntoCaptures(op);
  if (!anyNear)
    return;
  if (plan.kind == WalkPlan::Kind::Anything)
    return reachAll(far(op), plan.reason);
  for (WalkPlan::Near &near : plan.near) {
    const State *state = find(near.leaf);
    if (!state)
      continue;
    if (!near.isKnown)
      if (std::string why = cache.follow(plan, near, op, direction);
          !why.empty())
        return reachAll(far(op), why);
    for (auto [to, step] : near.edges)
      cache.edgeMaps.take(reads, rootShape, *state, *step, slot(to));
  }
}
