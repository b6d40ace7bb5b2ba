// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/linalg/Interchange.h"

namespace mercator::flow {
#define GEN_PASS_DEF_INTERCHANGETRANSPOSEGENERICOPS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

/// The map of the first input that is a result of a linalg operation and that
/// `op` reads through a permutation. Null if there is none, or if such an input
/// is already read in order.
static AffineMap transposedInput(linalg::GenericOp op) {
  AffineMap transposed;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!input->get().getDefiningOp<linalg::LinalgOp>())
      continue;
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map.isIdentity())
      return {};
    if (!transposed && map.isPermutation())
      transposed = map;
  }
  return transposed;
}

namespace {
struct InterchangeTransposeGenericOps
    : flow::impl::InterchangeTransposeGenericOpsBase<
          InterchangeTransposeGenericOps> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([&](linalg::GenericOp op) {
      if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops())
        return;
      AffineMap map = transposedInput(op);
      if (!map)
        return;
      SmallVector<unsigned> order;
      for (AffineExpr expr : map.getResults())
        order.push_back(cast<AffineDimExpr>(expr).getPosition());
      flow::interchange(op, order);
    });
  }
};
} // namespace
