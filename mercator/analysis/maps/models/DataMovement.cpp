// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that move elements to places known beforehand.

#include "mercator/analysis/maps/models/Model.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;

namespace {

MapSet broadcastInDimMaps(stablehlo::BroadcastInDimOp op, const Query &q) {
  return broadcast(q.arena, q.direction, q.in, q.out,
                   op.getBroadcastDimensions());
}

/// New dimensions in front of the operand's.
MapSet broadcastMaps(stablehlo::BroadcastOp op, const Query &q) {
  auto dims = llvm::to_vector(
      llvm::seq<int64_t>(q.out.size() - q.in.size(), q.out.size()));
  return broadcast(q.arena, q.direction, q.in, q.out, dims);
}

MapSet transposeMaps(stablehlo::TransposeOp op, const Query &q) {
  return transpose(q.arena, q.direction, q.in, op.getPermutation());
}

MapSet reverseMaps(stablehlo::ReverseOp op, const Query &q) {
  // The last element of a dynamic dimension is not known.
  if (llvm::any_of(op.getDimensions(),
                   [&](int64_t dim) { return !q.isStaticDim(dim); }))
    return q.approximate(q.along([&](int64_t dim) {
      return llvm::is_contained(op.getDimensions(), dim);
    }),
                         "a size is known only when the program runs");
  return reverse(q.arena, q.in, op.getDimensions());
}

MapSet sliceMaps(stablehlo::SliceOp op, const Query &q) {
  return slice(q.arena, q.direction, q.in, op.getStartIndices(),
               op.getLimitIndices(), op.getStrides());
}

MapSet reshapeMaps(stablehlo::ReshapeOp op, const Query &q) {
  if (!q.isStatic)
    return q.dynamic();
  if (!productFits(q.in))
    return q.tooLarge();
  return reshape(q.arena, q.from(), q.to());
}

MapSet concatenateMaps(stablehlo::ConcatenateOp op, const Query &q) {
  int64_t dim = op.getDimension(), offset = 0;
  for (mlir::Value before : op.getInputs().take_front(q.operand)) {
    auto type = llvm::cast<mlir::RankedTensorType>(before.getType());
    if (type.isDynamicDim(dim))
      return q.dynamic();
    offset += type.getDimSize(dim);
  }
  // The elements of a dynamic dimension have no last one.
  if (!fits(offset) || (!q.isStatic && offset > 0 && !fits(q.in[dim])))
    return q.dynamic();
  return concatenate(q.arena, q.direction, q.in, dim, offset);
}

/// A change of the element's width adds or removes a last dimension, which is
/// then read whole.
MapSet bitcastConvertMaps(stablehlo::BitcastConvertOp op, const Query &q) {
  if (q.in.size() == q.out.size())
    return q.identity();
  SmallVector<int64_t> source;
  for (size_t i = 0; i < q.to().size(); ++i)
    source.push_back(i < q.from().size() ? (int64_t)i : -1);
  return selectDims(q.arena, q.from(), q.to(), source);
}

MapSet padMaps(stablehlo::PadOp op, const Query &q) {
  SmallVector<int64_t> operand = sizesOf(op.getOperand().getType());
  auto type = llvm::cast<mlir::RankedTensorType>(op.getOperand().getType());
  for (auto [dim, low, high, interior] :
       llvm::enumerate(op.getEdgePaddingLow(), op.getEdgePaddingHigh(),
                       op.getInteriorPadding())) {
    // A dimension that is not padded need not be known.
    if (low == 0 && high == 0 && interior == 0 && operand[dim] == q.out[dim])
      continue;
    if (type.isDynamicDim(dim))
      return q.dynamic();
    if (!fits(low) || !fits(high) || !fits(interior) ||
        !productFits({operand[dim], interior + 1}))
      return q.tooLarge();
  }
  if (q.operand == 1)
    return padValue(q.arena, q.direction, operand, q.out,
                    op.getEdgePaddingLow(), op.getInteriorPadding());
  return pad(q.arena, q.direction, q.in, q.out, op.getEdgePaddingLow(),
             op.getEdgePaddingHigh(), op.getInteriorPadding());
}

} // namespace

void maps::attachDataMaps(mlir::MLIRContext *context) {
  attach<stablehlo::BroadcastInDimOp, broadcastInDimMaps>(context);
  attach<stablehlo::BroadcastOp, broadcastMaps>(context);
  attach<stablehlo::TransposeOp, transposeMaps>(context);
  attach<stablehlo::ReverseOp, reverseMaps>(context);
  attach<stablehlo::SliceOp, sliceMaps>(context);
  attach<stablehlo::ReshapeOp, reshapeMaps>(context);
  attach<stablehlo::ConcatenateOp, concatenateMaps>(context);
  attach<stablehlo::BitcastConvertOp, bitcastConvertMaps>(context);
  attach<stablehlo::PadOp, padMaps>(context);
  attachSources<stablehlo::ConstantOp, stablehlo::IotaOp>(context);
}
