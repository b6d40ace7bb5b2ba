// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace mercator::flow {
#define GEN_PASS_DEF_INTERCHANGEGENERICOPS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

namespace {
struct InterchangeGenericOps
    : flow::impl::InterchangeGenericOpsBase<InterchangeGenericOps> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](linalg::GenericOp op) {
      // Both kinds keep their order among themselves.
      SmallVector<unsigned> order, reductions;
      op.getParallelDims(order);
      op.getReductionDims(reductions);
      order.append(reductions);
      if (llvm::is_sorted(order))
        return;
      rewriter.setInsertionPoint(op);
      (void)linalg::interchangeGenericOp(rewriter, op, order);
    });
  }
};
} // namespace
