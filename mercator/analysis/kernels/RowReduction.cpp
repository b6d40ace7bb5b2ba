// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The row reduction: 256 threads or more work on a few rows. Each warp adds what it
/// has with shuffles, and the warps of a row meet in shared memory. Rows that fit a
/// warp share it.
///
/// XLA: xla/backends/gpu/codegen/emitters/reduction.cc, RowReductionFusion and
/// MultiRowReductionFusion.

#include "mercator/analysis/kernels/Reduction.h"

using namespace mercator;
using namespace mercator::kernels;
using namespace mercator::indexing;

static constexpr int64_t kWarpLanes = 32, kTargetThreads = 256;

static int64_t threadsKept(int64_t kept, int64_t threadsReduced) {
  return kept * threadsReduced <= kTargetThreads
             ? kept
             : std::max<int64_t>(1, kTargetThreads / threadsReduced);
}

/// Several rows of a power of two share a warp; none if they do not fit.
static std::optional<int64_t> vectorOfShortRows(const Fused &fused,
                                                llvm::ArrayRef<int64_t> sizes,
                                                const Device &device) {
  int64_t row = sizes[2];
  if ((row & (row - 1)) != 0)
    return std::nullopt;
  int64_t outBits = 0;
  for (const Layout &layout : fused.layouts)
    outBits = outBits == 0 ? layout.bits : std::min(outBits, layout.bits);
  int64_t inBits = smallestInputBits(fused);
  int64_t least = inBits == 0 ? outBits : std::min(inBits, outBits),
          most = std::max(inBits, outBits);
  int64_t vector = std::min(row, std::max<int64_t>(1, 64 / least));
  if (most >= 32)
    vector = std::max<int64_t>(1, std::min(128 / most, vector));
  if (row > kWarpLanes * vector)
    return std::nullopt;
  auto blocks = [&](int64_t v) {
    return ceilOf(sizes[1], threadsKept(sizes[1], row / v));
  };
  while (vector > 1 && blocks(vector) < device.cores)
    vector /= 2;
  if (row > kWarpLanes * vector)
    return std::nullopt;
  return vector;
}

Kernel kernels::rowReductionKernel(const Fused &fused, Arena &arena,
                                   const Device &device,
                                   llvm::ArrayRef<mlir::Operation *> heroes,
                                   llvm::ArrayRef<int64_t> sizes) {
  Kernel kernel{.emitter = Emitter::RowReduction};
  int64_t reduced, kept, vector, loops;
  bool isPlain = llvm::all_of(heroes, [](mlir::Operation *hero) {
    return hero->getNumResults() == 1; // an argmax has two
  });
  if (auto shared = isPlain ? vectorOfShortRows(fused, sizes, device)
                            : std::optional<int64_t>()) {
    vector = *shared;
    reduced = sizes[2] / vector;
    kept = threadsKept(sizes[1], reduced);
    loops = 1;
  } else {
    constexpr int64_t kElements = 16;
    reduced = std::min<int64_t>(
        1024, ceilOf(ceilOf(sizes[2], kElements), kWarpLanes) * kWarpLanes);
    kept = reduced * 2 <= kTargetThreads ? threadsKept(sizes[1], reduced) : 1;
    vector = vectorOf(fused, sizes[2], reduced);
    loops = std::min(kElements / vector, ceilOf(sizes[2] / vector, reduced));
  }
  int64_t perBlock = loops * reduced * vector; // elements of a row
  int64_t across = ceilOf(sizes[2], perBlock);
  kernel.block = kept * reduced;
  kernel.grid = ceilOf(sizes[1], kept) * across;
  kernel.choice = std::to_string(kept) + (kept == 1 ? " row" : " rows") +
                  " a block, " + std::to_string(reduced) + " threads each";
  Grid grid(arena, kernel.grid, kernel.block, vector);
  Map input = grid.map;
  Expr row = arena.add(arena.scale(arena.floorDiv(grid.block, across), kept),
                       arena.floorDiv(grid.thread, reduced));
  Expr column = arena.mod(grid.thread, reduced);
  Expr major = input.domain.addRange(arena, Interval::ofSize(sizes[0]));
  Expr loop = input.domain.addRange(arena, Interval::ofSize(loops));
  Expr minor = arena.add(
      arena.add(
          arena.scale(arena.mod(grid.block, across), perBlock),
          arena.scale(arena.add(arena.scale(loop, reduced), column), vector)),
      grid.element);
  input.results = {major, row, minor};
  if (sizes[1] % kept != 0)
    input.domain.addConstraint(row, {0, sizes[1] - 1});
  if (sizes[2] % perBlock != 0)
    input.domain.addConstraint(minor, {0, sizes[2] - 1});
  Map output = Grid(arena, kernel.grid, kernel.block, 1).map;
  output.results = {row};
  if (reduced > 1)
    output.domain.addConstraint(column, {0, 0});
  if (sizes[1] % kept != 0)
    output.domain.addConstraint(row, {0, sizes[1] - 1});
  // The warps of a row leave what they have in a tile, and its first warp adds it up.
  int64_t warps = reduced / kWarpLanes;
  TilePlaces tile{.sizes = {kept, warps % kWarpLanes == 0 ? warps + 1 : warps}};
  if (warps > 1) {
    tile.writes = tile.reads = Grid(arena, kernel.grid, kernel.block, 1).map;
    Expr lane = arena.dim(0), warp = arena.dim(2), own = arena.mod(warp, warps),
         place = arena.floorDiv(warp, warps);
    tile.writes.results = {place, own};
    tile.writes.domain.addConstraint(lane, {0, 0});
    tile.reads.results = {place, lane};
    tile.reads.domain.addConstraint(own, {0, 0});
    tile.reads.domain.addConstraint(lane, {0, warps - 1});
  }
  addReduction(kernel, fused, arena, heroes, input, sizes, output,
               warps > 1 ? &tile : nullptr);
  return kernel;
}
