// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The transpose emitter: a block moves a tile through shared memory, reads along the
/// rows of the operand and writes along the rows of the result.
///
/// XLA: xla/backends/gpu/codegen/emitters/transpose.cc. Tiles have 32x32 elements in
/// rows of 33, and blocks 128 threads. Of elements smaller than a word of a bank, tiles
/// have 32x32 words, and a lane moves a word (PackedTranspose, for the shapes that
/// GetPackedTransposeTileSizes in xla/service/gpu/ir_emission_utils.cc takes).

#include "mercator/analysis/kernels/Fused.h"

using namespace mercator;
using namespace mercator::kernels;
using namespace mercator::indexing;

namespace {
/// A transpose of the shapes in memory, with neighbors that stay neighbors joined.
struct Normalized {
  llvm::SmallVector<int64_t, 4> input;       ///< sizes, the last one fastest
  llvm::SmallVector<int64_t, 4> permutation; ///< result dimension i is this one
};
} // namespace

static Normalized normalize(stablehlo::TransposeOp op, const Layout &input,
                            const Layout &output) {
  llvm::ArrayRef<int64_t> permutation = op.getPermutation();
  llvm::SmallVector<int64_t, 4> place(input.shape.size()); // of each dimension
  llvm::SmallVector<int64_t, 4> sizes, order;
  for (int64_t dim : llvm::reverse(input.minorToMajor)) {
    place[dim] = sizes.size();
    sizes.push_back(input.shape[dim]);
  }
  for (int64_t dim : llvm::reverse(output.minorToMajor))
    order.push_back(place[permutation[dim]]);
  // Without dimensions of one element, and runs joined.
  llvm::erase_if(order, [&](int64_t p) { return sizes[p] == 1; });
  Normalized result;
  llvm::SmallVector<int64_t, 4>
      first; // of each run, in the order of the result
  llvm::SmallVector<int64_t, 4> runSizes;
  auto next = [&](int64_t p) {
    for (++p; p < int64_t(sizes.size()) && sizes[p] == 1; ++p)
      ;
    return p;
  };
  std::optional<int64_t> before;
  for (int64_t p : order) {
    if (before && next(*before) == p) {
      runSizes.back() *= sizes[p];
    } else {
      first.push_back(p);
      runSizes.push_back(sizes[p]);
    }
    before = p;
  }
  llvm::SmallVector<int64_t, 4> sorted(first);
  llvm::sort(sorted);
  for (int64_t p : first)
    result.permutation.push_back(llvm::find(sorted, p) - sorted.begin());
  result.input.resize(first.size());
  for (auto [i, p] : llvm::enumerate(result.permutation))
    result.input[p] = runSizes[i];
  return result;
}

namespace {
/// The tile of the packed transpose, in the dimensions of the operand. Its rows in
/// shared memory are along `to`. Its columns are along the fastest dimension and, where
/// that is short, the one above it, if that stays where it is.
struct PackedTile {
  llvm::SmallVector<int64_t, 4> sizes;
  int64_t rows, columns;
};
} // namespace

/// None if words would be cut, or if a tile would fill too few banks.
static std::optional<PackedTile> packedTile(const Normalized &shape,
                                            int64_t vector) {
  constexpr int64_t kSide = 32, kLeastWords = 10;
  size_t rank = shape.input.size();
  int64_t from = rank - 1, to = shape.permutation.back(), side = kSide * vector;
  PackedTile tile{.sizes = llvm::SmallVector<int64_t, 4>(rank, 1),
                  .rows = std::min(shape.input[to], side),
                  .columns = std::min(shape.input[from], side)};
  tile.sizes[to] = tile.rows;
  tile.sizes[from] = tile.columns;
  if (rank >= 3 && shape.permutation[rank - 2] == from - 1) {
    tile.sizes[from - 1] = std::min(shape.input[from - 1], side / tile.columns);
    tile.columns *= tile.sizes[from - 1];
  }
  bool isLarge = std::min(tile.rows, tile.columns) >= kLeastWords * vector;
  bool isWhole = tile.rows % vector == 0 && tile.columns % vector == 0 &&
                 shape.input[to] % tile.rows % vector == 0;
  return isLarge && isWhole ? std::optional(tile) : std::nullopt;
}

