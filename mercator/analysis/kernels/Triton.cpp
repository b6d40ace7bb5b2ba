// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Triton kernels: a block computes one tile of the result. Tiles are padded to powers
/// of two. Each load and store has a layout of its own: neighbors in memory go to one
/// thread, up to 16 bytes, then to the lanes, then to the warps.
///
/// XLA: xla/backends/gpu/codegen/triton/fusion_emitter.cc, with the tile sizes of
/// block_level_fusion_config. Layouts: Triton's pass tritongpu-coalesce, and its
/// BlockedEncodingAttr.

#include "mercator/analysis/kernels/Fused.h"
#include "mercator/analysis/maps/FusionMaps.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mercator;
using namespace mercator::kernels;
using namespace mercator::indexing;

namespace {
/// A variable that a tile has several values of.
struct TileDim {
  int64_t size;       ///< of the tile
  int64_t extent;     ///< of all tiles
  int64_t stride = 0; ///< elements in memory from one value to the next
  int64_t packed = 1; ///< values that are one element of memory: 2 of 4 bits
  std::optional<int64_t> of = {}; ///< dimension of the result; else a range
  unsigned range = 0;
  [[nodiscard]] int64_t padded() const {
    return int64_t(llvm::PowerOf2Ceil(size));
  }
};

/// A load or a store of a tile. The index of the tensor is a map of the result's
/// dimensions and of ranges.
struct TileAccess {
  mlir::Value value; ///< null: a store
  unsigned result = 0;
  Map map;
  Layout layout;
  std::vector<TileDim> dims = {}; ///< the fastest first, without single values
  int64_t wanted = 1;             ///< elements of a thread, by alignment
};
} // namespace

/// By how many elements the address moves with a variable; none if it is no constant.
static std::optional<int64_t> strideOf(Arena &arena, Expr address,
                                       Expr variable, int64_t bytes) {
  int64_t stride = 0;
  Var v = arena.var(variable);
  for (Term t : arena.linearCopy(address).terms) {
    if (!arena.uses(t.expr, v))
      continue;
    if (t.expr != variable)
      return std::nullopt;
    stride += t.coefficient;
  }
  return stride % bytes == 0 ? std::optional(stride / bytes) : std::nullopt;
}

/// Two elements of 4 bits are loaded as a byte: halves the strides and the fastest
/// dimension. False if bytes have elements of two rows.
static bool pack(llvm::MutableArrayRef<TileDim> dims, LinearCopy &address) {
  if (dims.empty() || dims[0].stride != 1 || dims[0].size % 2 != 0 ||
      dims[0].extent % 2 != 0 || address.constant % 2 != 0)
    return false;
  dims[0].size /= 2, dims[0].extent /= 2, dims[0].packed = 2;
  for (TileDim &dim : dims.drop_front()) {
    if (dim.stride % 2 != 0)
      return false;
    dim.stride /= 2;
  }
  address.constant /= 2;
  for (Term &t : address.terms) {
    if (t.coefficient % 2 != 0 && t.coefficient != 1)
      return false;
    t.coefficient = std::max<int64_t>(1, t.coefficient / 2);
  }
  return true;
}

