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
  llvm::SmallVector<Layout> parts;
  size_t largest = 0;
  for (mlir::Value part : concatenate.getInputs()) {
    parts.push_back(*Layout::of(part.getType()));
    if (parts.back().elements() > parts[largest].elements())
      largest = parts.size() - 1;
  }
  int64_t elements = parts[largest].elements(),
          most = parts[largest].shape[dim];
  kernel.block = std::min<int64_t>(128, elements);
  kernel.choice = "a thread for each element of the largest part";
  ThreadForEach threads(arena, kernel, elements);
  llvm::SmallVector<Expr, 4> index =
      indexOf(arena, threads.number, parts[largest]);
  bool isConditional = llvm::any_of(
      parts, [&](const Layout &part) { return part.shape[dim] < most; });
  auto addSteps = [&](mlir::Value part, Map map, int64_t before,
                      const std::string &atMost) {
    size_t own = threads.grid.map.domain.constraints.size();
    bool isApart = map.domain.constraints.size() > own ||
                   (kernel.threads() > elements && isConditional);
    kernel.steps.push_back(
        {.value = part, .map = map, .isApart = isApart, .atMost = atMost});
    map.results[dim] = arena.add(map.results[dim], before);
    for (EpilogueRead &read : epilogueReads(arena, fused.roots[0], hero))
      kernel.steps.push_back({.value = read.value,
                              .map = compose(map, read.map),
                              .atMost = atMost});
    kernel.steps.push_back(
        {.kind = Step::Kind::Writes, .map = map, .atMost = atMost});
  };
  // Between two parts that some threads skip, LLVM may write the code twice: for
  // threads that skip the first, and for the others.
  std::optional<size_t> first, last;
  for (size_t i = 0; i < parts.size(); ++i)
    if (parts[i].shape[dim] < most) {
      first = first.value_or(i);
      last = i;
    }
  bool isTwice = first && *last > *first + 1;
  int64_t before = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    mlir::Value part = concatenate.getInputs()[i];
    int64_t size = parts[i].shape[dim];
    Map map = threads.grid.map;
    map.results.assign(index.begin(), index.end());
    if (size < most)
      map.domain.addConstraint(index[dim], {0, size - 1});
    // The same part once more may be in a register.
    bool isAgain =
        isConditional && i > 0 && part == concatenate.getInputs()[i - 1];
    const char *atMost = isTwice   ? "branches of the parts may be joined"
                         : isAgain ? "a part that comes twice may be read once"
                                   : "";
    if (isTwice && i > *first && i < *last) {
      int64_t skipped = parts[*first].shape[dim];
      Map others = map;
      map.domain.addConstraint(index[dim], {0, skipped - 1});
      others.domain.addConstraint(index[dim], {skipped, most - 1});
      addSteps(part, others, before, atMost);
    }
    addSteps(part, map, before, atMost);
    before += size;
  }
  return kernel;
}
