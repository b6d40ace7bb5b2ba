// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mercator;

/// Whether neighbors along the dimension are neighbors in memory: its coefficient
/// in the last index is 1.
static bool isContiguous(AffineMap map, unsigned dim) {
  AffineExpr last = map.getResults().back();
  while (auto sum = dyn_cast<AffineBinaryOpExpr>(last)) {
    if (sum.getKind() != AffineExprKind::Add)
      return false;
    bool isLeft = sum.getLHS().isFunctionOfDim(dim);
    if (isLeft && sum.getRHS().isFunctionOfDim(dim))
      return false;
    last = isLeft ? sum.getLHS() : sum.getRHS();
  }
  auto own = dyn_cast<AffineDimExpr>(last);
  return own && own.getPosition() == dim;
}

bool cpu::movesAlong(linalg::LinalgOp op, OpOperand &operand, unsigned dim) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  return isa<MemRefType>(operand.get().getType()) && map.getNumResults() != 0 &&
         map.isFunctionOfDim(dim);
}

bool cpu::canBeInnermost(linalg::LinalgOp op, unsigned dim) {
  constexpr int64_t kShort = 8;
  int64_t extent = op.getStaticLoopRanges()[dim];
  if (!ShapedType::isDynamic(extent) && extent < kShort)
    return false;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return !movesAlong(op, operand, dim) ||
           isContiguous(op.getMatchingIndexingMap(&operand), dim);
  });
}

/// The dimension that should be innermost: of the results the fastest, and of each
/// input the fastest or none. Then vectors of results are computed; otherwise the
/// sums are, element by element.
static std::optional<unsigned> vectorDimension(linalg::GenericOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() == 0)
    return std::nullopt;
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (result.getNumResults() == 0)
    return std::nullopt;
  auto last = dyn_cast<AffineDimExpr>(result.getResults().back());
  if (!last || op.getIteratorTypesArray()[last.getPosition()] !=
                   utils::IteratorType::parallel)
    return std::nullopt;
  unsigned dim = last.getPosition();
  if (!cpu::canBeInnermost(op, dim))
    return std::nullopt;
  bool isUsed = llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    return cpu::movesAlong(op, *input, dim);
  });
  return isUsed ? std::optional(dim) : std::nullopt;
}

/// The operation with that dimension innermost, or as it was.
static linalg::LinalgOp interchange(IRRewriter &rewriter, linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return op;
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic) {
    rewriter.setInsertionPoint(op);
    auto made = linalg::generalizeNamedOp(rewriter, op);
    if (failed(made))
      return op;
    generic = *made;
  }
  std::optional<unsigned> innermost = vectorDimension(generic);
  if (!innermost)
    return generic;
  SmallVector<unsigned> order;
  for (auto kind :
       {utils::IteratorType::parallel, utils::IteratorType::reduction})
    for (auto [i, own] : llvm::enumerate(generic.getIteratorTypesArray()))
      if (own == kind && i != *innermost)
        order.push_back(unsigned(i));
  order.push_back(*innermost);
  rewriter.setInsertionPoint(generic);
  auto turned = linalg::interchangeGenericOp(rewriter, generic, order);
  return failed(turned) ? generic : *turned;
}

static bool isOutside(scf::ForOp loop, mlir::Value value) {
  return loop.isDefinedOutsideOfLoop(value);
}

/// MLIR hands the attribute on to the branch of the loop under this name.
static constexpr StringLiteral kLoopAnnotation = "loop_annotation";

void cpu::setMasked(scf::ForOp loop) {
  MLIRContext *context = loop.getContext();
  LLVM::LoopVectorizeAttr vectorize = LLVM::LoopVectorizeAttr::get(
      context, /*disable=*/{}, /*predicateEnable=*/BoolAttr::get(context, true),
      /*scalableEnable=*/{}, /*width=*/{}, /*followupVectorized=*/{},
      /*followupEpilogue=*/{}, /*followupAll=*/{});
  loop->setAttr(kLoopAnnotation, LLVM::LoopAnnotationAttr::get(
                                     context, {}, vectorize, {}, {}, {}, {}, {},
                                     {}, {}, {}, {}, {}, {}, {}, {}));
}

bool cpu::isMasked(scf::ForOp loop) { return loop->hasAttr(kLoopAnnotation); }

