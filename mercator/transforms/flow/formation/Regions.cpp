// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/Regions.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

//===--- Whole functions --------------------------------------------------===//

/// The results of the members that are used outside of the group: those of the
/// root first, then those of the others from the last to the first.
static SmallVector<Value> resultsOf(const Grouping &grouping, unsigned number) {
  const Group &group = grouping.groups[number];
  Block *block = group.root->getBlock();
  auto isOutside = [&](Operation *user) {
    if (isResolvableDim(user))
      return false;
    Operation *inBlock = block->findAncestorOpInBlock(*user);
    auto it = grouping.groupOf.find(inBlock);
    return !inBlock || it == grouping.groupOf.end() || it->second != number;
  };
  SmallVector<Value> results;
  auto add = [&](Operation *op) {
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), isOutside))
        results.push_back(result);
  };
  add(group.root);
  for (Operation *member : llvm::reverse(group.members))
    if (member != group.root)
      add(member);
  return results;
}

/// An empty region for the group, before its root. The root determines the
/// extents of the results.
static DispatchRegionOp prepareRegion(Extents &extents, const Group &group,
                                      ArrayRef<Value> results,
                                      bool withWorkload) {
  SmallVector<Value> workload, dims;
  if (withWorkload)
    if (auto values = buildWorkload(extents, group.root); succeeded(values))
      workload = std::move(*values);
  for (Value result : results)
    llvm::append_range(dims, extents.getDynamic(result));
  OpBuilder &builder = extents.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(group.root);
  auto region =
      DispatchRegionOp::create(builder, group.root->getLoc(),
                               ValueRange(results).getTypes(), dims, workload);
  if (withWorkload)
    buildWorkgroupCount(builder, region);
  return region;
}

static void fillRegion(DispatchRegionOp region, const Group &group,
                       ArrayRef<Value> results) {
  Block &body = region.getBody().emplaceBlock();
  for (Operation *member : group.members)
    member->moveBefore(&body, body.end());
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  for (auto [inside, outside] : llvm::zip_equal(results, region.getResults()))
    Value(inside).replaceUsesWithIf(outside, [&](OpOperand &use) {
      return !region->isProperAncestor(use.getOwner());
    });
  ReturnOp::create(builder, region.getLoc(), results);
}

void flow::formRegions(MLIRContext *context, const Grouping &grouping,
                       bool withWorkload) {
  // All extents are created before any operation moves, so the order of moves
  // does not matter.
  Extents extents(context);
  SmallVector<DispatchRegionOp> regions;
  SmallVector<SmallVector<Value>> results;
  for (auto [i, group] : llvm::enumerate(grouping.groups)) {
    results.push_back(resultsOf(grouping, i));
    regions.push_back(
        prepareRegion(extents, group, results.back(), withWorkload));
    for (Operation *member : group.members)
      for (Operation *user : member->getUsers())
        if (isResolvableDim(user))
          extents.resolve(cast<tensor::DimOp>(user));
  }
  extents.finish();
  for (auto [region, group, values] :
       llvm::zip_equal(regions, grouping.groups, results))
    fillRegion(region, group, values);
}

//===--- One region -------------------------------------------------------===//

