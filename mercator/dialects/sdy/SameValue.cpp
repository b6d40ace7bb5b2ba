// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Apart from Sdy.cpp, which is compiled without optimization: walks over maps
// ask this of every operation.

#include "mercator/dialects/sdy/Sdy.h"

using namespace mercator::sdy;

bool mercator::sdy::isSameValue(mlir::Operation *op) {
  return llvm::isa<AllGatherOp, AllReduceOp, AllSliceOp, AllToAllOp,
                   CollectivePermuteOp, DataFlowEdgeOp, FuncDataFlowEdgeOp,
                   PropagationBarrierOp, ReduceScatterOp,
                   ReplicatedToUnreducedOp, ReshardOp, ShardedToUnreducedOp,
                   ShardingConstraintOp>(op);
}
