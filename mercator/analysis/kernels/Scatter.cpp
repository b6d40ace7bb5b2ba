// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The scatter emitter: a thread for each element of the updates. It reads the index
/// of its update, and the element, and adds it to memory.
///
/// XLA: xla/backends/gpu/codegen/emitters/scatter.cc.

#include "mercator/analysis/kernels/Fused.h"

using namespace mercator;
using namespace mercator::kernels;
using namespace mercator::indexing;

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
  kernel.block = std::min<int64_t>(128, elements);
  kernel.grid = ceilOf(elements, kernel.block);
  kernel.choice = "a thread for each element of the updates";
  Grid grid(arena, kernel.grid, kernel.block, 1);
  Expr number = arena.add(arena.scale(grid.block, kernel.block), grid.thread);
  if (kernel.grid * kernel.block > elements)
    grid.map.domain.addConstraint(number, {0, elements - 1});
  Map map = grid.map;
  map.results = indexOf(arena, number, *layout);
  for (mlir::Value update : scatter.getUpdates())
    kernel.steps.push_back({.value = update, .map = map});
  Map index = map;
  Expr component =
      index.domain.addRange(arena, Interval::ofSize(indices->shape[1]));
  index.results = {map.results[0], component};
  kernel.steps.push_back({.value = scatter.getScatterIndices(), .map = index});
  kernel.steps.push_back(
      {.kind = Step::Kind::Adds, .value = updates, .map = map});
  return kernel;
}