/// The tile's dimensions of an access, by their strides in memory.
static bool findDims(Arena &arena, TileAccess &access,
                     llvm::ArrayRef<int64_t> sizes,
                     llvm::ArrayRef<int64_t> tile, bool isProduct,
                     int64_t contracted, int64_t contractedTile) {
  int64_t bytes = std::max<int64_t>(1, access.layout.bits / 8);
  bool isPacked = access.layout.bits == 4;
  Layout whole = access.layout;
  whole.bits = bytes * 8;
  Expr address = simplify(arena, whole.byteOf(arena, access.map.results),
                          access.map.domain);
  auto add = [&](Expr variable, TileDim dim) {
    if (!arena.uses(address, arena.var(variable)))
      return true;
    std::optional<int64_t> stride = strideOf(arena, address, variable, bytes);
    if (!stride)
      return dim.size == 1;
    dim.stride = *stride;
    if (dim.size > 1)
      access.dims.push_back(dim);
    return true;
  };
  // A product has whole tiles, also where the result is smaller.
  for (size_t i = 0; i < sizes.size(); ++i)
    if (!add(arena.dim(i),
             {.size = isProduct ? tile[i]
                                : std::min(tile[i], int64_t(llvm::PowerOf2Ceil(
                                                        sizes[i]))),
              .extent = sizes[i],
              .of = int64_t(i)}))
      return false;
  for (size_t r = 0; r < access.map.domain.ranges.size(); ++r) {
    std::optional<int64_t> size = access.map.domain.ranges[r].bounds.size();
    if (!size)
      return false;
    int64_t own =
        *size == contracted && contractedTile > 0 ? contractedTile : *size;
    if (!add(arena.range(r),
             {.size = own, .extent = *size, .range = unsigned(r)}))
      return false;
  }
  std::sort(access.dims.begin(), access.dims.end(),
            [](const TileDim &a, const TileDim &b) {
              return std::pair(std::abs(a.stride), a.size) <
                     std::pair(std::abs(b.stride), b.size);
            });
  LinearCopy linear = arena.linearCopy(address);
  if (isPacked && !pack(access.dims, linear))
    return false;
  // What the compiler knows of alignment: the strides, and the steps of tiles.
  int64_t most = std::max<int64_t>(1, 16 / bytes), divides = most;
  for (size_t i = 0; i < access.dims.size(); ++i) {
    const TileDim &dim = access.dims[i];
    if (i > 0 || dim.stride != 1)
      divides = std::gcd(divides, std::abs(dim.stride));
    if (dim.extent > dim.size)
      divides = std::gcd(divides, std::abs(dim.stride) * dim.size);
  }
  for (Term t : linear.terms) // of dimensions without a tile
    divides = std::gcd(divides, std::abs(t.coefficient) / bytes == 1
                                    ? divides
                                    : std::abs(t.coefficient) / bytes);
  divides = std::gcd(divides, linear.constant / bytes);
  bool isContiguous = !access.dims.empty() && access.dims[0].stride == 1;
  access.wanted =
      isContiguous
          ? std::max<int64_t>(1, std::min(divides, access.dims[0].padded()))
          : 1;
  return true;
}

