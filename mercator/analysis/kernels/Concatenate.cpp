// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The concatenate emitter: a thread for each element of the largest part. It copies
/// the element of that index of each part that has one.
///
/// XLA: xla/backends/gpu/codegen/emitters/concatenate.cc.

#include "mercator/analysis/kernels/Fused.h"

using namespace mercator;
using namespace mercator::kernels;
using namespace mercator::indexing;

Kernel kernels::concatenateKernel(const Fused &fused, Arena &arena,
                                  mlir::Operation *hero) {
  Kernel kernel{.emitter = Emitter::Concatenate, .block = 128};
  auto concatenate = llvm::cast<stablehlo::ConcatenateOp>(hero);
  int64_t dim = concatenate.getDimension();
  std::optional<Layout> largest;
  for (mlir::Value part : concatenate.getInputs())
    if (std::optional<Layout> layout = Layout::of(part.getType());
        layout && (!largest || layout->elements() > largest->elements()))
      largest = layout;
  int64_t elements = largest->elements();
  kernel.block = std::min<int64_t>(128, elements);
  kernel.choice = "a thread for each element of the largest part";
  auto [grid, number] = ThreadForEach(arena, kernel, elements);
  int64_t before = 0;
  for (mlir::Value part : concatenate.getInputs()) {
    std::optional<Layout> layout = Layout::of(part.getType());
    Map map = grid.map;
    map.results = indexOf(arena, number, *largest);
    if (layout->shape[dim] < largest->shape[dim])
      map.domain.addConstraint(map.results[dim], {0, layout->shape[dim] - 1});
    kernel.steps.push_back({.value = part,
                            .map = map,
                            .isApart = !map.domain.constraints.empty()});
    map.results[dim] = arena.add(map.results[dim], before);
    before += layout->shape[dim];
    for (EpilogueRead &read : epilogueReads(arena, fused.roots[0], hero))
      kernel.steps.push_back(
          {.value = read.value, .map = compose(map, read.map)});
    kernel.steps.push_back({.kind = Step::Kind::Writes, .map = map});
  }
  return kernel;
}
