// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/kernels/Reduction.h"

using namespace mercator;
using namespace mercator::kernels;
using namespace mercator::indexing;

static bool areNeighbors(const Layout &layout, llvm::ArrayRef<bool> isIn) {
  std::optional<size_t> first, last;
  size_t count = 0;
  for (auto [i, dim] : llvm::enumerate(layout.minorToMajor))
    if (isIn[dim]) {
      first = first.value_or(i);
      last = i;
      ++count;
    }
  return count == 0 || *last - *first + 1 == count;
}

/// The sizes above, of, and below the dimensions that are `isIn`.
static llvm::SmallVector<int64_t, 3> groupSizes(const Layout &layout,
                                                llvm::ArrayRef<bool> isIn) {
  llvm::SmallVector<int64_t, 3> sizes = {1, 1, 1};
  size_t segment = 2;
  for (int64_t dim : layout.minorToMajor) {
    if ((segment == 2 && isIn[dim]) || (segment == 1 && !isIn[dim]))
      --segment;
    sizes[segment] *= layout.shape[dim];
  }
  return sizes;
}

static ReductionShape groupsOf(const Layout &layout,
                               llvm::ArrayRef<bool> isReduced) {
  llvm::SmallVector<bool> isKept;
  for (bool reduced : isReduced)
    isKept.push_back(!reduced);
  if (!llvm::is_contained(isKept, true))
    return {true, {1, 1, layout.elements()}};
  if (areNeighbors(layout, isKept)) {
    llvm::SmallVector<int64_t, 3> sizes = groupSizes(layout, isKept);
    if (sizes[1] == 1)
      return {true, {1, 1, sizes[0] * sizes[2]}};
    if (sizes[2] == 1)
      return {false, {1, sizes[0], sizes[1]}};
    return {true, sizes};
  }
  llvm::SmallVector<int64_t, 3> sizes = groupSizes(layout, isReduced);
  if (sizes[2] == 1)
    return {true, {1, sizes[0], sizes[1]}};
  return {false, sizes};
}

std::optional<ReductionShape> kernels::reductionShapeOf(mlir::Operation *op) {
  auto reduce = llvm::dyn_cast<stablehlo::ReduceOp>(op);
  if (!reduce)
    return std::nullopt;
  std::optional<Layout> layout = Layout::of(reduce.getInputs()[0].getType());
  if (!layout || layout->elements() == 0)
    return std::nullopt;
  llvm::SmallVector<bool> isReduced(layout->shape.size(), false), isKept;
  for (int64_t dim : reduce.getDimensions())
    isReduced[dim] = true;
  for (bool reduced : isReduced)
    isKept.push_back(!reduced);
  if (!areNeighbors(*layout, isKept) && !areNeighbors(*layout, isReduced))
    return std::nullopt;
  ReductionShape shape = groupsOf(*layout, isReduced);
  constexpr int64_t kWarp = 32;
  if (shape.isRow) {
    if (shape.sizes[2] < kWarp && kWarp % shape.sizes[2] != 0)
      return std::nullopt;
    return shape;
  }
  int64_t major = shape.sizes[1], minor = shape.sizes[2];
  if (major < kWarp || (major < 2 * kWarp && minor < kWarp) ||
      (major < 4 * kWarp && minor < 8) || (major < 8 * kWarp && minor < 3))
    return std::nullopt;
  return shape;
}

int64_t kernels::vectorOf(const Fused &fused, int64_t minor, int64_t threads) {
  int64_t bits = smallestInputBits(fused);
  // More than one result of a reduction does not count here: argmax has vectors.
  if (minor % 2 != 0 || threads * 2 > minor || bits >= 64)
    return 1;
  if (bits >= 32 || minor % 4 != 0 || threads * 4 > minor)
    return 2;
  return 4;
}

void kernels::addReduction(Kernel &kernel, const Fused &fused, Arena &arena,
                           llvm::ArrayRef<mlir::Operation *> heroes,
                           const Map &input, llvm::ArrayRef<int64_t> sizes,
                           const Map &output, const TilePlaces *tile,
                           const Map *last) {
  /// A step at the input, of a value of this layout; and one at its last part.
  auto addAtInput = [&](Step step, const Layout &layout) {
    for (const Map *part : {&input, last}) {
      if (!part)
        continue;
      step.map = *part;
      step.map.results = indexOf(
          arena, kernels::numberOf(arena, part->results, sizes), layout);
      step.join = part == last ? Step::Join::Never : Step::Join::IfFlat;
      if (part == last)
        step.atMost = "neighbors of the last rows may be loaded together";
      kernel.steps.push_back(step);
    }
  };
  for (mlir::Operation *hero : heroes) {
    auto reduce = llvm::cast<stablehlo::ReduceOp>(hero);
    for (mlir::Value value : reduce.getInputs())
      if (std::optional<Layout> layout = Layout::of(value.getType()))
        addAtInput({.value = value}, *layout);
    for (mlir::Value value : reduce.getInputs())
      if (tile)
        addTile(kernel, *tile, value.getType());
  }
  for (auto [i, root] : llvm::enumerate(fused.roots)) {
    mlir::Operation *hero = heroOf(root, [&](mlir::Operation *op) {
      return llvm::is_contained(heroes, op);
    });
    if (!hero) { // beside the reductions, an element for each that is read
      addAtInput({.value = root}, fused.layouts[i]);
      addAtInput({.kind = Step::Kind::Writes, .result = unsigned(i)},
                 fused.layouts[i]);
      continue;
    }
    Map map = output;
    map.results = indexOf(arena, output.results[0], fused.layouts[i]);
    for (EpilogueRead &read : epilogueReads(arena, root, hero))
      kernel.steps.push_back(
          {.value = read.value, .map = compose(map, read.map)});
    kernel.steps.push_back({.kind = Step::Kind::Writes,
                            .result = unsigned(i),
                            .map = std::move(map),
                            .join = Step::Join::Never});
  }
}
