// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/extents/Extents.h"
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

namespace {
/// Where a loop of extent 1 was collapsed, i mod n is left of an index i below n.
struct FoldIndexBelow : OpRewritePattern<arith::RemSIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::RemSIOp op,
                                PatternRewriter &rewriter) const override {
    auto index = op.getLhs().getDefiningOp<linalg::IndexOp>();
    auto loops =
        index ? index->getParentOfType<linalg::LinalgOp>() : linalg::LinalgOp();
    std::optional<int64_t> divisor = getConstantIntValue(op.getRhs());
    if (!loops || !divisor)
      return failure();
    int64_t extent = loops.getStaticLoopRanges()[index.getDim()];
    if (ShapedType::isDynamic(extent) || extent > *divisor)
      return failure();
    rewriter.replaceOp(op, index.getResult());
    return success();
  }
};
} // namespace

static FrozenRewritePatternSet collapsing(MLIRContext *context) {
  RewritePatternSet patterns(context);
  patterns.add<FoldIndexBelow>(context);
  linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns, collapses);
  addReshapes(patterns);
  return std::move(patterns);
}

static FrozenRewritePatternSet cleanUp(MLIRContext *context) {
  RewritePatternSet patterns(context);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  return std::move(patterns);
}

/// A reduction over no elements returns its init, whether its body reads it or
/// not.
static bool mayReduceNothing(linalg::GenericOp op) {
  return llvm::any_of(
      llvm::zip(op.getIteratorTypesArray(), op.getStaticLoopRanges()),
      [](auto loop) {
        auto [iterator, extent] = loop;
        return iterator == utils::IteratorType::reduction &&
               (ShapedType::isDynamic(extent) || extent == 0);
      });
}

static bool hasUnreadInit(linalg::GenericOp op, OpOperand &init) {
  auto type = dyn_cast<RankedTensorType>(init.get().getType());
  return type && !type.getEncoding() &&
         !op.payloadUsesValueFromOperand(&init) && !mayReduceNothing(op);
}

/// Has each tensor.dim ask the origin of its operand, and gives each
/// linalg.generic a tensor.empty for an init that it does not read: upstream's
/// conversion of elementwise operations passes the first input, which looks
/// like a read.
static void detachUnreadInits(Operation *root) {
  flow::ExtentResolver extents(root->getContext());
  SmallVector<std::pair<OpOperand *, Value>> detached;
  OpBuilder builder(root->getContext());
  root->walk([&](Operation *op) {
    builder.setInsertionPoint(op);
    if (auto dim = dyn_cast<tensor::DimOp>(op))
      return extents.askOrigin(dim);
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic)
      return;
    for (OpOperand &init : generic.getDpsInitsMutable()) {
      if (!hasUnreadInit(generic, init) ||
          init.get().getDefiningOp<tensor::EmptyOp>())
        continue;
      auto type = cast<RankedTensorType>(init.get().getType());
      SmallVector<OpFoldResult> sizes;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        sizes.push_back(
            extents.getFromOrigin(builder, op->getLoc(), init.get(), dim));
      detached.emplace_back(
          &init, tensor::EmptyOp::create(builder, op->getLoc(), sizes,
                                         type.getElementType()));
    }
  });
  // Last, so that what was found of extents stays so.
  for (auto [init, empty] : detached)
    init->set(empty);
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
    detachUnreadInits(function);
    for (unsigned round = 0; round < kMaxRounds; ++round) {
      apply(prepare);
      if (flow::fuseElementwise(function, /*mayClone=*/round == 0, recompute) ==
          0)
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