FailureOr<DispatchRegionOp>
flow::wrapInRegion(RewriterBase &rewriter, Operation *op, bool withWorkload) {
  if (!llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
    return failure();
  Extents extents(op->getContext());
  SmallVector<Value> workload;
  if (withWorkload) {
    FailureOr<SmallVector<Value>> values = buildWorkload(extents, op);
    if (failed(values))
      return failure();
    workload = std::move(*values);
  }
  SmallVector<Value> results, dims;
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    results.push_back(result);
    llvm::append_range(dims, extents.getDynamic(result));
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto region = DispatchRegionOp::create(
      rewriter, op->getLoc(), ValueRange(results).getTypes(), dims, workload);
  if (withWorkload)
    buildWorkgroupCount(rewriter, region);
  for (Operation *user : op->getUsers())
    if (isResolvableDim(user))
      extents.resolve(cast<tensor::DimOp>(user));
  extents.finish();
  Block *body = rewriter.createBlock(&region.getBody());
  rewriter.moveOpBefore(op, body, body->end());
  for (auto [inside, outside] : llvm::zip_equal(results, region.getResults()))
    rewriter.replaceAllUsesWith(inside, outside);
  rewriter.setInsertionPointToEnd(body);
  ReturnOp::create(rewriter, region.getLoc(), results);
  return region;
}

DispatchRegionOp flow::appendResults(RewriterBase &rewriter,
                                     DispatchRegionOp region, ValueRange values,
                                     ArrayRef<SmallVector<Value>> extents) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(region);
  SmallVector<Type> types(region.getResultTypes());
  llvm::append_range(types, values.getTypes());
  SmallVector<Value> dims(region.getResultDims());
  for (const SmallVector<Value> &list : extents)
    llvm::append_range(dims, list);
  auto bigger = DispatchRegionOp::create(rewriter, region.getLoc(), types, dims,
                                         region.getWorkload());
  bigger->setDiscardableAttrs(region->getDiscardableAttrDictionary());
  bigger.getBody().takeBody(region.getBody());
  bigger.getWorkgroupCount().takeBody(region.getWorkgroupCount());
  Operation *end = bigger.getBody().front().getTerminator();
  rewriter.modifyOpInPlace(
      end, [&] { end->insertOperands(end->getNumOperands(), values); });
  rewriter.replaceOp(region,
                     bigger.getResults().take_front(region.getNumResults()));
  return bigger;
}

/// The results of `op` for which `isUse` finds a use, and their extents. Fails
/// if one of them is no ranked tensor.
static LogicalResult findResults(Operation *op,
                                 llvm::function_ref<bool(OpOperand &)> isUse,
                                 Extents &extents,
                                 SmallVectorImpl<Value> &results,
                                 SmallVectorImpl<SmallVector<Value>> &dims) {
  for (Value result : op->getResults())
    if (llvm::any_of(result.getUses(), isUse))
      results.push_back(result);
  if (!llvm::all_of(ValueRange(results).getTypes(),
                    llvm::IsaPred<RankedTensorType>))
    return failure();
  for (Value result : results)
    dims.push_back(extents.getDynamic(result));
  return success();
}

FailureOr<DispatchRegionOp>
flow::movePrecedingOpIntoRegion(RewriterBase &rewriter, Operation *op,
                                DispatchRegionOp region) {
  Block *block = region->getBlock();
  if (op->getBlock() != block || !op->isBeforeInBlock(region))
    return failure();
  auto isOutside = [&](OpOperand &use) {
    return !region->isProperAncestor(use.getOwner()) &&
           !isResolvableDim(use.getOwner());
  };
  for (OpOperand &use : op->getUses()) {
    Operation *inBlock = block->findAncestorOpInBlock(*use.getOwner());
    // The extents that are operands of the region must precede it too.
    if (isOutside(use) && inBlock &&
        (inBlock == region || inBlock->isBeforeInBlock(region)))
      return failure();
  }
  Extents extents(op->getContext());
  SmallVector<Value> results;
  SmallVector<SmallVector<Value>> dims;
  if (failed(findResults(op, isOutside, extents, results, dims)))
    return failure();
  for (Operation *user : op->getUsers())
    if (isResolvableDim(user) && !region->isProperAncestor(user))
      extents.resolve(cast<tensor::DimOp>(user));
  DispatchRegionOp bigger = region;
  unsigned first = region.getNumResults();
  if (!results.empty())
    bigger = appendResults(rewriter, region, results, dims);
  extents.finish();
  Block &body = bigger.getBody().front();
  rewriter.moveOpBefore(op, &body, body.begin());
  for (auto [i, result] : llvm::enumerate(results))
    rewriter.replaceUsesWithIf(
        result, bigger.getResults()[first + i], [&](OpOperand &use) {
          return !bigger->isProperAncestor(use.getOwner());
        });
  return bigger;
}

Operation *flow::clonePrecedingOpIntoRegion(RewriterBase &rewriter,
                                            Operation *op,
                                            DispatchRegionOp region) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(&region.getBody().front());
  Operation *copy = rewriter.clone(*op);
  for (auto [from, to] : llvm::zip_equal(op->getResults(), copy->getResults()))
    rewriter.replaceUsesWithIf(from, to, [&](OpOperand &use) {
      return region->isProperAncestor(use.getOwner());
    });
  return copy;
}
