// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/extents/LinalgExtents.h"
#include "mercator/transforms/flow/fusion/FusionGroups.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mercator::flow {
#define GEN_PASS_DEF_FUSIONOFTENSOROPS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

/// Fusion exposes reshapes, which are moved out of the way, and more fusion may
/// become possible; in practice the second round finds nothing. The limit stops
/// programs in which moving and fusing alternate forever. Only the first round
/// clones: clones of clones would multiply.
static constexpr unsigned kMaxRounds = 8;

/// Moves reshapes into linalg.generic by adding loops.
static bool expands(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  if (isa<linalg::GenericOp>(operand->getOwner()))
    return isa_and_nonnull<tensor::CollapseShapeOp>(producer);
  auto generic = dyn_cast_or_null<linalg::GenericOp>(producer);
  return isa<tensor::ExpandShapeOp>(operand->getOwner()) && generic &&
         generic->hasOneUse();
}

/// Moves reshapes by merging loops, if a linalg operation is on the other side.
static bool collapses(OpOperand *operand) {
  auto reshape = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
  return isa<linalg::GenericOp>(operand->getOwner()) && reshape &&
         reshape.getSrc().getDefiningOp<linalg::LinalgOp>();
}

static bool hasOneUse(OpOperand *operand) {
  Operation *producer = operand->get().getDefiningOp();
  return producer && producer->hasOneUse();
}

static void addReshapes(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
}

/// The patterns that prepare fusion and clean up after it.
static FrozenRewritePatternSet preparation(MLIRContext *context) {
  RewritePatternSet patterns(context);
  // Moves fills and constants into bodies and removes unread and repeated
  // operands. The fusion of these patterns is disabled.
  linalg::populateElementwiseOpsFusionPatterns(
      patterns, [](OpOperand *) { return false; });
  linalg::populateFoldReshapeOpsByExpansionPatterns(patterns, expands);
  linalg::populateConstantFoldLinalgOperations(patterns, hasOneUse);
  affine::AffineApplyOp::getCanonicalizationPatterns(patterns, context);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  context->getLoadedDialect<linalg::LinalgDialect>()
      ->getCanonicalizationPatterns(patterns);
  addReshapes(patterns);
  return std::move(patterns);
}

static FrozenRewritePatternSet collapsing(MLIRContext *context) {
  RewritePatternSet patterns(context);
  linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns, collapses);
  addReshapes(patterns);
  return std::move(patterns);
}

static FrozenRewritePatternSet cleanUp(MLIRContext *context) {
  RewritePatternSet patterns(context);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  return std::move(patterns);
}

namespace {
struct FusionOfTensorOps
    : flow::impl::FusionOfTensorOpsBase<FusionOfTensorOps> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    prepare = preparation(context);
    collapse = collapsing(context);
    clean = cleanUp(context);
    return success();
  }

  void runOnOperation() override {
    Operation *function = getOperation();
    flow::detachUnreadInits(function);
    for (unsigned round = 0; round < kMaxRounds; ++round) {
      apply(prepare);
      if (flow::fuseElementwise(function, /*mayClone=*/round == 0) == 0)
        break;
    }
    apply(collapse);
    if (!fuseMultiUse)
      return;
    for (unsigned round = 0; round < multiUseFusionIteration; ++round) {
      if (flow::fuseWithFirstUser(function) == 0)
        break;
      apply(clean);
    }
  }

private:
  /// Work beyond the driver's limit is skipped.
  void apply(const FrozenRewritePatternSet &patterns) {
    (void)applyPatternsGreedily(
        getOperation(), patterns,
        GreedyRewriteConfig().setRegionSimplificationLevel(
            GreedySimplifyRegionLevel::Disabled));
  }

  FrozenRewritePatternSet prepare, collapse, clean;
};
} // namespace