mlir::Value cpu::rootOf(mlir::Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

bool cpu::areSame(mlir::Value x, mlir::Value y) {
  Operation *first = x.getDefiningOp(), *second = y.getDefiningOp();
  return x == y ||
         (first && second && isMemoryEffectFree(first) &&
          first->getNumRegions() == 0 && first->getNumResults() == 1 &&
          first->getName() == second->getName() && x.getType() == y.getType() &&
          first->getAttrDictionary() == second->getAttrDictionary() &&
          llvm::equal(first->getOperands(), second->getOperands(), areSame));
}

mlir::Value cpu::lineOf(OpBuilder &builder, Location loc, mlir::Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  auto parts = memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
  auto line = MemRefType::get(
      {ShapedType::kDynamic}, type.getElementType(),
      StridedLayoutAttr::get(builder.getContext(), ShapedType::kDynamic, {1}));
  mlir::Value length = arith::ConstantIndexOp::create(builder, loc, INT64_MAX);
  return memref::ReinterpretCastOp::create(
      builder, loc, line, parts.getBaseBuffer(),
      OpFoldResult(parts.getOffset()), {OpFoldResult(length)},
      {OpFoldResult(builder.getIndexAttr(1))});
}

using Accumulator = std::pair<memref::LoadOp, memref::StoreOp>;

/// A load and a store of one element, the same in every iteration.
static std::optional<Accumulator> accumulatorOf(scf::ForOp loop,
                                                memref::StoreOp store) {
  if (!isOutside(loop, store.getMemRef()) ||
      !llvm::all_of(store.getIndices(),
                    [&](mlir::Value i) { return isOutside(loop, i); }))
    return std::nullopt;
  for (auto load : loop.getBody()->getOps<memref::LoadOp>())
    if (load.getMemRef() == store.getMemRef() &&
        llvm::equal(load.getIndices(), store.getIndices()) &&
        load->isBeforeInBlock(store))
      return Accumulator(load, store);
  return std::nullopt;
}

/// What the loop accumulates in elements that it does not access otherwise.
static SmallVector<Accumulator> accumulators(scf::ForOp loop) {
  SmallVector<Accumulator> found;
  SmallVector<Operation *> accesses;
  bool isPlain = true;
  loop.getBody()->walk([&](Operation *op) {
    if (isa<memref::LoadOp, memref::StoreOp>(op))
      accesses.push_back(op);
    else if (!isMemoryEffectFree(op) && !isa<scf::ForOp, scf::IfOp>(op))
      isPlain = false;
  });
  if (!isPlain)
    return found;
  for (auto store : loop.getBody()->getOps<memref::StoreOp>())
    if (auto own = accumulatorOf(loop, store))
      found.push_back(*own);
  auto bufferOf = [](Operation *access) {
    return cpu::rootOf(access->getOperand(isa<memref::StoreOp>(access)));
  };
  llvm::erase_if(found, [&](Accumulator own) {
    return llvm::any_of(accesses, [&](Operation *access) {
      return access != own.first && access != own.second &&
             bufferOf(access) == bufferOf(own.second);
    });
  });
  return found;
}

/// Keeps what a loop accumulates in registers. True if it did.
static bool keepInRegisters(scf::ForOp loop) {
  if (!loop.getInitArgs().empty())
    return false;
  SmallVector<Accumulator> found = accumulators(loop);
  if (found.empty())
    return false;
  IRRewriter rewriter(loop.getContext());
  SmallVector<mlir::Value> inits, values;
  rewriter.setInsertionPoint(loop);
  for (auto [load, store] : found) {
    inits.push_back(memref::LoadOp::create(
        rewriter, load.getLoc(), load.getMemRef(), load.getIndices()));
    values.push_back(store.getValue());
  }
  auto own = scf::ForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(),
                                loop.getUpperBound(), loop.getStep(), inits);
  own->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *body = own.getBody();
  if (body->mightHaveTerminator())
    rewriter.eraseOp(body->getTerminator());
  rewriter.eraseOp(loop.getBody()->getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(), body, body->end(),
                             own.getInductionVar());
  rewriter.setInsertionPointToEnd(body);
  scf::YieldOp::create(rewriter, loop.getLoc(), values);
  rewriter.setInsertionPointAfter(own);
  for (auto [i, pair] : llvm::enumerate(found)) {
    auto [load, store] = pair;
    rewriter.replaceOp(load, own.getRegionIterArg(i));
    memref::StoreOp::create(rewriter, store.getLoc(), own.getResult(i),
                            store.getMemRef(), store.getIndices());
    rewriter.eraseOp(store);
  }
  rewriter.eraseOp(loop);
  return true;
}

