// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control, tuples, tokens, calls out, randomness.

#include "mercator/analysis/maps/models/Model.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::maps;

namespace {

MapSet barrierMaps(stablehlo::OptimizationBarrierOp, const Query &q) {
  return q.operand == q.result ? q.identity() : q.nothing();
}

// Maps of tuples and futures speak of the member that the operation puts in or
// takes out.
MapSet tupleMaps(stablehlo::TupleOp, const Query &q) {
  return Map::identity(q.arena, q.in);
}
/// The leaf of the future that this result is.
MapSet asyncDoneMaps(stablehlo::AsyncDoneOp, const Query &q) {
  return Map::identity(q.arena, q.out);
}
MapSet tupleElementMaps(stablehlo::GetTupleElementOp, const Query &q) {
  return Map::identity(q.arena, q.out);
}

// A token stands for all that has happened before it: what was sent, and what
// comes in after it, and the tokens before.
template <typename Op> MapSet orderedMaps(Op, const Query &q) {
  return q.everything();
}

/// The size only says how many elements there are.
MapSet setDimensionSizeMaps(stablehlo::SetDimensionSizeOp, const Query &q) {
  return q.operand == 0 ? q.identity() : q.nothing();
}

} // namespace

void maps::attachControlMaps(mlir::MLIRContext *context) {
  using namespace stablehlo;
  attach<OptimizationBarrierOp, barrierMaps>(context);
  attach<TupleOp, tupleMaps>(context);
  attach<GetTupleElementOp, tupleElementMaps>(context);
  attach<AsyncDoneOp, asyncDoneMaps>(context);
  attach<CustomCallOp, maps::customCallMaps>(context);
  attach<SetDimensionSizeOp, setDimensionSizeMaps>(context);
  attach<AfterAllOp, orderedMaps<AfterAllOp>>(context);
  attach<InfeedOp, orderedMaps<InfeedOp>>(context);
  attach<OutfeedOp, orderedMaps<OutfeedOp>>(context);
  attach<SendOp, orderedMaps<SendOp>>(context);
  attach<RecvOp, orderedMaps<RecvOp>>(context);
  attachSources<CreateTokenOp>(context);
}
