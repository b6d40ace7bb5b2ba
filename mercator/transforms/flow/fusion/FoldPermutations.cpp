// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transpose or a broadcast computes nothing: it says where its reader should
// look. This pass moves that into the maps of linalg operations.
//
//   t[i, j] = w[j, i]                     t is not computed
//   y[m, n] = sum_k x[m, k] t[k, n]       y[m, n] = sum_k x[m, k] w[n, k]
//
// A transpose of a contraction that nothing else reads moves into the map of
// the result. No value is computed twice, so the number of uses of a copy does
// not matter.

#include "mercator/transforms/flow/Passes.h"
#include "mercator/transforms/flow/linalg/Interchange.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mercator::flow {
#define GEN_PASS_DEF_FOLDPERMUTATIONS
#include "mercator/transforms/flow/Passes.h.inc"
} // namespace mercator::flow

using namespace mlir;
using namespace mercator;

namespace {
/// copy[i] = source[map(i)]
struct Copy {
  Value source;
  AffineMap map;
};
} // namespace

static std::optional<Copy> asCopy(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !llvm::hasSingleElement(*op.getBlock()))
    return std::nullopt;
  OpOperand *input = op.getDpsInputOperand(0);
  Operation *yield = op.getBlock()->getTerminator();
  if (!isa<RankedTensorType>(input->get().getType()) ||
      yield->getOperand(0) != op.getMatchingBlockArgument(input))
    return std::nullopt;
  AffineMap read = op.getMatchingIndexingMap(input);
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!written.isPermutation() ||
      !read.isProjectedPermutation(/*allowZeroInResults=*/true))
    return std::nullopt;
  return Copy{input->get(), read.compose(inversePermutation(written))};
}

/// Whether each loop is an index of some operand, which gives its extent.
static bool boundsAllLoops(ArrayRef<AffineMap> maps, unsigned loops) {
  llvm::SmallBitVector bounded(loops);
  for (AffineMap map : maps)
    for (AffineExpr expr : map.getResults())
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        bounded.set(dim.getPosition());
  return bounded.all();
}

/// Whether the named operation can have these maps: each operand is at most
/// transposed, and batches stay in front.
static bool canKeepName(linalg::LinalgOp op, ArrayRef<AffineMap> maps) {
  bool batched = isa<linalg::BatchMatmulOp>(*op);
  if (!batched && !isa<linalg::MatmulOp>(*op))
    return false;
  for (auto [before, after] :
       llvm::zip_equal(op.getIndexingMapsArray(), maps)) {
    if (!after.isProjectedPermutation() ||
        before.getNumResults() != after.getNumResults() ||
        (batched && after.getResult(0) != before.getResult(0)))
      return false;
    for (AffineExpr expr : after.getResults())
      if (!llvm::is_contained(before.getResults(), expr))
        return false;
  }
  return true;
}

/// The operation with other maps, as a linalg.generic unless it can keep its
/// name. Null if it cannot be one.
static linalg::LinalgOp withMaps(IRRewriter &rewriter, linalg::LinalgOp op,
                                 ArrayRef<AffineMap> maps) {
  ArrayAttr attr = rewriter.getAffineMapArrayAttr(maps);
  if (auto generic = dyn_cast<linalg::GenericOp>(*op)) {
    generic.setIndexingMapsAttr(attr);
    return op;
  }
  if (canKeepName(op, maps)) {
    op->setAttr("indexing_maps", attr);
    return op;
  }
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::GenericOp> generic =
      linalg::generalizeNamedOp(rewriter, op);
  if (failed(generic))
    return {};
  generic->setIndexingMapsAttr(attr);
  return cast<linalg::LinalgOp>(generic->getOperation());
}

/// Reads through the copies that are inputs of `op`.
static void foldInputs(IRRewriter &rewriter, linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<std::pair<unsigned, Value>> sources;
  for (OpOperand *input : op.getDpsInputOperands()) {
    std::optional<Copy> copy = asCopy(input->get());
    if (!copy)
      continue;
    AffineMap &map = maps[input->getOperandNumber()];
    AffineMap before = map;
    map = copy->map.compose(map);
    if (boundsAllLoops(maps, op.getNumLoops()))
      sources.emplace_back(input->getOperandNumber(), copy->source);
    else
      map = before;
  }
  if (sources.empty())
    return;
  linalg::LinalgOp folded = withMaps(rewriter, op, maps);
  if (!folded)
    return;
  for (auto [operand, source] : sources)
    folded->setOperand(operand, source);
}

