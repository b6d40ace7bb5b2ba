// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reduce_window.

#include "mercator/analysis/maps/models/Window.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;

//===--- Windows ----------------------------------------------------------===//

SmallVector<WindowDim> maps::windowsOf(const WindowLists &lists) {
  SmallVector<WindowDim> windows(lists.sizes.size());
  for (auto [i, w] : llvm::enumerate(windows)) {
    w.size = lists.sizes[i];
    if (lists.strides)
      w.stride = (*lists.strides)[i];
    if (lists.baseDilations)
      w.baseDilation = (*lists.baseDilations)[i];
    if (lists.windowDilations)
      w.windowDilation = (*lists.windowDilations)[i];
    if (!lists.padding.empty()) {
      w.low = lists.padding[2 * i];
      w.high = lists.padding[2 * i + 1];
    }
  }
  return windows;
}

SmallVector<int64_t> maps::integersOf(mlir::DenseIntElementsAttr elements) {
  return elements ? llvm::to_vector(elements.getValues<int64_t>())
                  : SmallVector<int64_t>();
}

bool maps::windowFits(const WindowDim &w, int64_t in, int64_t out) {
  return w.size >= 1 && w.stride >= 1 && w.baseDilation >= 1 &&
         w.windowDilation >= 1 && fits(w.low) && fits(w.high) &&
         productFits({in, w.baseDilation}) && productFits({out, w.stride}) &&
         productFits({w.size, w.windowDilation});
}

int64_t maps::placesOf(const WindowDim &w, int64_t size) {
  int64_t base = size == 0 ? 0 : (size - 1) * w.baseDilation + 1;
  int64_t padded = base + w.low + w.high;
  int64_t dilated = (w.size - 1) * w.windowDilation + 1;
  return padded <= 0 || padded < dilated ? 0
                                         : (padded - dilated) / w.stride + 1;
}

/// True if element d is under window d, and nothing else.
static bool isTrivial(const WindowDim &w) {
  return w.size == 1 && w.stride == 1 && w.low == 0 && w.high == 0 &&
         w.baseDilation == 1;
}

//===--- Reductions -------------------------------------------------------===//

MapSet maps::windowReductionMaps(const Query &q, unsigned inputs,
                                 const FoldReads &reads,
                                 const WindowLists &lists) {
  constexpr llvm::StringLiteral kName = "reduce_window";
  if (q.operand >= inputs)
    return foldedMaps(reads.initial[q.operand - inputs], q.everything(), q,
                      kName);
  if (reads.values[q.operand] == FoldReads::Of::None)
    return q.nothing();
  SmallVector<WindowDim> windows = windowsOf(lists);
  for (auto [dim, w] : llvm::enumerate(windows)) {
    // A dimension along which nothing slides need not be known.
    if (isTrivial(w) && q.in[dim] == q.out[dim])
      continue;
    if (!q.isStaticDim(dim))
      return q.dynamic();
    if (!windowFits(w, q.in[dim], q.out[dim]))
      return q.tooLarge();
  }
  return foldedMaps(reads.values[q.operand],
                    reduceWindow(q.arena, q.direction, q.in, q.out, windows), q,
                    kName);
}

static MapSet reduceWindowMaps(stablehlo::ReduceWindowOp op, const Query &q) {
  SmallVector<int64_t> padding = integersOf(op.getPaddingAttr());
  return windowReductionMaps(q, op.getInputs().size(),
                             reductionReads(op, q.result),
                             {.sizes = op.getWindowDimensions(),
                              .strides = op.getWindowStrides(),
                              .baseDilations = op.getBaseDilations(),
                              .windowDilations = op.getWindowDilations(),
                              .padding = padding});
}

void maps::attachWindowMaps(mlir::MLIRContext *context) {
  attach<stablehlo::ReduceWindowOp, reduceWindowMaps>(context);
}