/// Tiles of words: `vector` elements of one row at once, and the same when written.
static Kernel packedKernel(const Fused &fused, Arena &arena,
                           stablehlo::TransposeOp transpose,
                           const Normalized &shape, const Layout &input,
                           const PackedTile &tile, int64_t vector) {
  constexpr int64_t kWarps = 4, kThreads = 128, kSide = 32;
  Kernel kernel{.emitter = Emitter::Transpose, .block = kThreads};
  size_t rank = shape.input.size();
  int64_t from = rank - 1, to = shape.permutation.back(); // fastest in, and out
  llvm::SmallVector<int64_t, 4> counts;                   // of the result
  kernel.grid = 1;
  for (int64_t p : shape.permutation) {
    counts.push_back(ceilOf(shape.input[p], tile.sizes[p]));
    kernel.grid *= counts.back();
  }
  kernel.choice = "tiles of " + std::to_string(tile.rows) + "x" +
                  std::to_string(tile.columns) + " in shared memory, in words";
  Expr lane = arena.dim(0), warp = arena.dim(2);
  /// A place in the tile.
  struct Place {
    Expr row, word, part; ///< the column is part of a word
  };
  /// Reads: a lane for some rows, a warp for a word of them. Writes: the other way.
  auto placeOf = [&](bool isRead, Grid &grid) {
    Domain &domain = grid.map.domain;
    Place place;
    if (isRead) {
      Expr loop = domain.addRange(
          arena, Interval::ofSize(ceilOf(tile.columns, vector * kWarps)));
      place.row = arena.add(arena.scale(lane, vector), grid.element);
      place.word = arena.add(arena.scale(loop, kWarps), warp);
      place.part = domain.addRange(arena, Interval::ofSize(vector));
    } else {
      Expr loop =
          domain.addRange(arena, Interval::ofSize(ceilOf(tile.rows, kWarps)));
      place.row = arena.add(arena.scale(loop, kWarps), warp);
      place.word = lane;
      place.part = grid.element;
    }
    domain.addConstraint(arena.add(arena.scale(place.word, vector), place.part),
                         {0, tile.columns - 1});
    domain.addConstraint(place.row, {0, tile.rows - 1});
    return place;
  };
  /// The index that a place of the block's tile has, in the order of the operand.
  auto indexIn = [&](Grid &grid, const Place &place) {
    llvm::SmallVector<Expr, 4> blocks = digitsOf(arena, grid.block, counts),
                               index(rank);
    Expr column = arena.add(arena.scale(place.word, vector), place.part);
    for (size_t i = 0; i < rank; ++i) {
      int64_t p = shape.permutation[i];
      Expr inside = arena.constant(0);
      if (p == to)
        inside = place.row;
      else if (p == from)
        inside = arena.mod(column, tile.sizes[from]);
      else if (p == from - 1)
        inside = arena.floorDiv(column, tile.sizes[from]);
      index[p] = arena.add(arena.scale(blocks[i], tile.sizes[p]), inside);
      if (shape.input[p] % tile.sizes[p] != 0)
        grid.map.domain.addConstraint(index[p], {0, shape.input[p] - 1});
    }
    return index;
  };
  /// What the threads read, or write.
  auto place = [&](bool isOutput, const Layout &layout) {
    Grid grid(arena, kernel.grid, kThreads, vector);
    llvm::SmallVector<Expr, 4> index =
        indexIn(grid, placeOf(/*isRead=*/isOutput, grid));
    llvm::SmallVector<Expr, 4> ordered;
    llvm::SmallVector<int64_t, 4> extents;
    for (size_t i = 0; i < rank; ++i) {
      size_t p = isOutput ? shape.permutation[i] : i;
      ordered.push_back(index[p]);
      extents.push_back(shape.input[p]);
    }
    grid.map.results =
        indexOf(arena, kernels::numberOf(arena, ordered, extents), layout);
    return grid.map;
  };
  kernel.steps.push_back({.value = transpose.getOperand(),
                          .map = place(/*isOutput=*/false, input),
                          .join = Step::Join::IfFlat});
  // The tile has rows of 32 words, each turned by one against those before: the words
  // of a column lie in different banks. What is beyond the tensor is read, too.
  auto inTile = [&](bool isRead) {
    Grid grid(arena, kernel.grid, kThreads, vector);
    Place at = placeOf(isRead, grid);
    if (!isRead)
      (void)indexIn(grid, at); // has its conditions
    Expr turned =
        arena.mod(arena.add(at.word, arena.floorDiv(at.row, vector)), kSide);
    grid.map.results = {at.row,
                        arena.add(arena.scale(turned, vector), at.part)};
    return grid.map;
  };
  addTile(kernel,
          {.writes = inTile(/*isRead=*/false),
           .reads = inTile(/*isRead=*/true),
           .sizes = {kSide * vector, kSide * vector}},
          transpose.getOperand().getType());
  for (auto [i, root] : llvm::enumerate(fused.roots)) {
    bool isSide = heroOf(root, [&](mlir::Operation *op) {
                    return op == transpose.getOperation();
                  }) == nullptr;
    Map map = place(/*isOutput=*/!isSide, fused.layouts[i]);
    if (isSide)
      kernel.steps.push_back(
          {.value = root, .map = map, .join = Step::Join::IfFlat});
    else
      for (EpilogueRead &read : epilogueReads(arena, root, transpose))
        kernel.steps.push_back(
            {.value = read.value, .map = compose(map, read.map)});
    bool isComputed = !isSide && root.getDefiningOp() != transpose,
         isPartial = !isSide && (shape.input[from] % tile.sizes[from] != 0 ||
                                 shape.input[to] % tile.sizes[to] != 0);
    kernel.steps.push_back(
        {.kind = Step::Kind::Writes,
         .result = unsigned(i),
         .map = map,
         .join = Step::Join::IfFlat,
         .guess = isComputed || isPartial || vector == 4
                      ? "elements of a word may be written apart"
                      : ""});
  }
  return kernel;
}

