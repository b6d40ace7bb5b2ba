// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/cells/Space.h"

#include "mercator/analysis/maps/LinalgLoops.h"
#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::cells;
using llvm::SmallVector;
using mlir::linalg::LinalgOp;

/// Each iteration may read each element.
static MapSet readAnything(Arena &arena, llvm::ArrayRef<int64_t> iterations,
                           llvm::ArrayRef<int64_t> sizes, std::string reason) {
  Map map(arena);
  for (int64_t size : iterations)
    map.domain.addDim(arena, Interval::ofSize(size));
  for (int64_t size : sizes)
    map.results.push_back(map.domain.addRange(arena, Interval::ofSize(size)));
  return MapSet::approximate(std::move(map), std::move(reason));
}

static std::optional<Space> spaceOfLoops(LinalgOp op, Arena &arena) {
  Space space;
  space.op = op;
  space.extents = maps::loopSizes(op);
  space.parallel.resize(op.getNumLoops());
  for (auto [i, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == mlir::utils::IteratorType::parallel)
      space.parallel.set(i);
  for (mlir::OpOperand &init : op.getDpsInitsMutable()) {
    mlir::AffineMap affine = op.getMatchingIndexingMap(&init);
    std::optional<Map> map = maps::fromLoops(arena, affine, space.extents);
    if (!map || !affine.isProjectedPermutation())
      return std::nullopt;
    space.writes.push_back(std::move(*map));
  }
  for (mlir::OpOperand &operand : op->getOpOperands()) {
    if (!llvm::isa<mlir::RankedTensorType>(operand.get().getType()) ||
        !op.payloadUsesValueFromOperand(&operand))
      continue;
    std::optional<Map> map = maps::fromLoops(
        arena, op.getMatchingIndexingMap(&operand), space.extents);
    if (!map)
      return std::nullopt;
    space.reads.push_back({operand.get(), MapSet(std::move(*map))});
  }
  llvm::SetVector<mlir::Value> captured;
  mlir::getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (mlir::Value value : captured)
    if (auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType()))
      space.reads.push_back(
          {value, readAnything(arena, space.extents, sizesOf(type),
                               "the index is known when the program runs")});
  return space;
}

std::optional<Space> cells::spaceOf(mlir::Operation *op, Arena &arena) {
  if (auto linalg = llvm::dyn_cast<LinalgOp>(op))
    return linalg.hasPureTensorSemantics() ? spaceOfLoops(linalg, arena)
                                           : std::nullopt;
  if (!llvm::isa<MapInterface>(op) || op->getNumResults() != 1 ||
      op->getNumRegions() != 0)
    return std::nullopt;
  auto type =
      llvm::dyn_cast<mlir::RankedTensorType>(op->getResult(0).getType());
  if (!type)
    return std::nullopt;
  Space space;
  space.op = op;
  space.extents = sizesOf(type);
  space.parallel.resize(space.extents.size(), true);
  space.writes.push_back(Map::identity(arena, space.extents));
  for (mlir::OpOperand &operand : op->getOpOperands())
    if (llvm::isa<mlir::RankedTensorType>(operand.get().getType()))
      space.reads.push_back(
          {operand.get(), mapsOf(op, arena, Direction::OutToIn,
                                 operand.getOperandNumber(), 0)});
  return space;
}

double Space::countIterations() const {
  double count = 1;
  for (int64_t extent : extents)
    count *= extent == Interval::kMax ? 128 : double(extent);
  return count;
}

Read cells::throughViews(Read read, Arena &arena,
                         llvm::function_ref<bool(mlir::Operation *)> isView,
                         llvm::SmallVectorImpl<mlir::Operation *> &passed) {
  constexpr unsigned kMaxMaps = 8;
  while (mlir::Operation *view = read.value.getDefiningOp()) {
    if (!isView(view))
      break;
    MapSet step = mapsOf(view, arena, Direction::OutToIn, 0, 0);
    passed.push_back(view);
    if (read.maps.size() * step.size() > kMaxMaps) {
      SmallVector<int64_t> iterations;
      for (const Variable &dim : read.maps.front().map.domain.dims)
        iterations.push_back(dim.bounds.size().value_or(Interval::kMax));
      read = {view->getOperand(0),
              readAnything(arena, iterations,
                           sizesOf(view->getOperand(0).getType()),
                           "views in several pieces")};
      continue;
    }
    MapSet composed;
    for (const OperandMap &first : read.maps)
      for (const OperandMap &second : step) {
        bool exact = first.exact && second.exact;
        composed.insert({.map = simplify(compose(first.map, second.map),
                                         {.dropUnused = false}),
                         .exact = exact,
                         .reason = first.exact ? second.reason : first.reason});
      }
    read = {view->getOperand(0), std::move(composed)};
  }
  return read;
}
