// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The scatter emitter: a thread for each element of the updates. It reads the index
/// of its update, and the element, and adds it to memory.
///
/// XLA: xla/backends/gpu/codegen/emitters/scatter.cc.

#include "mercator/analysis/kernels/Fused.h"
#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/indexing/decide/MapSet.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mercator;
using namespace mercator::kernels;
using namespace mercator::indexing;

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

Kernel kernels::scatterKernel(const Fused &fused, Arena &arena,
                              mlir::Operation *hero) {
  Kernel kernel{.emitter = Emitter::Scatter, .block = 128};
  auto scatter = llvm::cast<stablehlo::ScatterOp>(hero);
  mlir::Value updates = scatter.getUpdates()[0];
  std::optional<Layout> layout = Layout::of(updates.getType()),
                        indices =
                            Layout::of(scatter.getScatterIndices().getType());
  if (!layout || !indices || indices->shape.size() != 2) {
    kernel.unknown = "the indices are no matrix";
    return kernel;
  }
  int64_t elements = layout->elements();
  kernel.block = std::min<int64_t>(128, ceilOf(elements, 32) * 32);
  kernel.choice = "a thread for each element of the updates";
  auto [grid, number] = ThreadForEach(arena, kernel, elements);
  Map map = grid.map;
  map.results = indexOf(arena, number, *layout);
  for (mlir::Value update : scatter.getUpdates())
    kernel.steps.push_back({.value = update, .map = map});
  Map index = map;
  Expr component =
      index.domain.addRange(arena, Interval::ofSize(indices->shape[1]));
  index.results = {map.results[0], component};
  kernel.steps.push_back({.value = scatter.getScatterIndices(), .map = index});
  // Where they go is known when the program runs.
  bool isWrite = overwrites(scatter);
  if (!isWrite)
    kernel.steps.push_back(
        {.kind = Step::Kind::Adds, .value = updates, .map = map});
  mlir::Value table = scatter.getInputs()[0];
  bool isRead =
      !isWrite && !isAtomic(scatter) && llvm::isa<mlir::BlockArgument>(table);
  unsigned operand = scatter.getInputs().size() + 1;
  if (isWrite || isRead)
    for (const OperandMap &m :
         mapsOf(hero, arena, Direction::InToOut, operand, 0))
      kernel.steps.push_back(
          {.kind = isWrite ? Step::Kind::Writes : Step::Kind::Reads,
           .value = isRead ? table : mlir::Value(),
           .map = compose(map, m.map)});
  return kernel;
}
