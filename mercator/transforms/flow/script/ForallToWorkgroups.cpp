// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/RegionToWorkgroups.h"
#include "mercator/transforms/flow/operations/Candidates.h"
#include "mercator/transforms/flow/script/Script.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

/// Why the loops cannot be workgroups; empty if they can.
static std::string findObstacle(scf::ForallOp op, ValueRange captured) {
  if (!op.isNormalized())
    return "expected loops that count from 0 by 1";
  if (op.getRank() == 0 || op.getRank() > 3)
    return "expected one to three loops";
  for (Value value : captured)
    if (!canCross(value.getType()) ||
        llvm::is_contained(op.getOutputs(), value))
      return "expected distinct operands that a dispatch can take";
  for (BlockArgument out : op.getRegionOutArgs()) {
    if (!canCross(out.getType()))
      return "expected distinct operands that a dispatch can take";
    // A workgroup sees elements written by others only in slices that no other
    // one has.
    for (OpOperand &use : out.getUses()) {
      auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(use.getOwner());
      bool isRead = isa<tensor::ExtractSliceOp>(use.getOwner()) &&
                    use.getOwner()->getBlock() == op.getBody();
      if (!isRead && !(insert && insert.getDest() == out))
        return "expected outputs that are read by tensor.extract_slice and "
               "written by tensor.parallel_insert_slice";
    }
  }
  if (!llvm::all_of(op.getTerminator().getYieldingOps(),
                    llvm::IsaPred<tensor::ParallelInsertSliceOp>))
    return "expected outputs that are written by tensor.parallel_insert_slice";
  return "";
}

/// The bounds are the numbers of workgroups. Dynamic bounds become the
/// workload.
static void buildCount(RewriterBase &rewriter, scf::ForallOp op,
                       DispatchWorkgroupsOp dispatch) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = op.getLoc();
  SmallVector<Type> types(dispatch.getWorkload().size(),
                          rewriter.getIndexType());
  Block *block = rewriter.createBlock(&dispatch.getWorkgroupCount(), {}, types,
                                      SmallVector<Location>(types.size(), loc));
  SmallVector<Value> counts;
  unsigned next = 0;
  for (OpFoldResult bound : op.getMixedUpperBound())
    counts.push_back(isa<Value>(bound) ? Value(block->getArgument(next++))
                                       : getValueOrCreateConstantIndexOp(
                                             rewriter, loc, bound));
  while (counts.size() < 3)
    counts.push_back(arith::ConstantIndexOp::create(rewriter, loc, 1));
  ReturnOp::create(rewriter, loc, counts);
}

FailureOr<DispatchWorkgroupsOp>
flow::convertForallToWorkgroups(RewriterBase &rewriter, scf::ForallOp op,
                                std::string &why) {
  llvm::SetVector<Value> above;
  getUsedValuesDefinedAbove(op.getRegion(), above);
  why = findObstacle(op, above.getArrayRef());
  if (!why.empty())
    return failure();

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<Value> arguments(above.begin(), above.end());
  llvm::append_range(arguments, op.getOutputs());
  SmallVector<Value> dims, resultDims;
  SmallVector<unsigned> firstDim;
  SmallVector<int64_t> ties;
  size_t handed = arguments.size();
  for (size_t i = 0; i < handed; ++i) {
    firstDim.push_back(dims.size());
    bool isOutput = i >= above.size();
    if (isOutput)
      ties.push_back(i);
    if (!isa<RankedTensorType>(arguments[i].getType()))
      continue;
    SmallVector<Value> extents = llvm::to_vector(
        util::buildDynamicDimsForValue(loc, arguments[i], rewriter));
    llvm::append_range(dims, extents);
    if (isOutput)
      llvm::append_range(resultDims, extents);
  }
  llvm::append_range(arguments, dims);
  SmallVector<Value> workload = llvm::to_vector(op.getDynamicUpperBound());
  auto dispatch =
      DispatchWorkgroupsOp::create(rewriter, loc, workload, op.getResultTypes(),
                                   resultDims, arguments, dims, ties);
  buildCount(rewriter, op, dispatch);

  Block &body = dispatch.getWorkgroupBody().front();
  rewriter.setInsertionPointToStart(&body);
  auto dimsInside = [&](size_t i) {
    SmallVector<Value> inside;
    unsigned count = util::getNumDynamicDims(arguments[i].getType());
    for (unsigned k = 0; k < count; ++k)
      inside.push_back(
          dispatch.getInputBlockArgument(handed + firstDim[i] + k));
    return inside;
  };
  IRMapping inside;
  for (size_t i = 0; i < above.size(); ++i) {
    Value argument = dispatch.getInputBlockArgument(i);
    if (auto type = dyn_cast<RankedTensorType>(arguments[i].getType()))
      argument = DispatchTensorLoadOp::create(rewriter, loc, type, argument,
                                              dimsInside(i));
    inside.map(arguments[i], argument);
  }
  for (auto [i, variable] : llvm::enumerate(op.getInductionVars()))
    inside.map(variable, DispatchWorkgroupIDOp::create(rewriter, loc, i));

  auto map = [&](ArrayRef<OpFoldResult> values) {
    return llvm::map_to_vector(values, [&](OpFoldResult value) {
      auto dynamic = dyn_cast<Value>(value);
      return dynamic ? OpFoldResult(inside.lookupOrDefault(dynamic)) : value;
    });
  };
  // The index of the operand for an output.
  auto indexOf = [&](Value out) {
    return above.size() + cast<BlockArgument>(out).getArgNumber() -
           op.getRank();
  };
  scf::InParallelOp end = op.getTerminator();
  for (Operation &inner : op.getBody()->without_terminator()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(inner);
    auto out = slice ? dyn_cast<BlockArgument>(slice.getSource()) : nullptr;
    if (!out || out.getOwner() != op.getBody()) {
      rewriter.clone(inner, inside);
      continue;
    }
    size_t at = indexOf(out);
    inside.map(slice.getResult(),
               DispatchTensorLoadOp::create(
                   rewriter, slice.getLoc(), slice.getType(),
                   dispatch.getInputBlockArgument(at), dimsInside(at),
                   map(slice.getMixedOffsets()), map(slice.getMixedSizes()),
                   map(slice.getMixedStrides())));
  }
  for (Operation &inner : end.getYieldingOps()) {
    auto insert = cast<tensor::ParallelInsertSliceOp>(inner);
    size_t at = indexOf(insert.getDest());
    DispatchTensorStoreOp::create(
        rewriter, insert.getLoc(), inside.lookupOrDefault(insert.getSource()),
        dispatch.getInputBlockArgument(at), dimsInside(at),
        map(insert.getMixedOffsets()), map(insert.getMixedSizes()),
        map(insert.getMixedStrides()));
  }
  ReturnOp::create(rewriter, loc);
  rewriter.replaceOp(op, dispatch.getResults());
  return dispatch;
}
