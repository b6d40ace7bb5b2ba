// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of `sdy`. Most of them change the placement of a tensor, not
// its elements.

#include "mercator/analysis/maps/Manual.h"

using namespace mercator;
using namespace mercator::maps;

void maps::attachSdyMaps(mlir::MLIRContext *context) {
  using namespace sdy;
  attachElementwise<AllGatherOp, AllReduceOp, AllSliceOp, AllToAllOp,
                    CollectivePermuteOp, DataFlowEdgeOp, FuncDataFlowEdgeOp,
                    PropagationBarrierOp, ReduceScatterOp,
                    ReplicatedToUnreducedOp, ReshardOp, ShardedToUnreducedOp,
                    ShardingConstraintOp>(context);
  attachComputationMaps(context);
}