/// Adds the step of a tile whose threads take `perThread` neighbors each.
static Step stepOf(Arena &arena, const TileAccess &access, int64_t perThread,
                   int64_t warps, llvm::ArrayRef<int64_t> sizes,
                   llvm::ArrayRef<int64_t> tile, int64_t grid) {
  bool isStore = !access.value;
  size_t rank = access.dims.size();
  // Lanes and warps along each dimension.
  llvm::SmallVector<int64_t, 4> each(rank, 1), lanes(rank, 1), across(rank, 1);
  if (rank > 0)
    each[0] = perThread;
  int64_t threadsLeft = warps * 32, lanesLeft = 32, warpsLeft = warps;
  int64_t lanesUsed = 1, warpsUsed = 1;
  for (size_t i = 0; i + 1 < rank; ++i) {
    int64_t threads = std::clamp<int64_t>(
        threadsLeft, 1,
        std::max<int64_t>(1, access.dims[i].padded() / each[i]));
    lanes[i] = std::clamp<int64_t>(threads, 1, lanesLeft);
    across[i] = std::clamp<int64_t>(threads / lanes[i], 1, warpsLeft);
    lanesLeft /= lanes[i], warpsLeft /= across[i], threadsLeft /= threads;
    lanesUsed *= lanes[i], warpsUsed *= across[i];
  }
  if (rank > 0) {
    lanes[rank - 1] = 32 / lanesUsed;
    across[rank - 1] = warps / warpsUsed;
  }
  // How much of it one instruction takes: as much as is masked together.
  int64_t vector = std::min(perThread, access.wanted);
  int64_t bytes = std::max<int64_t>(1, access.layout.bits / 8);
  vector = std::min(vector, std::max<int64_t>(1, 16 / bytes));
  if (rank > 0) {
    const TileDim &dim = access.dims[0];
    if (dim.extent % dim.size != 0)
      vector = std::gcd(vector, dim.extent);
    if (dim.padded() != dim.size)
      vector = std::gcd(vector, dim.size);
  }
  Grid threads(arena, grid, warps * 32, vector);
  Map map = threads.map;
  Domain &domain = map.domain;
  Expr lane = arena.dim(0), warp = arena.dim(2);
  Expr part = domain.addRange(arena, Interval::ofSize(perThread / vector));
  llvm::SmallVector<Expr, 4> dims(sizes.size()),
      ranges(access.map.domain.ranges.size());
  // The block's tile.
  llvm::SmallVector<int64_t, 4> counts;
  for (size_t i = 0; i < sizes.size(); ++i)
    counts.push_back(ceilOf(sizes[i], tile[i]));
  llvm::SmallVector<Expr, 4> blocks = digitsOf(arena, threads.block, counts);
  for (size_t i = 0; i < sizes.size(); ++i)
    dims[i] = arena.scale(blocks[i], tile[i]);
  for (size_t i = 0; i < rank; ++i) {
    const TileDim &dim = access.dims[i];
    int64_t padded = dim.padded();
    int64_t covered = each[i] * lanes[i] * across[i];
    Expr index =
        arena.add(arena.scale(arena.mod(lane, lanes[i]), each[i]),
                  arena.scale(arena.mod(warp, across[i]), each[i] * lanes[i]));
    lane = arena.floorDiv(lane, lanes[i]);
    warp = arena.floorDiv(warp, across[i]);
    if (i == 0)
      index = arena.add(index,
                        arena.add(arena.scale(part, vector), threads.element));
    if (covered < padded) {
      Expr repeat = domain.addRange(arena, Interval::ofSize(padded / covered));
      index = arena.add(index, arena.scale(repeat, covered));
    } else if (covered > padded) {
      if (isStore) // the first of all copies writes
        domain.addConstraint(index, {0, padded - 1});
      else
        index = arena.mod(index, padded);
    }
    if (padded > dim.size && dim.extent > dim.size)
      domain.addConstraint(index, {0, dim.size - 1});
    Expr whole = arena.scale(index, dim.packed);
    if (dim.of) {
      whole = arena.add(dims[*dim.of], whole);
      dims[*dim.of] = whole;
    } else {
      if (dim.extent > dim.size) {
        Expr step = domain.addRange(
            arena, Interval::ofSize(ceilOf(dim.extent, dim.size)));
        whole = arena.add(whole, arena.scale(step, dim.packed * dim.size));
      }
      ranges[dim.range] = whole;
    }
  }
  if (rank == 0 && isStore) { // one thread writes
    domain.addConstraint(arena.dim(0), {0, 0});
    domain.addConstraint(arena.dim(2), {0, 0});
  }
  for (auto [i, range] : llvm::enumerate(ranges))
    if (!range)
      ranges[i] = arena.constant(access.map.domain.ranges[i].bounds.lower);
  // The map of the tensor, at these.
  llvm::SmallVector<Expr, 2> runtimes;
  for (const RuntimeVariable &v : access.map.domain.runtimes)
    runtimes.push_back(
        domain.addRuntime(arena, {.bounds = v.bounds, .source = v.source}));
  Substitution by{dims, ranges, runtimes};
  for (Expr e : access.map.results)
    map.results.push_back(substitute(arena, e, by));
  for (const Constraint &c : access.map.domain.constraints)
    domain.addConstraint(substitute(arena, c.expr, by), c.bounds);
  // What lies outside of the tensor is masked; of a tensor that is read in another
  // shape, not what lies outside of that.
  for (auto [index, size] : llvm::zip(map.results, access.layout.shape))
    domain.addConstraint(index, {0, size - 1});
  return {.kind = isStore ? Step::Kind::Writes : Step::Kind::Reads,
          .value = access.value,
          .result = access.result,
          .map = std::move(map),
          .join = Step::Join::Always};
}

/// A load that is transposed afterwards has its tile in the order of the result: what
/// is contiguous in memory comes first, then the others from the last dimension on.
static void orderAsResult(TileAccess &access) {
  auto rest = access.dims.begin();
  if (rest != access.dims.end() && rest->stride == 1)
    ++rest;
  if (llvm::all_of(access.dims, [](const TileDim &d) { return bool(d.of); }))
    std::sort(rest, access.dims.end(),
              [](const TileDim &a, const TileDim &b) { return *a.of > *b.of; });
}