Kernel kernels::transposeKernel(const Fused &fused, Arena &arena,
                                const Device & /*device*/,
                                mlir::Operation *hero) {
  constexpr int64_t kSide = 32, kThreads = 128;
  Kernel kernel{.emitter = Emitter::Transpose, .block = kThreads};
  auto transpose = llvm::cast<stablehlo::TransposeOp>(hero);
  std::optional<Layout> input = Layout::of(transpose.getOperand().getType()),
                        output = Layout::of(transpose.getType());
  Normalized shape = normalize(transpose, *input, *output);
  size_t rank = shape.input.size();
  if (rank < 2) {
    kernel.unknown = "the transpose moves nothing";
    return kernel;
  }
  bool keepsRows = shape.permutation.back() == int64_t(rank - 1);
  if (int64_t bits = output->bits; bits >= 8 && bits < 32 && !keepsRows) {
    int64_t vector = 32 / bits;
    if (std::optional<PackedTile> packed = packedTile(shape, vector))
      return packedKernel(fused, arena, transpose, shape, *input, *packed,
                          vector);
  }
  llvm::SmallVector<int64_t, 4> tile(rank, 1);
  int64_t row = keepsRows ? shape.input.back() : 1;
  if (keepsRows) {
    tile[rank - 1] = row;
    tile[rank - 2] = kSide;
    tile[shape.permutation[rank - 2]] = kSide;
  } else {
    tile[rank - 1] = kSide;
    tile[shape.permutation.back()] = kSide;
  }
  llvm::SmallVector<int64_t, 4> counts, tileOut, countsOut, sizesOut;
  kernel.grid = 1;
  for (size_t i = 0; i < rank; ++i) {
    counts.push_back(ceilOf(shape.input[i], tile[i]));
    kernel.grid *= counts.back();
  }
  for (int64_t p : shape.permutation) {
    tileOut.push_back(tile[p]);
    countsOut.push_back(counts[p]);
    sizesOut.push_back(shape.input[p]);
  }
  kernel.choice = "tiles of 32x32 in shared memory";
  /// Threads over the tile; the blocks have one order for both sides.
  auto place = [&](llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> tiles,
                   bool isOutput, const Layout &layout) {
    Grid grid(arena, kernel.grid, kThreads, row);
    Expr loop = grid.map.domain.addRange(
        arena, Interval::ofSize(kSide * kSide / kThreads));
    Expr number = arena.add(
        arena.scale(arena.add(arena.scale(loop, kThreads), grid.thread), row),
        grid.element);
    llvm::SmallVector<Expr, 4> inside = digitsOf(arena, number, tiles),
                               blocks = digitsOf(arena, grid.block, counts);
    llvm::SmallVector<Expr, 4> index;
    for (size_t i = 0; i < rank; ++i) {
      Expr block = blocks[isOutput ? shape.permutation[i] : i];
      index.push_back(arena.add(arena.scale(block, tiles[i]), inside[i]));
      if (sizes[i] % tiles[i] != 0)
        grid.map.domain.addConstraint(index.back(), {0, sizes[i] - 1});
    }
    grid.map.results = indexOf(arena, numberOf(arena, index, sizes), layout);
    return grid.map;
  };
  // In shared memory, the two dimensions that are tiled change places. Rows are padded
  // by one, where a lane walks down a column.
  size_t padded = keepsRows ? rank - 2 : rank - 1;
  TilePlaces inTile{.sizes = tile};
  ++inTile.sizes[padded];
  auto placeInTile = [&](llvm::ArrayRef<int64_t> sizes,
                         llvm::ArrayRef<int64_t> tiles, bool isOutput) {
    Map map = place(sizes, tiles, isOutput, isOutput ? *output : *input);
    Expr number =
        arena.add(arena.scale(arena.add(arena.scale(arena.range(0), kThreads),
                                        arena.add(arena.scale(arena.dim(2), 32),
                                                  arena.dim(0))),
                              row),
                  arena.dim(1));
    map.results = digitsOf(arena, number, tile);
    if (!isOutput)
      std::swap(map.results[padded], map.results[shape.permutation[padded]]);
    return map;
  };
  inTile.writes = placeInTile(shape.input, tile, /*isOutput=*/false);
  inTile.reads = placeInTile(sizesOut, tileOut, /*isOutput=*/true);
  addTile(kernel, inTile, transpose.getOperand().getType());
  Map read = place(shape.input, tile, /*isOutput=*/false, *input);
  kernel.steps.push_back({.value = transpose.getOperand(), .map = read});
  for (auto [i, root] : llvm::enumerate(fused.roots)) {
    bool isSide = heroOf(root, [&](mlir::Operation *op) {
                    return op == hero;
                  }) == nullptr;
    if (isSide) { // a root in the order of the operand
      Map map = place(shape.input, tile, /*isOutput=*/false, fused.layouts[i]);
      kernel.steps.push_back({.value = root, .map = map});
      kernel.steps.push_back(
          {.kind = Step::Kind::Writes, .result = unsigned(i), .map = map});
      continue;
    }
    Map map = place(sizesOut, tileOut, /*isOutput=*/true, fused.layouts[i]);
    for (EpilogueRead &read : epilogueReads(arena, root, hero))
      kernel.steps.push_back(
          {.value = read.value, .map = compose(map, read.map)});
    kernel.steps.push_back(
        {.kind = Step::Kind::Writes, .result = unsigned(i), .map = map});
  }
  return kernel;
}
