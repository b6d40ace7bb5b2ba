// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The loop emitter: consecutive threads take consecutive elements of the result.
///
/// XLA: xla/backends/gpu/codegen/emitters/loop.cc; the elements of a thread are those
/// of ComputeLoopFusionConfig, and the threads of a block those of
/// CalculateLaunchDimensions (xla/service/gpu/launch_dimensions.cc).

#include "mercator/analysis/kernels/Fused.h"

using namespace mercator;
using namespace mercator::kernels;
using namespace mercator::indexing;

int64_t kernels::elementsOfThread(const Fused &fused, int64_t elements) {
  constexpr int64_t kThreadsOfCore = 2048, kCores = 132;
  int64_t bits = fused.layouts.front().bits;
  int64_t unroll = 1;
  if (elements >= kThreadsOfCore * kCores && !preventsUnrolling(fused.op))
    unroll = elements % 4 == 0 ? 4 : elements % 2 == 0 ? 2 : 1;
  // Two threads never write one byte.
  return bits < 8 ? std::max<int64_t>(unroll, 8 / bits) : unroll;
}

Kernel kernels::loopKernel(const Fused &fused, Arena &arena,
                           const Device & /*device*/, const ByHand &byHand) {
  Kernel kernel{.emitter = Emitter::Loop};
  int64_t elements = fused.layouts.front().elements();
  int64_t unroll = fused.config.unroll > 0 ? fused.config.unroll
                                           : elementsOfThread(fused, elements);
  unroll = byHand.unroll.value_or(unroll);
  int64_t threads = ceilOf(elements, unroll);
  kernel.block = byHand.block.value_or(std::min<int64_t>(128, threads));
  kernel.grid = ceilOf(threads, kernel.block);
  kernel.choice = std::to_string(unroll) +
                  (unroll == 1 ? " element a thread" : " elements a thread");
  Grid grid(arena, kernel.grid, kernel.block, unroll);
  Expr number = arena.add(
      arena.scale(arena.add(arena.scale(grid.block, kernel.block), grid.thread),
                  unroll),
      grid.element);
  if (kernel.grid * kernel.block * unroll > elements)
    grid.map.domain.addConstraint(number, {0, elements - 1});
  for (auto [i, root] : llvm::enumerate(fused.roots)) {
    Step step{.value = root, .result = unsigned(i), .map = grid.map};
    step.map.results = indexOf(arena, number, fused.layouts[i]);
    kernel.steps.push_back(step);
    step.kind = Step::Kind::Writes;
    kernel.steps.push_back(step);
  }
  return kernel;
}
