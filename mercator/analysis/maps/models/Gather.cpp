// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that read at offsets which another operand holds.

#include "mercator/analysis/maps/models/Model.h"
#include "mercator/analysis/values/KnownValues.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Value;

namespace {

SmallVector<IndexValue> startsFrom(Arena &arena, mlir::OperandRange indices) {
  SmallVector<IndexValue> starts;
  Domain nothing; // a scalar stands at no index
  for (Value index : indices)
    starts.push_back(indexValue(arena, nothing, index, {}));
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
  SmallVector<IndexValue> starts = startsFrom(q.arena, op.getStartIndices());
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

  auto read = [&](const Domain &domain, ArrayRef<Expr> at) {
    return indexValue(q.arena, domain, op.getStartIndices(), at);
  };
  g.read = read;
  return gatherOperand(q.arena, q.direction, g);
}

/// result[b.., o.., i.., p..] = operand[b.., o.., index[b.., i..], p..], which
/// is a gather of slices of size 1 in the dimension that is selected from.
MapSet torchIndexSelectMaps(stablehlo::TorchIndexSelectOp op, const Query &q) {
  auto operandType =
      llvm::cast<mlir::RankedTensorType>(op.getOperand().getType());
  auto indexType = llvm::cast<mlir::RankedTensorType>(op.getIndex().getType());
  if (!q.isStatic || !operandType.hasStaticShape() ||
      !indexType.hasStaticShape())
    return q.dynamic();
  ArrayRef<int64_t> operand = operandType.getShape(),
                    index = indexType.getShape();
  int64_t dim = op.getDim(), batch = op.getBatchDims(),
          chosen = (int64_t)index.size() - batch;
  if (operand.take_front(batch) != index.take_front(batch))
    return q.everything("torch_index_select: the batches of operand and index "
                        "differ");
  // Of an operand without elements nothing is selected.
  if (llvm::is_contained(operand, 0))
    return q.nothing();
  SmallVector<int64_t> offsetDims, batchDims, sliceSizes(operand);
  for (int64_t d = 0; d < (int64_t)operand.size(); ++d) {
    if (d < batch)
      batchDims.push_back(d);
    else if (d != dim)
      offsetDims.push_back(d < dim ? d : d - 1 + chosen);
    if (d < batch || d == dim)
      sliceSizes[d] = 1;
  }
  auto read = [&](const Domain &domain, ArrayRef<Expr> at) {
    return indexValue(q.arena, domain, op.getIndex(), at);
  };
  Gather g{.operand = operand,
           .indices = index,
           .result = q.out,
           .offsetDims = offsetDims,
           .collapsedSliceDims = dim,
           .operandBatchingDims = batchDims,
           .startIndicesBatchingDims = batchDims,
           .startIndexMap = dim,
           .indexVectorDim = (int64_t)index.size(),
           .sliceSizes = sliceSizes,
           .read = read};
  return q.operand == 0 ? gatherOperand(q.arena, q.direction, g)
                        : gatherIndices(q.arena, q.direction, g);
}

} // namespace

void maps::attachRuntimeMaps(mlir::MLIRContext *context) {
  attach<stablehlo::DynamicSliceOp, dynamicSliceMaps>(context);
  attach<stablehlo::DynamicUpdateSliceOp, dynamicUpdateSliceMaps>(context);
  attach<stablehlo::GatherOp, gatherMaps>(context);
  attach<stablehlo::TorchIndexSelectOp, torchIndexSelectMaps>(context);
}
