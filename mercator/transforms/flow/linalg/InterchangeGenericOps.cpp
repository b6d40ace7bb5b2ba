// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/linalg/Interchange.h"

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
    getOperation()->walk([&](linalg::GenericOp op) {
      // Both kinds of loops keep their relative order.
      SmallVector<unsigned> order, reductions;
      op.getParallelDims(order);
      op.getReductionDims(reductions);
      order.append(reductions);
      if (llvm::is_sorted(order))
        return;
      flow::interchange(op, order);
    });
  }
};
} // namespace
