// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Canonicalizations of dispatches: unused operands and results are removed.

#include "mercator/dialects/flow/Flow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

//===----------------------------------------------------------------------===//
// flow.dispatch.region
//===----------------------------------------------------------------------===//

/// Removes unused results.
static LogicalResult dropRegionResults(DispatchRegionOp op,
                                       PatternRewriter &rewriter) {
  SmallVector<Type> types;
  SmallVector<Value> dims, kept, returned;
  auto end = cast<ReturnOp>(op.getBody().front().getTerminator());
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    if (result.use_empty())
      continue;
    kept.push_back(result);
    types.push_back(result.getType());
    llvm::append_range(dims, op.getResultDynamicDims(index));
    returned.push_back(end.getOperands()[index]);
  }
  if (kept.size() == op.getNumResults())
    return failure();
  auto inside = DispatchRegionOp::create(rewriter, op.getLoc(), types, dims,
                                         op.getWorkload());
  inside->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.inlineRegionBefore(op.getBody(), inside.getBody(),
                              inside.getBody().end());
  rewriter.inlineRegionBefore(op.getWorkgroupCount(),
                              inside.getWorkgroupCount(),
                              inside.getWorkgroupCount().end());
  rewriter.modifyOpInPlace(end,
                           [&] { end.getOperandsMutable().assign(returned); });
  SmallVector<Value> replacements(op.getNumResults());
  for (auto [old, result] : llvm::zip_equal(kept, inside.getResults()))
    replacements[cast<OpResult>(old).getResultNumber()] = result;
  rewriter.replaceOp(op, replacements);
  return success();
}

void DispatchRegionOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                   MLIRContext *context) {
  patterns.add(dropRegionResults);
}

//===----------------------------------------------------------------------===//
// flow.dispatch.workgroups
//===----------------------------------------------------------------------===//

DispatchWorkgroupsOp
DispatchWorkgroupsOp::cloneReplacementExcludingOperandsAndResults(
    const llvm::BitVector &excludedOperands,
    const llvm::BitVector &excludedResults, RewriterBase &rewriter) {
  SmallVector<Value> arguments, argumentDims, resultDims;
  SmallVector<Type> resultTypes;
  SmallVector<int64_t> ties;
  llvm::BitVector excluded = excludedOperands;
  // The new position of each remaining operand.
  SmallVector<int64_t> moved(getArguments().size(),
                             util::TiedOpInterface::kUntied);
  for (auto [index, argument] : llvm::enumerate(getArguments())) {
    if (excludedOperands.test(index))
      continue;
    moved[index] = arguments.size();
    arguments.push_back(argument);
    llvm::append_range(argumentDims,
                       getOperandDynamicDims(getWorkload().size() + index));
  }
  for (auto [index, tie] : llvm::enumerate(getTiedArguments())) {
    bool gone = excludedResults.test(index);
    if (tie == util::TiedOpInterface::kUntied)
      excluded.push_back(gone);
    if (gone)
      continue;
    resultTypes.push_back(getResultTypes()[index]);
    llvm::append_range(resultDims, getResultDynamicDims(index));
    ties.push_back(tie == util::TiedOpInterface::kUntied ? tie : moved[tie]);
  }

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(*this);
  auto clone = DispatchWorkgroupsOp::create(
      rewriter, getLoc(), getWorkload(), resultTypes, resultDims, arguments,
      argumentDims, ties, llvm::to_vector((*this)->getDiscardableAttrs()));
  rewriter.eraseBlock(&clone.getWorkgroupBody().front());
  rewriter.inlineRegionBefore(getWorkgroupBody(), clone.getWorkgroupBody(),
                              clone.getWorkgroupBody().end());
  rewriter.inlineRegionBefore(getWorkgroupCount(), clone.getWorkgroupCount(),
                              clone.getWorkgroupCount().end());
  rewriter.modifyOpInPlace(clone, [&] {
    clone.getWorkgroupBody().front().eraseArguments(excluded);
  });
  return clone;
}

