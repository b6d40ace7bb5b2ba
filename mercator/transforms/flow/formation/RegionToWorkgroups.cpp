// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/RegionToWorkgroups.h"

#include "mercator/transforms/flow/operations/Candidates.h"
#include "mercator/transforms/flow/operations/ScalarLoops.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mercator;

/// The operand whose storage `value` uses, or null.
static Value getTiedOperand(OpResult value) {
  Operation *op = value.getOwner();
  if (auto tied = dyn_cast<util::TiedOpInterface>(op))
    return tied.getTiedResultOperand(value);
  if (isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op))
    return flow::updatedByLoop(value);
  auto style = dyn_cast<DestinationStyleOpInterface>(op);
  return style ? style.getTiedOpOperand(value)->get() : Value();
}

/// The value from outside of `region` that `value` would update in place; null
/// if `value` is new.
static Value findTied(flow::DispatchRegionOp region, Value value) {
  Type type = value.getType();
  while (value && value.getType() == type) {
    auto result = dyn_cast<OpResult>(value);
    if (!result || !region->isAncestor(result.getOwner()))
      return value;
    value = getTiedOperand(result);
  }
  return {};
}

static LogicalResult verifyCrosses(flow::DispatchRegionOp region,
                                   TypeRange types, llvm::StringRef what) {
  for (Type type : types)
    if (!flow::canCross(type))
      return region.emitError("expected ")
             << what << " with a rank and elements that are not indices, got "
             << type;
  return success();
}

namespace {
/// The operands of a dispatch.
struct Operands {
  llvm::ArrayRef<Value> captured;
  /// The extents of all captured tensors.
  llvm::SmallVector<Value> dims = {};
  /// The first extent of each captured value.
  llvm::SmallVector<unsigned> firstDim = {};
  /// For each result, the index in `captured` of its tied operand, or -1.
  llvm::SmallVector<int64_t> ties = {};
  /// The extents of untied results.
  llvm::SmallVector<Value> resultDims = {};

  llvm::ArrayRef<Value> dimsOf(unsigned index) const {
    unsigned count = util::getNumDynamicDims(captured[index].getType());
    return llvm::ArrayRef(dims).slice(firstDim[index], count);
  }
};
} // namespace

static Operands getOperands(flow::DispatchRegionOp region,
                            llvm::ArrayRef<Value> captured,
                            RewriterBase &rewriter) {
  Operands operands{.captured = captured};
  for (Value value : operands.captured) {
    operands.firstDim.push_back(operands.dims.size());
    if (isa<RankedTensorType>(value.getType()))
      llvm::append_range(operands.dims, util::buildDynamicDimsForValue(
                                            region.getLoc(), value, rewriter));
  }

  llvm::DenseMap<Value, unsigned> indices;
  for (auto [i, value] : llvm::enumerate(operands.captured))
    indices[value] = i;
  llvm::DenseSet<Value> tied;
  Operation *end = region.getBody().front().getTerminator();
  for (auto [i, result] : llvm::enumerate(end->getOperands())) {
    Value target = findTied(region, result);
    // An operand is updated at most once.
    bool ties = target && tied.insert(target).second;
    operands.ties.push_back(ties ? int64_t(indices.lookup(target))
                                 : util::TiedOpInterface::kUntied);
    if (!ties)
      llvm::append_range(operands.resultDims, region.getResultDynamicDims(i));
  }
  return operands;
}

/// Clones constants into the count region. Canonicalization may have moved them
/// out, because the region is not isolated.
static LogicalResult isolateCount(flow::DispatchRegionOp region,
                                  RewriterBase &rewriter) {
  Region &count = region.getWorkgroupCount();
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(count, captured);
  for (Value value : captured) {
    Operation *constant = value.getDefiningOp();
    if (!constant || !constant->hasTrait<OpTrait::ConstantLike>())
      return region.emitOpError()
             << "expected the region that counts workgroups to use its "
                "arguments and constants alone, got a "
             << value.getType() << " from outside";
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&count.front());
    replaceAllUsesInRegionWith(value, rewriter.clone(*constant)->getResult(0),
                               count);
  }
  return success();
}

FailureOr<flow::DispatchWorkgroupsOp>
flow::convertToWorkgroups(DispatchRegionOp region, RewriterBase &rewriter) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = region.getLoc();
  rewriter.setInsertionPoint(region);
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(region.getBody(), captured);
  if (failed(verifyCrosses(region,
                           ValueRange(captured.getArrayRef()).getTypes(),
                           "operands of a dispatch")) ||
      failed(verifyCrosses(region, region.getResultTypes(),
                           "results of a dispatch")) ||
      failed(isolateCount(region, rewriter)))
    return failure();

  Operands operands = getOperands(region, captured.getArrayRef(), rewriter);
  llvm::SmallVector<Value> arguments(captured.begin(), captured.end());
  llvm::append_range(arguments, operands.dims);
  llvm::append_range(arguments, operands.resultDims);
  auto dispatch = DispatchWorkgroupsOp::create(
      rewriter, loc, region.getWorkload(), region.getResultTypes(),
      region.getResultDims(), arguments, operands.dims, operands.ties,
      llvm::to_vector(region->getDiscardableAttrs()));

  // For a value that is passed in twice, the last argument counts.
  IRMapping inside;
  for (auto [i, argument] : llvm::enumerate(arguments))
    inside.map(argument, dispatch.getInputBlockArgument(i));
  auto dimsInside = [&](ValueRange dims) {
    return llvm::map_to_vector(dims,
                               [&](Value dim) { return inside.lookup(dim); });
  };

  Block &body = dispatch.getWorkgroupBody().front();
  rewriter.setInsertionPointToStart(&body);
  for (unsigned i = 0; i < captured.size(); ++i)
    if (auto type = dyn_cast<RankedTensorType>(arguments[i].getType()))
      inside.map(arguments[i],
                 DispatchTensorLoadOp::create(rewriter, loc, type,
                                              dispatch.getInputBlockArgument(i),
                                              dimsInside(operands.dimsOf(i))));

  Block &oldBody = region.getBody().front();
  Operation *end = oldBody.getTerminator();
  body.getOperations().splice(body.end(), oldBody.getOperations());
  dispatch.getWorkgroupBody().walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (Value value = inside.lookupOrNull(operand.get()))
        operand.set(value);
  });

  rewriter.setInsertionPoint(end);
  for (auto [i, result] : llvm::enumerate(end->getOperands())) {
    int64_t tie = operands.ties[i];
    ValueRange dims = tie < 0 ? region.getResultDynamicDims(i)
                              : ValueRange(operands.dimsOf(tie));
    DispatchTensorStoreOp::create(rewriter, loc, result,
                                  dispatch.getOutputBlockArgument(i),
                                  dimsInside(dims));
  }
  ReturnOp::create(rewriter, loc);
  rewriter.eraseOp(end);

  dispatch.getWorkgroupCount().takeBody(region.getWorkgroupCount());
  rewriter.replaceOp(region, dispatch.getResults());
  return dispatch;
}
