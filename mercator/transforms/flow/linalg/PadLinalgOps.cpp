// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The padding is zero. These operations multiply, so zeros add nothing. For
// other operations on tiles this is unknown, so the supported ones are listed
// here.

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/linalg/LinalgBuilders.h"

#include "llvm/Support/CheckedArithmetic.h"

namespace mercator::flow {
#define GEN_PASS_DEF_PADLINALGOPS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

/// The distance of each loop's extent to the next multiple; none for unknown
/// extents and for batch loops. Nothing if the result would not fit in int64_t.
static std::optional<SmallVector<int64_t>> growthOf(linalg::LinalgOp op,
                                                    int64_t multiple) {
  bool batched = isa<linalg::BatchMatmulOp>(*op);
  SmallVector<int64_t> growth(op.getNumLoops(), 0);
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [extent, axis] :
         llvm::zip_equal(op.getShape(&operand), map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(axis);
      if (!loop || ShapedType::isDynamic(extent) ||
          (batched && loop.getPosition() == 0))
        continue;
      int64_t rest = extent % multiple;
      if (rest && !llvm::checkedAdd(extent, multiple - rest))
        return std::nullopt;
      growth[loop.getPosition()] = rest ? multiple - rest : 0;
    }
  }
  return growth;
}

namespace {
struct PadMatmul : OpInterfaceRewritePattern<linalg::LinalgOp> {
  PadMatmul(MLIRContext *context, int64_t multiple)
      : OpInterfaceRewritePattern(context), multiple(multiple) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<linalg::MatmulOp, linalg::BatchMatmulOp>(*op) ||
        !op.hasPureTensorSemantics())
      return failure();
    for (Type type : op->getOperandTypes())
      if (!flow::isNumber(getElementTypeOrSelf(type)))
        return rewriter.notifyMatchFailure(op, "no zero for its type");
    std::optional<SmallVector<int64_t>> growth = growthOf(op, multiple);
    if (!growth || llvm::all_of(*growth, [](int64_t x) { return x == 0; }))
      return rewriter.notifyMatchFailure(op, "nothing to pad");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> operands;
    for (OpOperand &operand : op->getOpOperands()) {
      SmallVector<OpFoldResult> high;
      for (AffineExpr axis : op.getMatchingIndexingMap(&operand).getResults()) {
        auto loop = dyn_cast<AffineDimExpr>(axis);
        high.push_back(
            b.getIndexAttr(loop ? (*growth)[loop.getPosition()] : 0));
      }
      operands.push_back(llvm::all_of(high, isZeroInteger)
                             ? operand.get()
                             : flow::padHigh(b, operand.get(), high));
    }
    Value init = op.getDpsInitOperand(0)->get();
    Value paddedInit = operands.back();
    Operation *padded = clone(rewriter, op, paddedInit.getType(), operands);
    Value result = padded->getResult(0);
    if (paddedInit != init)
      result = flow::sliceLike(b, result, init);
    rewriter.replaceOp(op, result);
    return success();
  }

  int64_t multiple;
};

struct PadLinalgOps : flow::impl::PadLinalgOpsBase<PadLinalgOps> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    if (paddingSize > 0)
      return success();
    return emitError(UnknownLoc::get(context))
           << "expected a positive padding-size, got "
           << paddingSize.getValue();
  }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<PadMatmul>(&getContext(), paddingSize);
    flow::rewriteEverywhere(getOperation(), std::move(patterns));
  }
};
} // namespace