/// Whether a reshape is between a copy and the product. Fusion moves the reshape
/// out of a linalg.generic, and then fuses the copy.
static bool readsReshapedCopy(linalg::LinalgOp op) {
  return isa<linalg::ContractionOpInterface>(*op) &&
         !isa<linalg::GenericOp>(*op) &&
         llvm::any_of(op.getDpsInputs(), [](Value input) {
           auto reshape = input.getDefiningOp<tensor::CollapseShapeOp>();
           std::optional<Copy> copy =
               reshape ? asCopy(reshape.getSrc()) : std::nullopt;
           return copy && !copy->map.isIdentity();
         });
}

/// The parallel loops in the order of the result, then the others.
static SmallVector<unsigned> orderOfResult(linalg::GenericOp op,
                                           AffineMap written) {
  SmallVector<unsigned> order, reductions;
  for (AffineExpr expr : written.getResults())
    order.push_back(cast<AffineDimExpr>(expr).getPosition());
  op.getReductionDims(reductions);
  order.append(reductions);
  return order;
}

/// Writes the result of an operation that reduces in the order of the transpose
/// that reads it. The initial values are made in that order.
static void foldResult(IRRewriter &rewriter, linalg::LinalgOp transpose) {
  std::optional<Copy> copy = asCopy(transpose->getResult(0));
  if (!copy || !copy->map.isPermutation() || copy->map.isIdentity())
    return;
  auto op = copy->source.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      !op->hasOneUse() || op->getBlock() != transpose->getBlock() ||
      op.getNumParallelLoops() == op.getNumLoops())
    return;
  OpOperand *init = op.getDpsInitOperand(0);
  AffineMap before = op.getMatchingIndexingMap(init);
  auto fill = init->get().getDefiningOp<linalg::FillOp>();
  Value empty = transpose.getDpsInits()[0];
  if (!before.isProjectedPermutation() ||
      before.getNumResults() != op.getNumParallelLoops() || !fill ||
      !isa<FloatType, IntegerType, IndexType, ComplexType>(
          fill.getInputs()[0].getType()) ||
      !empty.getDefiningOp<tensor::EmptyOp>())
    return;

  rewriter.setInsertionPoint(op);
  if (!isa<linalg::GenericOp>(*op)) {
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return;
    op = cast<linalg::LinalgOp>(generic->getOperation());
  }
  auto generic = cast<linalg::GenericOp>(*op);
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  AffineMap written = inversePermutation(copy->map).compose(before);
  maps.back() = written;
  // The transpose knows the new shape, and is after all that it needs.
  rewriter.moveOpBefore(generic, transpose);
  rewriter.setInsertionPoint(generic);
  Value filled = linalg::FillOp::create(rewriter, fill.getLoc(),
                                        fill.getInputs()[0], empty)
                     .getResult(0);
  generic->setOperand(generic->getNumOperands() - 1, filled);
  generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  generic->getResult(0).setType(
      cast<RankedTensorType>(transpose->getResult(0).getType()));
  flow::interchange(generic, orderOfResult(generic, written));
  rewriter.replaceAllUsesWith(transpose->getResult(0), generic->getResult(0));
}

namespace {
struct FoldPermutations : flow::impl::FoldPermutationsBase<FoldPermutations> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : collect())
      foldInputs(rewriter, op);
    for (linalg::LinalgOp op : collect())
      if (readsReshapedCopy(op)) {
        rewriter.setInsertionPoint(op);
        (void)linalg::generalizeNamedOp(rewriter, op);
      }
    SmallVector<linalg::LinalgOp> copies = collect();
    llvm::erase_if(
        copies, [](linalg::LinalgOp op) { return !asCopy(op->getResult(0)); });
    for (linalg::LinalgOp op : copies)
      foldResult(rewriter, op);
    for (linalg::LinalgOp op : llvm::reverse(copies))
      if (isOpTriviallyDead(op))
        rewriter.eraseOp(op);
  }

private:
  /// The operations on tensors, in order. Rewrites may replace them.
  SmallVector<linalg::LinalgOp> collect() {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics())
        ops.push_back(op);
    });
    return ops;
  }
};
} // namespace
