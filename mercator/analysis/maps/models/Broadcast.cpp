// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// broadcast_in_dim, dynamic_broadcast_in_dim, broadcast.

#include "mercator/analysis/maps/models/ShapeOperands.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "llvm/ADT/Sequence.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::ArrayRef;
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

/// A dimension that may have size 1 doubles the number of maps: one for size 1,
/// and one for the size of the result. Beyond two of them all are read whole.
MapSet dynamicBroadcastInDimMaps(stablehlo::DynamicBroadcastInDimOp op,
                                 const Query &q) {
  if (q.operand == 1) // the shape
    return q.nothing();
  mlir::RankedTensorType type = tensorOf(op.getOperand());
  SmallVector<int64_t> in = q.in, out = q.out;
  if (auto known = knownResult(q, op.getOutputDimensions()))
    out.assign(known->getShape().begin(), known->getShape().end());
  ArrayRef<int64_t> dims = op.getBroadcastDimensions();
  auto lists = [](std::optional<ArrayRef<int64_t>> list, int64_t dim) {
    return list && llvm::is_contained(*list, dim);
  };
  SmallVector<int64_t> unsure;
  for (int64_t i = 0, e = type.getRank(); i < e; ++i) {
    if (lists(op.getKnownExpandingDimensions(), i))
      in[i] = 1;
    if (!type.isDynamicDim(i) || in[i] == 1)
      continue;
    if (lists(op.getKnownNonexpandingDimensions(), i) || out[dims[i]] == 1)
      in[i] = out[dims[i]];
    else
      unsure.push_back(i);
  }
  constexpr llvm::StringLiteral kReason =
      "dynamic_broadcast_in_dim: whether a dimension has size 1 is known only "
      "when the program runs";
  if (unsure.size() > 2) {
    bool back = q.direction == Direction::OutToIn;
    SmallVector<int64_t> source(q.to().size(), -1);
    for (auto [i, dim] : llvm::enumerate(dims))
      if (!llvm::is_contained(unsure, (int64_t)i) && in[i] != 1)
        source[back ? i : dim] = back ? dim : (int64_t)i;
    return q.approximate(
        selectDims(q.arena, back ? out : in, back ? in : out, source), kReason);
  }
  MapSet maps;
  for (unsigned choice = 0; choice < 1u << unsure.size(); ++choice) {
    for (auto [bit, i] : llvm::enumerate(unsure))
      in[i] = choice >> bit & 1 ? 1 : out[dims[i]];
    OperandMap m{broadcast(q.arena, q.direction, in, out, dims), unsure.empty(),
                 unsure.empty() ? "" : kReason.str()};
    maps.insert(std::move(m));
  }
  return maps;
}

} // namespace

void maps::attachBroadcastMaps(mlir::MLIRContext *context) {
  using namespace stablehlo;
  attach<BroadcastInDimOp, broadcastInDimMaps>(context);
  attach<BroadcastOp, broadcastMaps>(context);
  attach<DynamicBroadcastInDimOp, dynamicBroadcastInDimMaps>(context);
}
