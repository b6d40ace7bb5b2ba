// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gather, dynamic_gather, torch_index_select.

#include "mercator/analysis/maps/models/ShapeOperands.h"
#include "mercator/analysis/values/KnownValues.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::RankedTensorType;
using mlir::Value;

namespace {

/// The dimension numbers of a gather; its sizes, and how its indices are read,
/// are not filled in.
Gather gatherWith(stablehlo::GatherDimensionNumbersAttr dims) {
  Gather g;
  g.offsetDims = dims.getOffsetDims();
  g.collapsedSliceDims = dims.getCollapsedSliceDims();
  g.operandBatchingDims = dims.getOperandBatchingDims();
  g.startIndicesBatchingDims = dims.getStartIndicesBatchingDims();
  g.startIndexMap = dims.getStartIndexMap();
  g.indexVectorDim = dims.getIndexVectorDim();
  return g;
}

/// The maps of the operand or of the indices. Requires: all fields but `read`
/// are filled in.
MapSet mapsOfGather(const Query &q, Gather g, Value startIndices) {
  if (q.operand == 1)
    return gatherIndices(q.arena, q.direction, g);
  auto read = [&](const Domain &domain, ArrayRef<Expr> at) {
    return indexValue(q.arena, domain, startIndices, at);
  };
  g.read = read;
  return gatherOperand(q.arena, q.direction, g);
}

MapSet staticGatherMaps(const Query &q, Value operand, Value startIndices,
                        stablehlo::GatherDimensionNumbersAttr dims,
                        ArrayRef<int64_t> sliceSizes) {
  RankedTensorType operandType = tensorOf(operand),
                   indicesType = tensorOf(startIndices);
  if (!q.isStatic || !indicesType.hasStaticShape() ||
      !operandType.hasStaticShape())
    return q.dynamic();
  if (!fitsInto(sliceSizes, operandType.getShape()))
    return q.everything("gather: the slice is larger than the operand");
  Gather g = gatherWith(dims);
  g.operand = operandType.getShape();
  g.indices = indicesType.getShape();
  g.result = q.out;
  g.sliceSizes = sliceSizes;
  return mapsOfGather(q, g, startIndices);
}

MapSet gatherMaps(stablehlo::GatherOp op, const Query &q) {
  return staticGatherMaps(q, op.getOperand(), op.getStartIndices(),
                          op.getDimensionNumbers(), op.getSliceSizes());
}

//===--- Slice sizes that are an operand ----------------------------------===//

/// The sizes that the operand holds. Else those that the result has: a slice
/// has size 1 in a dimension that the result does not have.
std::optional<SmallVector<int64_t>>
knownSliceSizes(stablehlo::DynamicGatherOp op, const Query &q,
                const GatherRoles &roles) {
  if (auto sizes = knownIntegers(q.arena, op.getSliceSizes()))
    return sizes;
  RankedTensorType out = tensorOf(op.getResult());
  if (!out.hasStaticShape())
    return std::nullopt;
  return llvm::map_to_vector(roles.offsetOf, [&](int64_t dim) {
    return dim >= 0 ? out.getDimSize(dim) : 1;
  });
}

MapSet dynamicGatherMaps(stablehlo::DynamicGatherOp op, const Query &q) {
  RankedTensorType in = tensorOf(op.getOperand()),
                   indices = tensorOf(op.getStartIndices());
  Gather g = gatherWith(op.getDimensionNumbers());
  // A start is clamped by the slice size of its own dimension.
  if (q.operand == 2) {
    MapSet maps;
    for (int64_t dim : g.startIndexMap)
      maps.insert({q.box(Interval::point(dim))});
    return g.startIndexMap.empty() ? MapSet(q.nothing()) : maps;
  }
  g.operand = in.getShape();
  g.indices = indices.getShape();
  GatherRoles roles(g);
  auto sizes = knownSliceSizes(op, q, roles);
  if (sizes && in.hasStaticShape() && indices.hasStaticShape() &&
      fitsInto(*sizes, in.getShape()) &&
      llvm::all_of(*sizes, [](int64_t size) { return size >= 0; })) {
    g.sliceSizes = *sizes;
    if (auto type = withSizes(tensorOf(op.getResult()), roles.resultSizes(g)))
      return staticGatherMaps(q.withResult(*type), op.getOperand(),
                              op.getStartIndices(), op.getDimensionNumbers(),
                              *sizes);
  }
  return q.everything("dynamic_gather: the sizes of the slices are known only "
                      "when the program runs");
}

//===--- torch_index_select -----------------------------------------------===//

/// result[b.., o.., i.., p..] = operand[b.., o.., index[b.., i..], p..], which
/// is a gather of slices of size 1 in the dimension that is selected from.
MapSet torchIndexSelectMaps(stablehlo::TorchIndexSelectOp op, const Query &q) {
  RankedTensorType operandType = tensorOf(op.getOperand()),
                   indexType = tensorOf(op.getIndex());
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
  // Nothing is selected from an operand without elements.
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
  Gather g{.operand = operand,
           .indices = index,
           .result = q.out,
           .offsetDims = offsetDims,
           .collapsedSliceDims = dim,
           .operandBatchingDims = batchDims,
           .startIndicesBatchingDims = batchDims,
           .startIndexMap = dim,
           .indexVectorDim = (int64_t)index.size(),
           .sliceSizes = sliceSizes};
  return mapsOfGather(q, g, op.getIndex());
}

} // namespace

void maps::attachGatherMaps(mlir::MLIRContext *context) {
  attach<stablehlo::GatherOp, gatherMaps>(context);
  attach<stablehlo::DynamicGatherOp, dynamicGatherMaps>(context);
  attach<stablehlo::TorchIndexSelectOp, torchIndexSelectMaps>(context);
}
