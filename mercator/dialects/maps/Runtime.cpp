// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that read at offsets which another operand holds.

#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/maps/Constants.h"
#include "mercator/dialects/maps/Models.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Value;

namespace {

Start startFrom(Arena &arena, Value index) {
  Start start;
  start.constant = splatConstant(lookThroughCopies(index));
  if (!start.constant) {
    SourceName source = sourceName(index);
    start.source = arena.intern(source.name);
    start.element = source.element;
  }
  return start;
}

SmallVector<Start> startsFrom(Arena &arena, mlir::OperandRange indices) {
  SmallVector<Start> starts;
  for (Value index : indices)
    starts.push_back(startFrom(arena, index));
  return starts;
}

/// True if a box of sizes `inner` fits into one of sizes `outer`.
bool fitsInto(Sizes inner, Sizes outer) {
  return llvm::all_of(llvm::zip_equal(inner, outer), [](auto sizes) {
    return std::get<0>(sizes) <= std::get<1>(sizes);
  });
}

MapSet dynamicSliceMaps(stablehlo::DynamicSliceOp op, const Query &q) {
  if (q.operand > 0)
    return q.everything(); // each start is read for every element
  if (!q.isStatic)
    return q.dynamic();
  if (!fitsInto(q.out, q.in))
    return q.everything("dynamic_slice: the slice is larger than the operand");
  return dynamicSlice(q.arena, q.direction, q.in, q.out,
                      startsFrom(q.arena, op.getStartIndices()));
}

MapSet dynamicUpdateSliceMaps(stablehlo::DynamicUpdateSliceOp op,
                              const Query &q) {
  if (q.operand > 1)
    return q.everything();
  SmallVector<int64_t> update = sizesOf(op.getUpdate().getType());
  if (!q.isStatic ||
      !llvm::cast<mlir::RankedTensorType>(op.getUpdate().getType())
           .hasStaticShape())
    return q.operand == 0
               ? MapSet::approximate(
                     q.identity(), "a size is known only when the program runs")
               : q.dynamic();
  if (!fitsInto(update, q.out))
    return q.everything("dynamic_update_slice: the update is larger than the "
                        "operand");
  SmallVector<Start> starts = startsFrom(q.arena, op.getStartIndices());
  if (q.operand == 0)
    return dynamicUpdateSliceOperand(q.arena, q.out, update, starts);
  return dynamicUpdateSliceUpdate(q.arena, q.direction, q.out, update, starts);
}

MapSet gatherMaps(stablehlo::GatherOp op, const Query &q) {
  auto indicesType =
      llvm::cast<mlir::RankedTensorType>(op.getStartIndices().getType());
  if (!q.isStatic || !indicesType.hasStaticShape() ||
      !llvm::cast<mlir::RankedTensorType>(op.getOperand().getType())
           .hasStaticShape())
    return q.dynamic();
  stablehlo::GatherDimensionNumbersAttr dims = op.getDimensionNumbers();
  SmallVector<int64_t> operand = sizesOf(op.getOperand().getType());
  if (!fitsInto(op.getSliceSizes(), operand))
    return q.everything("gather: the slice is larger than the operand");
  SmallVector<int64_t> indices = sizesOf(indicesType);
  Gather g{.operand = operand,
           .indices = indices,
           .result = q.out,
           .offsetDims = dims.getOffsetDims(),
           .collapsedSliceDims = dims.getCollapsedSliceDims(),
           .operandBatchingDims = dims.getOperandBatchingDims(),
           .startIndicesBatchingDims = dims.getStartIndicesBatchingDims(),
           .startIndexMap = dims.getStartIndexMap(),
           .indexVectorDim = dims.getIndexVectorDim(),
           .sliceSizes = op.getSliceSizes()};
  if (q.operand == 1)
    return gatherIndices(q.arena, q.direction, g);

  SourceName source = sourceName(op.getStartIndices());
  g.source = q.arena.intern(source.name);
  g.element = source.element;
  Value origin = lookThroughCopies(op.getStartIndices());
  std::optional<int64_t> splat = splatConstant(origin);
  auto iota = origin.getDefiningOp<stablehlo::IotaOp>();
  // A copy into another shape keeps the elements' order, not their indices.
  if (iota && sizesOf(origin.getType()) != indices)
    iota = nullptr;
  auto known = [&](ArrayRef<Expr> at) {
    if (splat)
      return q.arena.constant(*splat);
    int64_t dim = iota.getIotaDimension();
    return dim < (int64_t)at.size() ? at[dim] : q.arena.constant(0);
  };
  if (splat || iota)
    g.known = known;
  return gatherOperand(q.arena, q.direction, g);
}

} // namespace

void maps::attachRuntimeMaps(mlir::MLIRContext *context) {
  attach<stablehlo::DynamicSliceOp, dynamicSliceMaps>(context);
  attach<stablehlo::DynamicUpdateSliceOp, dynamicUpdateSliceMaps>(context);
  attach<stablehlo::GatherOp, gatherMaps>(context);
  attachUnknown<stablehlo::TorchIndexSelectOp>(context);
}
