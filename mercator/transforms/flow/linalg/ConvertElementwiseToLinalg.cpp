// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Upstream's convert-elementwise-to-linalg, except the select between two
// tensors:
//
//   %0 = arith.select %c, %a, %b : i1, tensor<?x4xf32>
//
// is kept. The two tensors may have different extents, and a linalg.generic
// over both would read one of them out of bounds. The select is free, while a
// linalg.generic would read both and write a copy.

#include "mercator/transforms/flow/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mercator::flow {
#define GEN_PASS_DEF_CONVERTELEMENTWISETOLINALG
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

/// Whether the operation selects between two whole values.
static bool isChoice(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  return select && select.getCondition().getType().isInteger(1);
}

namespace {
struct ConvertElementwiseToLinalg
    : flow::impl::ConvertElementwiseToLinalgBase<ConvertElementwiseToLinalg> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    linalg::populateElementwiseToLinalgConversionPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (OpTrait::hasElementwiseMappableTraits(op) && !isChoice(op) &&
          llvm::any_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>))
        ops.push_back(op);
    });
    if (failed(applyOpPatternsGreedily(
            ops, patterns,
            GreedyRewriteConfig().enableFolding(false).setStrictness(
                GreedyRewriteStrictness::ExistingOps))))
      signalPassFailure();
  }

private:
  FrozenRewritePatternSet patterns;
};
} // namespace
