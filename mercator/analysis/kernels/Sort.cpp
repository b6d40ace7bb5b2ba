// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The sort of rows that fit shared memory: a block for each row, rounded up to a
/// power of two, and a thread for four neighbors. It copies the row, sorts it there,
/// and writes it back. Two elements are exchanged by one thread in memory. Longer rows
/// take several kernels.
///
/// XLA: xla/backends/gpu/codegen/llvm/llvm_emitter.cc (EmitBitonicSortLLVMIR) and
/// sort_util.cc.

#include "mercator/analysis/kernels/Fused.h"

#include "llvm/Support/MathExtras.h"

using namespace mercator;
using namespace mercator::kernels;
using namespace mercator::indexing;

/// What the threads do in shared memory, for a row of a power of two. Each step of the
/// bitonic sort compares the elements i and i xor mask; a thread has two pairs of them.
/// Fewer than a warp of threads take neighbors.
static void addExchanges(Kernel &kernel, Arena &arena, stablehlo::SortOp sort,
                         int64_t row) {
  constexpr int64_t kNeighbors = 4, kPairs = 2, kWarpLanes = 32;
  auto add = [&](int64_t count, llvm::function_ref<Expr(Expr, Expr)> place,
                 const char *writesAtMost) {
    Grid grid(arena, kernel.grid, kernel.block, 1);
    Expr part = grid.map.domain.addRange(arena, Interval::ofSize(count));
    grid.map.results = {place(grid.thread, part)};
    TilePlaces places{.writes = grid.map,
                      .reads = grid.map,
                      .sizes = {row},
                      .writesAtMost = writesAtMost};
    for (mlir::Value operand : sort.getInputs())
      addTile(kernel, places, operand.getType());
  };
  add(
      kNeighbors,
      [&](Expr thread, Expr part) {
        return arena.add(arena.scale(thread, kNeighbors), part);
      },
      "");
  auto compare = [&](int64_t mask, int64_t span) {
    for (bool isOther : {false, true})
      add(
          kPairs,
          [&](Expr thread, Expr part) {
            Expr pair =
                kernel.block < kWarpLanes
                    ? arena.add(arena.scale(thread, kPairs), part)
                    : arena.add(thread, arena.scale(part, kernel.block));
            Expr first = arena.scale(arena.floorDiv(pair, span), 2 * span),
                 inside = arena.mod(pair, span);
            if (!isOther)
              return arena.add(first, inside);
            return mask == span ? arena.add(first, arena.add(inside, span))
                                : arena.add(arena.add(first, mask),
                                            arena.scale(inside, -1));
          },
          "the order of the data decides what is exchanged");
  };
  for (int64_t sorted = 1; sorted < row; sorted *= 2) {
    compare(2 * sorted - 1, sorted);
    for (int64_t mask = sorted / 2; mask > 0; mask /= 2)
      compare(mask, mask);
  }
}

Kernel kernels::sortKernel(const Fused &fused, Arena &arena,
                           const Device & /*device*/, mlir::Operation *hero) {
  constexpr int64_t kNeighbors = 4, kMostThreads = 1024, kShared = 48 * 1024;
  Kernel kernel{.emitter = Emitter::Sort};
  auto sort = llvm::cast<stablehlo::SortOp>(hero);
  const Layout &layout = fused.layouts[0];
  auto dim = int64_t(sort.getDimension());
  if (dim < 0)
    dim += int64_t(layout.shape.size());
  int64_t row = layout.shape[dim], bytes = 0;
  for (mlir::Value operand : sort.getInputs())
    if (std::optional<Layout> own = Layout::of(operand.getType()))
      bytes += std::max<int64_t>(1, own->bits / 8);
  auto tile = int64_t(llvm::PowerOf2Ceil(row));
  if (tile > kMostThreads * kNeighbors || tile * bytes > kShared) {
    kernel.unknown = "a row takes several kernels";
    return kernel;
  }
  bool isPair = row == 2;
  int64_t rows = layout.elements() / row;
  kernel.block = isPair ? std::min<int64_t>(128, rows)
                        : std::max<int64_t>(1, tile / kNeighbors);
  kernel.grid = isPair ? ceilOf(rows, kernel.block) : rows;
  kernel.choice = "rows of " + std::to_string(row) +
                  (isPair ? ", a thread each" : " in shared memory");
  if (!isPair && row == tile)
    addExchanges(kernel, arena, sort, row);
  else if (!isPair)
    kernel.sharedUnknown = "in a row of no power of two, the last elements are "
                           "compared apart";
  /// The elements of all threads, of all but the last of a row, or of the last.
  enum class Threads { All, ButLast, Last };
  auto place = [&](Threads which) {
    Grid grid(arena, kernel.grid, kernel.block, 1);
    Domain &domain = grid.map.domain;
    Expr thread = grid.thread, number = grid.block;
    if (isPair) {
      number = arena.add(arena.scale(number, kernel.block), thread);
      thread = arena.constant(0);
      if (kernel.threads() > rows)
        domain.addConstraint(number, {0, rows - 1});
    }
    int64_t count =
        which == Threads::Last ? row % kNeighbors : std::min(kNeighbors, row);
    Expr part = domain.addRange(arena, Interval::ofSize(count));
    if (which == Threads::Last)
      domain.addConstraint(thread, {row / kNeighbors, row / kNeighbors});
    else if (row / kNeighbors > 0 && row / kNeighbors < kernel.block)
      domain.addConstraint(thread, {0, row / kNeighbors - 1});
    // Rows are counted in the order of the other dimensions.
    llvm::SmallVector<int64_t, 4> others(layout.shape.begin(),
                                         layout.shape.end());
    others[dim] = 1;
    llvm::SmallVector<Expr, 4> at = digitsOf(arena, number, others);
    at[dim] = arena.add(arena.scale(thread, kNeighbors), part);
    grid.map.results.assign(at.begin(), at.end());
    return grid.map;
  };
  auto addSteps = [&](Threads which, Step::Join join,
                      const std::string &readAtMost,
                      const std::string &writtenAtMost) {
    Map map = place(which);
    for (mlir::Value operand : sort.getInputs())
      kernel.steps.push_back({.value = operand,
                              .map = map,
                              .join = join,
                              .unrolled = 1,
                              .atMost = readAtMost});
    for (unsigned i = 0; i < fused.roots.size(); ++i)
      kernel.steps.push_back({.kind = Step::Kind::Writes,
                              .result = i,
                              .map = map,
                              .join = isPair ? Step::Join::Never : join,
                              .unrolled = 1,
                              .atMost = writtenAtMost});
  };
  const char *last = "the last thread of a row may have its own instructions";
  if (isPair) {
    addSteps(Threads::All, Step::Join::IfAligned, "",
             "only elements that change places are written");
  } else if (row % kNeighbors == 0 || row < kNeighbors) {
    // If the length of a row is no power of two, each element is tested by itself.
    bool isWhole = row == tile || row < kNeighbors;
    addSteps(Threads::All, isWhole ? Step::Join::IfAligned : Step::Join::Never,
             "", "");
  } else {
    addSteps(Threads::ButLast, Step::Join::Never, last, last);
    addSteps(Threads::Last, Step::Join::Never, last, last);
  }
  return kernel;
}
