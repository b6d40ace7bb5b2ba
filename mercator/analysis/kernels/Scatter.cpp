// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The scatter emitter: a thread for each element of the updates, or for some neighbors.
/// It reads the index of its update, and the element, and adds it to memory. Many
/// updates with sorted indices are added up by warps first.
///
/// XLA: xla/backends/gpu/codegen/emitters/scatter.cc.

#include "mercator/analysis/kernels/Fused.h"
#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/indexing/decide/MapSet.h"
#include "mercator/support/Saturating.h"

#include "mlir/IR/TypeUtilities.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mercator;
using namespace mercator::kernels;
using namespace mercator::indexing;

static constexpr int64_t kScatterWarps = 4;

/// Whether the update takes the place of what is there: no addition.
static bool overwrites(stablehlo::ScatterOp scatter) {
  mlir::Block &body = scatter->getRegion(0).front();
  size_t count = scatter.getInputs().size();
  mlir::Operation *end = body.getTerminator();
  for (auto [i, value] : llvm::enumerate(end->getOperands()))
    if (value != body.getArgument(count + i))
      return false;
  return true;
}

/// Whether the device adds to memory in one instruction. Otherwise a thread reads what
/// is there, and tries until nobody has changed it.
static bool isAtomic(stablehlo::ScatterOp scatter) {
  mlir::Block &body = scatter->getRegion(0).front();
  mlir::Operation *end = body.getTerminator();
  mlir::Operation *op =
      end->getNumOperands() == 1 ? end->getOperand(0).getDefiningOp() : nullptr;
  if (!op)
    return false;
  mlir::Type type = mlir::getElementTypeOrSelf(op->getResult(0).getType());
  bool isInteger = type.isIntOrIndex();
  bool isWide = !isInteger || type.getIntOrFloatBitWidth() >= 32;
  return isWide &&
         (llvm::isa<stablehlo::AddOp>(op) ||
          (isInteger && llvm::isa<stablehlo::MaxOp, stablehlo::MinOp>(op)));
}

/// Rows of updates with sorted indices that a warp adds up before it writes them; 0: a
/// thread for each element.
static int64_t rowsOfWarp(stablehlo::ScatterOp scatter, const Layout &updates,
                          const Layout &indices, const Layout &table,
                          const Device &device) {
  int64_t rows = updates.shape[0], warps = kScatterWarps * device.cores;
  if (!scatter.getIndicesAreSorted() || scatter.getUniqueIndices() ||
      rows <= warps)
    return 0;
  int64_t places = 1; // where an update fits
  for (int64_t i = 0; i < indices.shape[1]; ++i)
    places = saturatingMul(
        places,
        std::max<int64_t>(1, table.shape[i] - updates.shape[i + 1] + 1));
  int64_t each = ceilOf(rows, std::max(warps, places));
  int64_t vector = std::max<int64_t>(1, 128 / indices.bits);
  return indices.shape[1] == 1 && each > vector ? ceilOf(each, vector) * vector
                                                : each;
}

Kernel kernels::scatterKernel(const Fused &fused, Arena &arena,
                              const Device &device, mlir::Operation *hero) {
  Kernel kernel{.emitter = Emitter::Scatter, .block = kScatterWarps * 32};
  auto scatter = llvm::cast<stablehlo::ScatterOp>(hero);
  mlir::Value updates = scatter.getUpdates()[0];
  const Layout &whole = fused.layouts[0];
  std::optional<Layout> layout = Layout::of(updates.getType()),
                        indices =
                            Layout::of(scatter.getScatterIndices().getType());
  if (!layout || !indices || indices->shape.size() != 2 ||
      layout->shape.size() != whole.shape.size() + 1 ||
      indices->shape[1] > int64_t(whole.shape.size()) ||
      layout->elements() == 0) {
    kernel.unknown = "the indices are no matrix";
    return kernel;
  }
  if (int64_t rows = rowsOfWarp(scatter, *layout, *indices, whole, device)) {
    kernel.grid = ceilOf(layout->shape[0], rows * kScatterWarps);
    kernel.choice = "a warp for " + std::to_string(rows) + " sorted updates";
    kernel.uncounted = "updates with one index are added up first";
    return kernel;
  }
  int64_t elements = layout->elements(), row = elements / layout->shape[0];
  int64_t vector = std::gcd(row, elementsOfThread(fused, elements));
  int64_t threads = elements / vector;
  kernel.block =
      std::min<int64_t>(kScatterWarps * 32, ceilOf(threads, 32) * 32);
  kernel.grid = ceilOf(threads, kernel.block);
  kernel.choice = vector == 1 ? "a thread for each element of the updates"
                              : "a thread for " + std::to_string(vector) +
                                    " elements of the updates";
  Grid grid(arena, kernel.grid, kernel.block, vector);
  Expr number = arena.add(
      arena.scale(arena.add(arena.scale(grid.block, kernel.block), grid.thread),
                  vector),
      grid.element);
  if (kernel.threads() > threads)
    grid.map.domain.addConstraint(number, {0, elements - 1});
  Map map = grid.map;
  map.results = indexOf(arena, number, *layout);
  const char *atMost = "updates outside of the table are left out";
  for (mlir::Value update : scatter.getUpdates())
    kernel.steps.push_back({.value = update, .map = map, .atMost = atMost});
  Map index = map;
  Expr component =
      index.domain.addRange(arena, Interval::ofSize(indices->shape[1]));
  // Threads beyond the last update read an index as well where that is cheap to find:
  // the first ones once more.
  bool isUnguarded = kernel.grid == 1 || llvm::isPowerOf2_64(uint64_t(row));
  Expr update = map.results[0];
  if (isUnguarded && kernel.grid > 1)
    update = arena.mod(update, layout->shape[0]);
  index.results = {update, component};
  kernel.steps.push_back({.value = scatter.getScatterIndices(),
                          .map = std::move(index),
                          .isUnguarded = isUnguarded});
  // Where they go is known when the program runs.
  bool isSet = overwrites(scatter), isUnique = scatter.getUniqueIndices();
  bool isAdded = !isSet && !isUnique;
  bool isRead = !isSet && (isUnique || !isAtomic(scatter));
  mlir::Value table = scatter.getInputs()[0];
  if (isRead && !llvm::isa<mlir::BlockArgument>(table)) {
    kernel.uncounted = "the table is computed in the kernel";
    return kernel;
  }
  unsigned operand = scatter.getInputs().size() + 1;
  for (const OperandMap &m :
       mapsOf(hero, arena, Direction::InToOut, operand, 0)) {
    Map target = compose(map, m.map);
    if (isRead)
      kernel.steps.push_back({.value = table, .map = target, .atMost = atMost});
    kernel.steps.push_back(
        {.kind = isAdded ? Step::Kind::Adds : Step::Kind::Writes,
         .value = isAdded ? updates : mlir::Value(),
         .map = std::move(target),
         .atMost = atMost});
  }
  return kernel;
}
