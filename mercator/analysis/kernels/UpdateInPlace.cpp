// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// An update in place: a thread for each element of the update. The rest of the
/// operand stays where it is.
///
/// XLA: xla/backends/gpu/codegen/emitters/in_place_dynamic_update_slice.cc.

#include "mercator/analysis/kernels/Fused.h"
#include "mercator/analysis/maps/MapInterface.h"

using namespace mercator;
using namespace mercator::kernels;
using namespace mercator::indexing;

Kernel kernels::updateKernel(const Fused & /*fused*/, Arena &arena,
                             mlir::Operation *hero) {
  Kernel kernel{.emitter = Emitter::UpdateInPlace};
  auto update = llvm::cast<stablehlo::DynamicUpdateSliceOp>(hero);
  std::optional<Layout> layout = Layout::of(update.getUpdate().getType());
  int64_t elements = layout->elements();
  kernel.block = std::min<int64_t>(128, elements);
  kernel.choice = "a thread for each element of the update";
  auto [grid, number] = ThreadForEach(arena, kernel, elements);
  Map map = grid.map;
  map.results = indexOf(arena, number, *layout);
  kernel.steps.push_back({.value = update.getUpdate(), .map = map});
  for (mlir::Value start : update.getStartIndices()) {
    Map scalar = grid.map;
    kernel.steps.push_back({.value = start, .map = scalar});
  }
  // Where it goes is known when the program runs.
  std::optional<Layout> whole = Layout::of(update.getType());
  for (size_t i = 0; i < map.results.size(); ++i) {
    Expr start = map.domain.addRuntime(
        arena, {.bounds = {0, whole->shape[i] - layout->shape[i]},
                .source = arena.intern("start" + std::to_string(i))});
    map.results[i] = arena.add(map.results[i], start);
  }
  kernel.steps.push_back({.kind = Step::Kind::Writes, .map = std::move(map)});
  return kernel;
}