static bool reducesSeveralShapes(mlir::Operation *fusion) {
  stablehlo::ReduceOp first;
  return fusion
      ->walk([&](stablehlo::ReduceOp reduce) {
        if (!first)
          first = reduce;
        bool isSame =
            first.getDimensions() == reduce.getDimensions() &&
            llvm::cast<mlir::ShapedType>(first.getInputs()[0].getType())
                    .getShape() ==
                llvm::cast<mlir::ShapedType>(reduce.getInputs()[0].getType())
                    .getShape();
        return isSame ? mlir::WalkResult::advance()
                      : mlir::WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// The only reduction of a fusion of one element a block, if warps share its row: each
/// leaves its part in shared memory, and all read all parts. Null for any other fusion:
/// Triton chooses where tiles change their layouts, and does so there.
static stablehlo::ReduceOp sharedReduction(mlir::Operation *fusion,
                                           llvm::ArrayRef<int64_t> tile,
                                           const std::vector<TileAccess> &all,
                                           int64_t threads) {
  bool isOne = llvm::all_of(tile, [](int64_t size) { return size == 1; });
  bool isFull = llvm::all_of(all, [&](const TileAccess &access) {
    return !access.value ||
           (access.dims.size() == 1 && access.dims[0].padded() >= threads);
  });
  stablehlo::ReduceOp found;
  bool isPlain = true;
  fusion->walk([&](mlir::Operation *op) {
    if (auto reduce = llvm::dyn_cast<stablehlo::ReduceOp>(op)) {
      isPlain &= !found;
      found = reduce;
    }
    isPlain &= !llvm::isa<stablehlo::BroadcastInDimOp>(op);
  });
  return isOne && isFull && isPlain && threads > 32 ? found
                                                    : stablehlo::ReduceOp();
}

/// Whether the copy engine takes it: rows of 16 bytes, boxes of at most 256.
static bool fitsCopyEngine(const TileAccess &access) {
  int64_t bytes = std::max<int64_t>(1, access.layout.bits / 8);
  if (access.dims.empty() || access.dims[0].stride != 1 ||
      access.dims.size() > 5)
    return false;
  for (const TileDim &dim : access.dims)
    if (dim.padded() > 256 || (dim.stride != 1 && dim.stride * bytes % 16 != 0))
      return false;
  return access.dims[0].padded() * bytes >= 16;
}

Kernel kernels::tritonKernel(const Fused &fused, Arena &arena,
                             const Device & /*device*/) {
  stablehlo::DotGeneralOp dot;
  int64_t contracted = 0, contractedTile = 0;
  fused.op->walk([&](stablehlo::DotGeneralOp op) { dot = op; });
  Kernel kernel{.emitter = dot ? Emitter::TritonProduct : Emitter::TritonBlock};
  kernel.sharedUnknown =
      dot ? "Triton chooses how the tiles of a product lie in shared memory"
          : "Triton chooses where a tile changes its layout";
  if (dot) {
    std::optional<Layout> lhs = Layout::of(dot.getLhs().getType());
    contracted = 1;
    for (int64_t dim :
         dot.getDotDimensionNumbers().getLhsContractingDimensions())
      contracted *= lhs->shape[dim];
    if (auto text = dot->getAttrOfType<mlir::StringAttr>("mhlo.backend_config"))
      if (llvm::SmallVector<int64_t, 2> given = parseSizes(text.getValue());
          given.size() == 1)
        contractedTile = given[0];
  }
  if (contracted > 0)
    kernel.rounds =
        ceilOf(contracted, contractedTile > 0 ? contractedTile : contracted);
  const Config &config = fused.config;
  if (config.tiles.size() < fused.roots.size() || config.warps == 0) {
    kernel.unknown = "the backend_config has no tile for each result";
    return kernel;
  }
  kernel.block = config.warps * 32;
  kernel.grid = 1;
  llvm::ArrayRef<int64_t> sizes = fused.layouts[0].shape,
                          tile = config.tiles[0];
  if (tile.size() != sizes.size()) {
    kernel.unknown = "the tile has another rank than the result";
    return kernel;
  }
  std::string text;
  for (auto [size, t] : llvm::zip(sizes, tile)) {
    kernel.grid *= ceilOf(size, t);
    text += (text.empty() ? "" : "x") + std::to_string(t);
  }
  kernel.choice = "tiles of " + (text.empty() ? "1" : text);
  mlir::Block *body = &fused.op->getRegion(0).front();
  std::vector<TileAccess> accesses;
  FusionMaps maps(arena);
  for (auto [i, root] : llvm::enumerate(fused.roots)) {
    if (fused.layouts[i].shape.size() != sizes.size() && i > 0)
      continue; // a result with tiles of its own
    if (llvm::isa<mlir::BlockArgument>(root))
      continue;
    for (const Reached &reached : maps.toArguments({root, 0}))
      for (const OperandMap &m : reached.maps) {
        std::optional<Layout> layout =
            Layout::of(body->getArgument(reached.number).getType());
        if (!layout || m.map.isKnownEmpty())
          continue;
        TileAccess access{.value = body->getArgument(reached.number),
                          .map = m.map,
                          .layout = *layout};
        accesses.push_back(std::move(access));
      }
    accesses.push_back({.value = {},
                        .result = unsigned(i),
                        .map = Map::identity(arena, fused.layouts[i].shape),
                        .layout = fused.layouts[i]});
  }
  for (TileAccess &access : accesses)
    if (!findDims(arena, access, sizes, tile, bool(dot), contracted,
                  contractedTile)) {
      kernel.uncounted = "an operand's tile is no box";
      return kernel;
    }
  bool isRowMajor =
      llvm::is_sorted(fused.layouts[0].minorToMajor, std::greater<int64_t>());
  for (TileAccess &access : accesses)
    if (isRowMajor && access.value)
      orderAsResult(access);
  auto shapeOf = [](const TileAccess &access) {
    llvm::SmallVector<int64_t, 4> shape;
    for (const TileDim &dim : access.dims)
      shape.push_back(dim.padded());
    return shape;
  };
  if (!dot && reducesSeveralShapes(fused.op)) {
    kernel.uncounted =
        "between reductions of several shapes a tile changes its "
        "layout, and may be loaded again";
    return kernel;
  }
  if (stablehlo::ReduceOp reduce =
          dot ? stablehlo::ReduceOp()
              : sharedReduction(fused.op, tile, accesses, kernel.block)) {
    TilePlaces parts{.sizes = {config.warps}};
    parts.writes = parts.reads = Grid(arena, kernel.grid, kernel.block, 1).map;
    parts.writes.results = {arena.dim(2)};
    parts.writes.domain.addConstraint(arena.dim(0), {0, 0});
    parts.reads.results = {arena.mod(arena.dim(0), config.warps)};
    kernel.sharedUnknown.clear();
    for (mlir::Value input : reduce.getInputs())
      addTile(kernel, parts, input.getType());
  }
  // What a product reads in a loop has layouts of its own.
  auto isInLoop = [&](const TileAccess &access) {
    return kernel.rounds > 1 &&
           llvm::any_of(access.dims,
                        [](const TileDim &dim) { return !dim.of.has_value(); });
  };
  for (const TileAccess &access : accesses) {
    // Accesses of one shape share the widest layout.
    int64_t perThread = access.wanted, elements = 1;
    for (const TileAccess &other : accesses)
      if (shapeOf(other) == shapeOf(access) &&
          isInLoop(other) == isInLoop(access))
        perThread = std::max(perThread, other.wanted);
    for (int64_t size : shapeOf(access))
      elements *= size;
    perThread =
        std::min(perThread, std::max<int64_t>(1, elements / kernel.block));
    if (!access.value)
      perThread = std::min(perThread, access.wanted);
    Step step = stepOf(arena, access, perThread, config.warps, sizes, tile,
                       kernel.grid);
    step.byEngine = config.copyEngine && fitsCopyEngine(access);
    kernel.steps.push_back(std::move(step));
  }
  return kernel;
}