/// The stores to a tensor and the operations that tie its shape, users first.
/// None if the tensor is used in any other way.
static std::optional<SmallVector<Operation *>> findStoresAlone(Value tensor) {
  SmallVector<Operation *> found;
  SmallVector<Value> left = {tensor};
  while (!left.empty()) {
    for (OpOperand &use : left.pop_back_val().getUses()) {
      if (auto tie = dyn_cast<DispatchTieShapeOp>(use.getOwner()))
        left.push_back(tie);
      else if (!isa<DispatchTensorStoreOp>(use.getOwner()))
        return std::nullopt;
      found.push_back(use.getOwner());
    }
  }
  std::reverse(found.begin(), found.end());
  return found;
}

/// Clones constants of one element into the body.
static bool inlineConstants(DispatchWorkgroupsOp op,
                            PatternRewriter &rewriter) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(&op.getWorkgroupBody().front());
  bool changed = false;
  for (auto [outside, inside] :
       llvm::zip(op.getArguments(), op.getInputBlockArguments())) {
    auto constant = outside.getDefiningOp<arith::ConstantOp>();
    if (!constant || !constant.getType().isIntOrIndexOrFloat() ||
        inside.use_empty())
      continue;
    Operation *copy = rewriter.clone(*constant);
    rewriter.replaceAllUsesWith(inside, copy->getResult(0));
    changed = true;
  }
  return changed;
}

/// Removes unused operands, duplicate operands and unused results.
static LogicalResult dropOperandsAndResults(DispatchWorkgroupsOp op,
                                            PatternRewriter &rewriter) {
  bool changed = inlineConstants(op, rewriter);
  SmallVector<int64_t> ties = op.getTiedArguments();
  SmallVector<BlockArgument> outputs = op.getOutputBlockArguments();

  llvm::BitVector noResults(op.getNumResults());
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    if (!result.use_empty())
      continue;
    // Two results may be tied to one operand. The other result may still be
    // used.
    int64_t tie = ties[index];
    if (tie != util::TiedOpInterface::kUntied && llvm::count(ties, tie) > 1)
      continue;
    std::optional<SmallVector<Operation *>> stores =
        findStoresAlone(outputs[index]);
    if (!stores)
      continue;
    for (Operation *store : *stores)
      rewriter.eraseOp(store);
    noResults.set(index);
  }

  llvm::BitVector noOperands(op.getArguments().size());
  llvm::DenseMap<Value, BlockArgument> first;
  for (auto [index, outside, inside] :
       llvm::enumerate(op.getArguments(), op.getInputBlockArguments())) {
    bool tied = false;
    for (auto [result, tie] : llvm::enumerate(ties))
      tied |= tie == int64_t(index) && !noResults.test(result);
    if (tied)
      continue;
    if (inside.use_empty()) {
      noOperands.set(index);
      continue;
    }
    // A written tensor is not merged with a read one.
    auto tensor = dyn_cast<DispatchTensorType>(inside.getType());
    if (tensor && tensor.isWritable())
      continue;
    auto [seen, isNew] = first.try_emplace(outside, inside);
    if (isNew || seen->second.getType() != inside.getType())
      continue;
    rewriter.replaceAllUsesWith(inside, seen->second);
    noOperands.set(index);
  }
  if (noOperands.none() && noResults.none())
    return success(changed);

  DispatchWorkgroupsOp less = op.cloneReplacementExcludingOperandsAndResults(
      noOperands, noResults, rewriter);
  SmallVector<Value> replacements;
  auto next = less.getResults().begin();
  for (unsigned index = 0; index < op.getNumResults(); ++index)
    replacements.push_back(noResults.test(index) ? Value() : Value(*next++));
  rewriter.replaceOp(op, replacements);
  return success();
}

/// A result without elements becomes an empty tensor.
static LogicalResult replaceResultsWithoutElements(DispatchWorkgroupsOp op,
                                                   PatternRewriter &rewriter) {
  bool changed = false;
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || result.use_empty() || !llvm::is_contained(type.getShape(), 0))
      continue;
    rewriter.replaceAllUsesWith(
        result, TensorEmptyOp::create(rewriter, result.getLoc(), type,
                                      op.getResultDynamicDims(index)));
    changed = true;
  }
  return success(changed);
}

void DispatchWorkgroupsOp::getCanonicalizationPatterns(
    RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add(dropOperandsAndResults);
  patterns.add(replaceResultsWithoutElements);
}
