// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/analysis/kernels/Fused.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/indexing/simplify/Simplify.h"

#include "mlir/IR/TypeUtilities.h"

#include "llvm/ADT/SetVector.h"

using namespace mercator;
using namespace mercator::kernels;
using namespace mercator::indexing;

void kernels::addTile(Kernel &kernel, const TilePlaces &places,
                      mlir::Type type) {
  std::optional<Layout> of = Layout::of(type);
  if (!of || of->bits < 8) {
    kernel.sharedUnknown = "elements smaller than a byte may be packed";
    return;
  }
  Layout tile{.shape = places.sizes, .minorToMajor = {}, .bits = of->bits};
  bool isComplex =
      llvm::isa<mlir::ComplexType>(mlir::getElementTypeOrSelf(type));
  if (isComplex) {
    tile.shape.push_back(2);
    tile.bits /= 2;
  }
  for (size_t i = tile.shape.size(); i-- > 0;)
    tile.minorToMajor.push_back(int64_t(i));
  auto add = [&](Step::Kind kind, Map map, const std::string &atMost) {
    if (isComplex)
      map.results.push_back(
          map.domain.addRange(*map.arena, Interval::ofSize(2)));
    kernel.shared.push_back(
        {.kind = kind, .map = std::move(map), .tile = tile, .atMost = atMost});
  };
  add(Step::Kind::Writes, places.writes, places.writesAtMost);
  add(Step::Kind::Reads, places.reads, "");
}

bool kernels::isElementwise(mlir::Operation *op) {
  return op->hasTrait<stablehlo::Elementwise>() ||
         llvm::isa<stablehlo::ConvertOp, hlo::BitcastOp, stablehlo::ReshapeOp,
                   stablehlo::SelectOp, stablehlo::ClampOp,
                   stablehlo::CompareOp>(op);
}

mlir::Operation *
kernels::heroOf(mlir::Value root,
                llvm::function_ref<bool(mlir::Operation *)> isHero) {
  mlir::Operation *found = nullptr;
  llvm::SetVector<mlir::Value> seen;
  seen.insert(root);
  for (size_t i = 0; i < seen.size(); ++i) {
    mlir::Operation *op = seen[i].getDefiningOp();
    if (!op)
      continue;
    if (isHero(op)) {
      if (found && found != op)
        return nullptr;
      found = op;
      continue;
    }
    if (isElementwise(op))
      for (mlir::Value operand : op->getOperands())
        seen.insert(operand);
  }
  return found;
}

std::vector<EpilogueRead> kernels::epilogueReads(Arena &arena, mlir::Value root,
                                                 mlir::Operation *hero) {
  std::vector<EpilogueRead> reads;
  mlir::Operation *last = root.getDefiningOp();
  if (!last || last == hero)
    return reads;
  // The operations between, which read the hero, in the order of the block.
  llvm::DenseMap<mlir::Operation *, bool> depends;
  depends[hero] = true;
  for (mlir::Operation *op = hero->getNextNode();
       op && op != last->getNextNode(); op = op->getNextNode())
    depends[op] = llvm::any_of(op->getOperands(), [&](mlir::Value v) {
      return v.getDefiningOp() && depends.lookup(v.getDefiningOp());
    });
  std::optional<Layout> layout = Layout::of(root.getType());
  if (!layout)
    return reads;
  llvm::DenseMap<mlir::Value, std::vector<Map>> known;
  known[root] = {Map::identity(arena, layout->shape)};
  for (mlir::Operation *op = last; op && op != hero; op = op->getPrevNode()) {
    if (!depends.lookup(op))
      continue;
    for (mlir::OpResult result : op->getResults()) {
      auto it = known.find(result);
      if (it == known.end())
        continue;
      std::vector<Map> here = it->second;
      for (auto [i, operand] : llvm::enumerate(op->getOperands()))
        for (const OperandMap &m :
             mapsOf(op, arena, Direction::OutToIn, i, result.getResultNumber()))
          for (const Map &map : here) {
            Map whole = simplify(compose(map, m.map));
            mlir::Operation *from = operand.getDefiningOp();
            bool isBetween = from && depends.lookup(from);
            if (!isBetween)
              reads.push_back({operand, whole});
            else if (std::vector<Map> &maps = known[operand];
                     maps.size() < 8 && !llvm::is_contained(maps, whole))
              maps.push_back(whole);
          }
    }
  }
  return reads;
}

