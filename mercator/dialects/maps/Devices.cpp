// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations between devices. The maps say which place of the operand is read;
// on which device it is they do not say, and so they are not exact.

#include "mercator/dialects/maps/Models.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;

namespace {

constexpr llvm::StringLiteral kElsewhere =
    ": the element may be that of another device";

/// Operand and result of one number belong together; element d meets element d.
template <typename Op> MapSet sameElementMaps(Op op, const Query &q) {
  if (op->getNumOperands() > 1 && q.operand != q.result)
    return q.nothing();
  return q.approximate(q.identity(), spelling(op) + kElsewhere);
}

/// The operands of the group stand one after the other along a dimension.
MapSet allGatherMaps(stablehlo::AllGatherOp op, const Query &q) {
  if (q.operand != q.result)
    return q.nothing();
  if (!q.isStatic)
    return q.dynamic();
  Arena &arena = q.arena;
  int64_t dim = op.getAllGatherDim();
  Map map = q.identity();
  if (!map.isKnownEmpty() && q.in[dim] != q.out[dim]) {
    int64_t count = q.out[dim] / q.in[dim];
    if (q.direction == Direction::OutToIn) {
      map.results[dim] = arena.mod(arena.dim(dim), q.in[dim]);
    } else {
      Expr device = map.domain.addRange(arena, Interval::ofSize(count));
      map.results[dim] =
          arena.add(arena.scale(device, q.in[dim]), arena.dim(dim));
    }
  }
  return q.approximate(std::move(map), spelling(op) + kElsewhere);
}

} // namespace

void maps::attachDeviceMaps(mlir::MLIRContext *context) {
  using namespace stablehlo;
  attach<AllGatherOp, allGatherMaps>(context);
  attach<AllReduceOp, sameElementMaps<AllReduceOp>>(context);
  attach<CrossReplicaSumOp, sameElementMaps<CrossReplicaSumOp>>(context);
  attach<CollectivePermuteOp, sameElementMaps<CollectivePermuteOp>>(context);
  attach<CollectiveBroadcastOp, sameElementMaps<CollectiveBroadcastOp>>(
      context);
  attachUnknown<ReduceScatterOp, AllToAllOp, PartitionIdOp, ReplicaIdOp>(
      context);
}
