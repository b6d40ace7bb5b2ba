// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/Loops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mercator;

/// Additions to what the operation accumulates may change their order.
static void allowReordering(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return;
  for (BlockArgument sum : op.getRegionOutputArgs())
    for (Operation *user : sum.getUsers())
      if (isa<arith::AddFOp, arith::MulFOp>(user) && sum.hasOneUse()) {
        auto own = cast<arith::ArithFastMathInterface>(user);
        arith::FastMathFlags flags = own.getFastMathFlagsAttr().getValue();
        user->setAttr(
            own.getFastMathAttrName(),
            arith::FastMathFlagsAttr::get(
                user->getContext(), flags | arith::FastMathFlags::reassoc));
      }
}

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
  constexpr int64_t kShort = 8;
  if (!last || op.getIteratorTypesArray()[last.getPosition()] !=
                   utils::IteratorType::parallel)
    return std::nullopt;
  unsigned dim = last.getPosition();
  int64_t extent = op.getStaticLoopRanges()[dim];
  if (!ShapedType::isDynamic(extent) && extent < kShort)
    return std::nullopt;
  bool isUsed = false;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool isPart = type && map.getNumResults() != 0 && map.isFunctionOfDim(dim);
    if (isPart && !isContiguous(map, dim))
      return std::nullopt;
    isUsed |= isPart && op.isDpsInput(&operand);
  }
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

/// The stores of the body, if each is preceded by a load of the same element,
/// which is the same in every iteration, and no other store is inside.
static std::optional<SmallVector<std::pair<memref::LoadOp, memref::StoreOp>>>
accumulators(scf::ForOp loop) {
  SmallVector<memref::StoreOp> stores;
  bool isPlain = true;
  loop.getBody()->walk([&](Operation *op) {
    auto store = dyn_cast<memref::StoreOp>(op);
    if (store && store->getBlock() == loop.getBody())
      stores.push_back(store);
    else if (!isMemoryEffectFree(op) && !isa<memref::LoadOp>(op) &&
             !isa<scf::ForOp, scf::IfOp>(op))
      isPlain = false;
  });
  if (!isPlain || stores.empty())
    return std::nullopt;
  SmallVector<std::pair<memref::LoadOp, memref::StoreOp>> found;
  for (memref::StoreOp store : stores) {
    memref::LoadOp match;
    for (auto load : loop.getBody()->getOps<memref::LoadOp>())
      if (load.getMemRef() == store.getMemRef() &&
          llvm::equal(load.getIndices(), store.getIndices())) {
        if (match)
          return std::nullopt;
        match = load;
      }
    bool isFixed = match && isOutside(loop, store.getMemRef()) &&
                   llvm::all_of(store.getIndices(), [&](mlir::Value i) {
                     return isOutside(loop, i);
                   });
    if (!isFixed || store->isBeforeInBlock(match) ||
        llvm::count_if(stores, [&](memref::StoreOp other) {
          return other.getMemRef() == store.getMemRef();
        }) != 1)
      return std::nullopt;
    found.push_back({match, store});
  }
  return found;
}

/// Keeps what a loop accumulates in registers. True if it did.
static bool keepInRegisters(scf::ForOp loop) {
  if (!loop.getInitArgs().empty())
    return false;
  auto found = accumulators(loop);
  if (!found)
    return false;
  IRRewriter rewriter(loop.getContext());
  SmallVector<mlir::Value> inits, values;
  rewriter.setInsertionPoint(loop);
  for (auto [load, store] : *found) {
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
  for (auto [i, pair] : llvm::enumerate(*found)) {
    auto [load, store] = pair;
    rewriter.replaceOp(load, own.getRegionIterArg(i));
    memref::StoreOp::create(rewriter, store.getLoc(), own.getResult(i),
                            store.getMemRef(), store.getIndices());
    rewriter.eraseOp(store);
  }
  rewriter.eraseOp(loop);
  return true;
}

LogicalResult cpu::lowerToLoops(func::FuncOp function) {
  SmallVector<linalg::LinalgOp> operations;
  function.walk([&](linalg::LinalgOp op) { operations.push_back(op); });
  IRRewriter rewriter(function.getContext());
  for (linalg::LinalgOp op : operations) {
    op = interchange(rewriter, op);
    allowReordering(op);
    bool isSum = op.getNumReductionLoops() > 0;
    rewriter.setInsertionPoint(op);
    auto loops = linalg::linalgOpToLoops(rewriter, op);
    if (failed(loops))
      return op.emitOpError() << "has no loops";
    rewriter.eraseOp(op);
    // From the innermost loop outward, as far as sums reach.
    if (isSum)
      for (Operation *loop : llvm::reverse(*loops))
        if (auto own = dyn_cast<scf::ForOp>(loop))
          if (!keepInRegisters(own))
            break;
  }
  return success();
}
