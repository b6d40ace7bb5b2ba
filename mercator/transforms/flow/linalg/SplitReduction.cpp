// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits the sum over K: one matrix product for each part, as a
// linalg.batch_matmul whose batch loop runs over the parts, then the sum of the
// parts. The parts can run in parallel.

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/linalg/LinalgBuilders.h"

#include "mlir/IR/Remarks.h"

namespace mercator::flow {
#define GEN_PASS_DEF_SPLITREDUCTION
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

/// The extent of K, which only one of the operands may have as a static extent.
static int64_t extentOfK(linalg::MatmulOp op, unsigned k) {
  auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
  for (OpOperand *operand : linalgOp.getDpsInputOperands()) {
    AffineMap map = linalgOp.getMatchingIndexingMap(operand);
    for (auto [extent, axis] :
         llvm::zip_equal(linalgOp.getShape(operand), map.getResults()))
      if (axis.isFunctionOfDim(k) && !ShapedType::isDynamic(extent))
        return extent;
  }
  return ShapedType::kDynamic;
}

/// Why a product is not split; empty if it is.
static std::string refusal(linalg::MatmulOp op, int64_t parts) {
  for (Type type : op->getOperandTypes())
    if (!flow::isNumber(getElementTypeOrSelf(type)))
      return "expected elements that arith adds";
  int64_t extent = extentOfK(op, /*k=*/2);
  if (ShapedType::isDynamic(extent))
    return "expected K to be static";
  if (extent % parts != 0)
    return llvm::formatv("expected K to be a multiple of {0}, got {1}", parts,
                         extent);
  return {};
}

namespace {
struct SplitMatmul : OpRewritePattern<linalg::MatmulOp> {
  SplitMatmul(MLIRContext *context, int64_t parts)
      : OpRewritePattern(context), parts(parts) {}

  LogicalResult matchAndRewrite(linalg::MatmulOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !refusal(op, parts).empty())
      return failure();
    auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
    constexpr unsigned kLoop = 2;
    int64_t extent = extentOfK(op, kLoop);
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);

    // Loop 0 runs over the parts; loops m, n, k are now 1, 2, 3.
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (OpOperand *operand : linalgOp.getDpsInputOperands()) {
      AffineMap map = linalgOp.getMatchingIndexingMap(operand).shiftDims(1);
      SmallVector<AffineExpr> axes;
      SmallVector<ReassociationIndices> groups;
      SmallVector<OpFoldResult> sizes;
      for (auto [i, axis] : llvm::enumerate(map.getResults())) {
        groups.emplace_back();
        auto append = [&](AffineExpr expr, OpFoldResult size) {
          groups.back().push_back(axes.size());
          axes.push_back(expr);
          sizes.push_back(size);
        };
        if (axis.isFunctionOfDim(kLoop + 1)) {
          append(b.getAffineDimExpr(0), b.getIndexAttr(parts));
          append(axis, b.getIndexAttr(extent / parts));
        } else {
          append(axis, tensor::getMixedSize(b, b.getLoc(), operand->get(), i));
        }
      }
      maps.push_back(AffineMap::get(4, 0, axes, b.getContext()));
      inputs.push_back(expand(b, operand->get(), groups, sizes));
    }

    Value init = op.getOutputs()[0];
    auto type = cast<RankedTensorType>(init.getType());
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(b, b.getLoc(), init);
    sizes.insert(sizes.begin(), b.getIndexAttr(parts));
    Value zeros = flow::zeros(b, sizes, type.getElementType());
    AffineMap ofInit =
        linalgOp.getMatchingIndexingMap(&op.getOutputsMutable()[0])
            .shiftDims(1);
    maps.push_back(ofInit.insertResult(b.getAffineDimExpr(0), 0));
    SmallVector<utils::IteratorType> loops(4, utils::IteratorType::parallel);
    loops.back() = utils::IteratorType::reduction;
    auto split = linalg::GenericOp::create(b, zeros.getType(), inputs, zeros,
                                           maps, loops);
    rewriter.cloneRegionBefore(op.getRegion(), split.getRegion(),
                               split.getRegion().begin());
    // Attributes of users, for example a lowering configuration.
    split->setDiscardableAttrs(op->getDiscardableAttrDictionary());

    AffineMap whole = b.getMultiDimIdentityMap(3);
    loops = {utils::IteratorType::reduction, utils::IteratorType::parallel,
             utils::IteratorType::parallel};
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, type, split.getResult(0), init,
        ArrayRef<AffineMap>{whole, whole.dropResult(0)}, loops,
        [](OpBuilder &nested, Location loc, ValueRange args) {
          ImplicitLocOpBuilder body(loc, nested);
          linalg::YieldOp::create(body, flow::add(body, args[0], args[1]));
        });
    return success();
  }

  static Value expand(ImplicitLocOpBuilder &b, Value tensor,
                      flow::Groups groups, ArrayRef<OpFoldResult> sizes) {
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamic;
    dispatchIndexOpFoldResults(sizes, dynamic, shape);
    auto type = cast<RankedTensorType>(tensor.getType());
    if (type.getRank() == static_cast<int64_t>(sizes.size()))
      return tensor;
    // Only the other operand may know the extent of K.
    SmallVector<int64_t> known(type.getShape());
    for (auto [extent, group] : llvm::zip_equal(known, groups))
      if (group.size() > 1)
        extent = shape[group[0]] * shape[group[1]];
    if (type.getShape() != ArrayRef(known))
      tensor = tensor::CastOp::create(b, type.clone(known), tensor);
    return tensor::ExpandShapeOp::create(b, type.clone(shape), tensor, groups,
                                         sizes);
  }

  int64_t parts;
};

struct SplitReduction : flow::impl::SplitReductionBase<SplitReduction> {
  using Base::Base;

  void runOnOperation() override {
    int64_t parts = splitMatmulReduction;
    if (parts <= 1)
      return;
    RewritePatternSet patterns(&getContext());
    patterns.add<SplitMatmul>(&getContext(), parts);
    flow::rewriteEverywhere(getOperation(), std::move(patterns));
    getOperation()->walk([&](linalg::MatmulOp op) {
      if (op.hasPureTensorSemantics())
        remark::missed(
            op.getLoc(),
            remark::RemarkOpts::name("split-reduction").category("flow"))
            << refusal(op, parts);
    });
  }
};
} // namespace