/// An index that is a loop's variable has no operation of its own.
static void foldIndices(ArrayRef<Operation *> loops) {
  if (loops.empty())
    return;
  SmallVector<affine::AffineApplyOp> applies;
  loops.front()->walk(
      [&](affine::AffineApplyOp apply) { applies.push_back(apply); });
  for (affine::AffineApplyOp apply : applies)
    if (auto dim = dyn_cast<AffineDimExpr>(apply.getAffineMap().getResult(0))) {
      apply.replaceAllUsesWith(apply.getMapOperands()[dim.getPosition()]);
      apply.erase();
    }
}

/// Whether the loop has at least one iteration, by its bounds.
static bool runs(scf::ForOp loop) {
  auto lower = getConstantIntValue(loop.getLowerBound()),
       upper = getConstantIntValue(loop.getUpperBound());
  return lower && upper && *lower < *upper;
}

void cpu::hoistSame(scf::ForOp loop) {
  if (!runs(loop))
    return;
  SmallPtrSet<mlir::Value, 4> written;
  bool isPlain = true;
  loop.getBody()->walk([&](Operation *op) {
    if (auto store = dyn_cast<memref::StoreOp>(op))
      written.insert(cpu::rootOf(store.getMemRef()));
    else if (!isa<memref::LoadOp, scf::ForOp, scf::IfOp>(op))
      isPlain &= isMemoryEffectFree(op);
  });
  if (!isPlain)
    return;
  for (Operation &op :
       llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
    auto load = dyn_cast<memref::LoadOp>(op);
    bool isSame = load ? !written.contains(cpu::rootOf(load.getMemRef()))
                       : op.getNumRegions() == 0 && isMemoryEffectFree(&op);
    if (isSame && llvm::all_of(op.getOperands(), [&](mlir::Value operand) {
          return isOutside(loop, operand);
        }))
      op.moveBefore(loop);
  }
}

/// Whether the loop computes a function, which takes as long for an element as for a
/// vector.
static bool computesFunctions(scf::ForOp loop) {
  return llvm::any_of(*loop.getBody(), [](Operation &op) {
    return isa<arith::DivFOp>(op) || isa<math::MathDialect>(op.getDialect());
  });
}

/// Asks for a mask in a short loop of a part, whose buffers LLVM would have to compare,
/// and where the last elements, which do not fill a vector, compute functions.
static void maskRest(scf::ForOp loop) {
  constexpr int64_t kLeast = 5, kShort = 16, kLong = 512;
  auto lower = getConstantIntValue(loop.getLowerBound()),
       upper = getConstantIntValue(loop.getUpperBound());
  if (lower != 0 || !upper)
    return;
  bool isPart = false;
  for (auto around = loop->getParentOfType<scf::ForOp>(); around;
       around = around->getParentOfType<scf::ForOp>())
    isPart |= around->hasAttr(cpu::kParallel);
  bool isShort = isPart && *upper >= kLeast && *upper < kShort;
  bool hasRest = *upper > kShort && *upper < kLong && *upper % kShort != 0;
  if (isShort || (hasRest && computesFunctions(loop)))
    cpu::setMasked(loop);
}

LogicalResult cpu::lowerToLoops(func::FuncOp function) {
  SmallVector<linalg::LinalgOp> operations;
  function.walk([&](linalg::LinalgOp op) { operations.push_back(op); });
  IRRewriter rewriter(function.getContext());
  for (linalg::LinalgOp op : operations) {
    op = interchange(rewriter, op);
    bool isSum = op.getNumReductionLoops() > 0;
    rewriter.setInsertionPoint(op);
    auto loops = linalg::linalgOpToLoops(rewriter, op);
    if (failed(loops))
      return op.emitOpError() << "has no loops";
    rewriter.eraseOp(op);
    foldIndices(*loops);
    // From the innermost loop outward.
    for (Operation *loop : llvm::reverse(*loops))
      if (auto own = dyn_cast<scf::ForOp>(loop))
        hoistSame(own);
    if (!isSum && !loops->empty())
      if (auto innermost = dyn_cast<scf::ForOp>(loops->back()))
        maskRest(innermost);
    // As far as sums reach.
    if (isSum)
      for (Operation *loop : llvm::reverse(*loops))
        if (auto own = dyn_cast<scf::ForOp>(loop))
          if (!keepInRegisters(own))
            break;
  }
  return success();
}
