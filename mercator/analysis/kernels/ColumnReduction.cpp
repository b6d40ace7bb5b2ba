// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The column reduction: a block of 32x32 threads walks down 32 columns, or twice as
/// many, and turns its sums through shared memory. Up to 32 columns that divide a warp
/// are walked as one row of memory.
///
/// XLA: xla/backends/gpu/codegen/emitters/reduction.cc, ColumnReductionFusion and
/// SmallColumnReductionFusion.

#include "mercator/analysis/kernels/Reduction.h"

using namespace mercator;
using namespace mercator::kernels;
using namespace mercator::indexing;

static constexpr int64_t kSideOfColumns = 32;

/// Neighbors in memory are neighbors in the block; each thread meets one column.
static Kernel narrow(const Fused &fused, Arena &arena,
                     llvm::ArrayRef<mlir::Operation *> heroes,
                     llvm::ArrayRef<int64_t> sizes) {
  Kernel kernel{.emitter = Emitter::ColumnReduction};
  int64_t whole = sizes[1] * sizes[2];
  int64_t vector = vectorOf(fused, whole, kSideOfColumns), threads = 128;
  int64_t rows = vector * threads / sizes[2];
  while (rows > kSideOfColumns && vector > 1)
    vector /= 2, rows /= 2;
  if (rows > kSideOfColumns) {
    threads /= rows / kSideOfColumns;
    rows = kSideOfColumns;
  }
  kernel.block = threads;
  kernel.grid = sizes[0];
  kernel.choice = std::to_string(rows) + " rows at once, " +
                  std::to_string(threads) + " threads";
  Grid grid(arena, kernel.grid, threads, vector);
  Map input = grid.map;
  Expr loop = input.domain.addRange(
      arena, Interval::ofSize(ceilOf(whole, vector * threads)));
  Expr first = arena.add(arena.scale(loop, threads), grid.thread),
       number = arena.add(arena.scale(first, vector), grid.element);
  if (whole % (vector * threads) != 0) // the vector divides the row
    input.domain.addConstraint(first, {0, whole / vector - 1});
  input.results = {grid.block, arena.floorDiv(number, sizes[2]),
                   arena.mod(number, sizes[2])};
  Grid out(arena, kernel.grid, threads, 1);
  Expr part = out.map.domain.addRange(arena, Interval::ofSize(vector));
  Expr column =
      arena.floorDiv(arena.add(out.thread, arena.scale(part, threads)), rows);
  if (rows > 1)
    out.map.domain.addConstraint(arena.mod(out.thread, rows), {0, 0});
  out.map.domain.addConstraint(column, {0, sizes[2] - 1});
  out.map.results = {arena.add(arena.scale(out.block, sizes[2]), column)};
  // Written as it lies in memory, read column by column.
  int64_t padding = threads == kSideOfColumns && vector == 1
                        ? 0
                        : ceilOf(sizes[2], threads * vector);
  TilePlaces tile{.sizes = {rows, sizes[2] + padding}};
  Grid place(arena, kernel.grid, threads, vector);
  tile.writes = tile.reads = place.map;
  Expr written = arena.add(arena.scale(place.thread, vector), place.element),
       read = arena.add(place.thread, arena.scale(place.element, threads));
  tile.writes.results = {arena.floorDiv(written, sizes[2]),
                         arena.mod(written, sizes[2])};
  tile.reads.results = {arena.mod(read, rows), arena.floorDiv(read, rows)};
  addReduction(kernel, fused, arena, heroes, input, sizes, out.map, &tile);
  return kernel;
}

Kernel kernels::columnReductionKernel(const Fused &fused, Arena &arena,
                                      const Device & /*device*/,
                                      llvm::ArrayRef<mlir::Operation *> heroes,
                                      llvm::ArrayRef<int64_t> sizes) {
  constexpr int64_t side = kSideOfColumns;
  if (side % sizes[2] == 0)
    return narrow(fused, arena, heroes, sizes);
  Kernel kernel{.emitter = Emitter::ColumnReduction, .block = side * side};
  int64_t vector = vectorOf(fused, sizes[2], side);
  int64_t across = ceilOf(sizes[2], side * vector);
  kernel.grid = sizes[0] * across;
  kernel.choice = std::to_string(side * vector) + " columns a block";
  Grid grid(arena, kernel.grid, kernel.block, vector);
  Expr warp = arena.floorDiv(grid.thread, side),
       lane = arena.mod(grid.thread, side);
  Expr major = arena.floorDiv(grid.block, across),
       part = arena.mod(grid.block, across);
  Map input = grid.map;
  // Where both columns and rows end inside of a block, LLVM may have a branch for each
  // element of the last rows.
  bool hasEnd = sizes[1] % side != 0 && sizes[2] % (side * vector) != 0 &&
                vector > 1 && sizes[1] > side;
  int64_t loops = ceilOf(sizes[1], side) - (hasEnd ? 1 : 0);
  Expr loop = input.domain.addRange(arena, Interval::ofSize(loops));
  Expr row = arena.add(warp, arena.scale(loop, side));
  auto columnOf = [&](Expr within, Expr element) {
    return arena.add(
        arena.scale(arena.add(arena.scale(part, side), within), vector),
        element);
  };
  Expr column = columnOf(lane, grid.element);
  input.results = {major, row, column};
  if (sizes[2] % (side * vector) != 0)
    input.domain.addConstraint(column, {0, sizes[2] - 1});
  Map last = input;
  if (hasEnd) {
    last.domain.ranges.clear();
    Expr end = arena.add(warp, loops * side);
    last.results[1] = end;
    last.domain.addConstraint(end, {0, sizes[1] - 1});
  } else if (sizes[1] % side != 0) {
    input.domain.addConstraint(row, {0, sizes[1] - 1});
  }
  Map output = Grid(arena, kernel.grid, kernel.block, 1).map;
  Expr element = output.domain.addRange(arena, Interval::ofSize(vector));
  Expr kept = columnOf(warp, element);
  output.domain.addConstraint(lane, {0, 0});
  if (sizes[2] % (side * vector) != 0)
    output.domain.addConstraint(kept, {0, sizes[2] - 1});
  output.results = {arena.add(arena.scale(major, sizes[2]), kept)};
  // Written with a lane for each row, and read with a lane for each column.
  TilePlaces tile{.sizes = {side, side * vector + 1}};
  Grid place(arena, kernel.grid, kernel.block, vector);
  tile.writes = tile.reads = place.map;
  Expr placeLane = arena.dim(0), placeWarp = arena.dim(2);
  tile.writes.results = {
      placeLane, arena.add(arena.scale(placeWarp, vector), place.element)};
  tile.reads.results = {
      placeWarp, arena.add(arena.scale(placeLane, vector), place.element)};
  addReduction(kernel, fused, arena, heroes, input, sizes, output, &tile,
               hasEnd ? &last : nullptr);
  return kernel;
}
