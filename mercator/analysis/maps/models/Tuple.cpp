// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that hand values on: tuples, futures, barriers. A map of a tuple
// or a future speaks of the member that the operation puts in or takes out.

#include "mercator/analysis/maps/Model.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::maps;

namespace {

MapSet barrierMaps(stablehlo::OptimizationBarrierOp, const Query &q) {
  return q.operand == q.result ? q.identity() : q.nothing();
}
MapSet tupleMaps(stablehlo::TupleOp, const Query &q) {
  return Map::identity(q.arena, q.in);
}
MapSet tupleElementMaps(stablehlo::GetTupleElementOp, const Query &q) {
  return Map::identity(q.arena, q.out);
}
/// Result i is leaf i of the future.
MapSet asyncDoneMaps(stablehlo::AsyncDoneOp, const Query &q) {
  return Map::identity(q.arena, q.out);
}

} // namespace

void maps::attachTupleMaps(mlir::MLIRContext *context) {
  using namespace stablehlo;
  attach<OptimizationBarrierOp, barrierMaps>(context);
  attach<TupleOp, tupleMaps>(context);
  attach<GetTupleElementOp, tupleElementMaps>(context);
  attach<AsyncDoneOp, asyncDoneMaps>(context);
}