Grid::Grid(Arena &arena, int64_t blocks, int64_t threads, int64_t elements)
    : map(arena) {
  int64_t warps = ceilOf(threads, 32);
  Expr lane = map.domain.addDim(
      arena, Interval::ofSize(std::min<int64_t>(threads, 32)));
  element = map.domain.addDim(arena, Interval::ofSize(elements));
  Expr warp = map.domain.addDim(arena, Interval::ofSize(warps));
  block = map.domain.addDim(arena, Interval::ofSize(blocks));
  thread = arena.add(arena.scale(warp, 32), lane);
  if (threads > 32 && threads % 32 != 0)
    map.domain.addConstraint(thread, {0, threads - 1});
}

ThreadForEach::ThreadForEach(Arena &arena, Kernel &kernel, int64_t elements)
    : grid(arena, kernel.grid = ceilOf(elements, kernel.block), kernel.block,
           1) {
  number = arena.add(arena.scale(grid.block, kernel.block), grid.thread);
  if (kernel.threads() > elements)
    grid.map.domain.addConstraint(number, {0, elements - 1});
}

llvm::SmallVector<Expr, 4> kernels::indexOf(Arena &arena, Expr number,
                                            const Layout &layout) {
  llvm::SmallVector<Expr, 4> index(layout.shape.size());
  for (auto [i, dim] : llvm::enumerate(layout.minorToMajor)) {
    int64_t size = layout.shape[dim];
    bool isLast = i + 1 == layout.minorToMajor.size();
    index[dim] = isLast ? number : arena.mod(number, size);
    number = arena.floorDiv(number, size);
  }
  return index;
}

llvm::SmallVector<Expr, 4> kernels::digitsOf(Arena &arena, Expr number,
                                             llvm::ArrayRef<int64_t> sizes) {
  llvm::SmallVector<Expr, 4> digits(sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    digits[i] = i == 0 ? number : arena.mod(number, sizes[i]);
    number = arena.floorDiv(number, sizes[i]);
  }
  return digits;
}

Expr kernels::numberOf(Arena &arena, llvm::ArrayRef<Expr> digits,
                       llvm::ArrayRef<int64_t> sizes) {
  Expr number = arena.constant(0);
  for (auto [digit, size] : llvm::zip(digits, sizes))
    number = arena.add(arena.scale(number, size), digit);
  return number;
}

bool kernels::preventsUnrolling(mlir::Operation *fusion) {
  constexpr unsigned kMostParts = 10;
  mlir::WalkResult result = fusion->walk([&](mlir::Operation *op) {
    bool prevents =
        llvm::isa<stablehlo::ReduceWindowOp, stablehlo::SortOp,
                  stablehlo::DotGeneralOp, stablehlo::SineOp,
                  stablehlo::CosineOp, stablehlo::TanOp, stablehlo::PowOp,
                  stablehlo::Atan2Op>(op) ||
        (llvm::isa<stablehlo::ConcatenateOp>(op) &&
         op->getNumOperands() > kMostParts) ||
        (llvm::isa<stablehlo::ReduceOp>(op) && op->getNumResults() > 1);
    return prevents ? mlir::WalkResult::interrupt()
                    : mlir::WalkResult::advance();
  });
  return result.wasInterrupted();
}

int64_t kernels::smallestInputBits(const Fused &fused) {
  int64_t bits = 0;
  for (mlir::Value operand : fused.op->getOperands())
    if (std::optional<Layout> layout = Layout::of(operand.getType()))
      bits = bits == 0 ? layout->bits : std::min(bits, layout->bits);
  return bits;
}
