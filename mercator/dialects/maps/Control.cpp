// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control, tuples, tokens, calls out, randomness.

#include "mercator/dialects/maps/Models.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::maps;

namespace {

/// What is carried from one iteration to the next may read anything.
MapSet whileMaps(stablehlo::WhileOp, const Query &q) {
  return q.everything("while: what the loop reads is not analysed");
}

/// The condition; what the branches read are not operands.
template <typename Op> MapSet branchMaps(Op, const Query &q) {
  return q.everything();
}

MapSet barrierMaps(stablehlo::OptimizationBarrierOp, const Query &q) {
  return q.operand == q.result ? q.identity() : q.nothing();
}

// Maps of tuples speak of the member that the operation puts in or takes out.
MapSet tupleMaps(stablehlo::TupleOp, const Query &q) {
  return Map::identity(q.arena, q.in);
}
MapSet tupleElementMaps(stablehlo::GetTupleElementOp, const Query &q) {
  return Map::identity(q.arena, q.out);
}

MapSet customCallMaps(stablehlo::CustomCallOp op, const Query &q) {
  // An annotation: the value is the operand's.
  if (op.getCallTargetName() == "Sharding" && op->getNumOperands() == 1 &&
      op->getNumResults() == 1 && q.in == q.out)
    return q.identity();
  return q.everything("custom_call @" + op.getCallTargetName() +
                      ": what it reads is not known");
}

MapSet setDimensionSizeMaps(stablehlo::SetDimensionSizeOp, const Query &q) {
  return q.operand == 0 ? q.identity() : q.everything();
}

} // namespace

void maps::attachControlMaps(mlir::MLIRContext *context) {
  using namespace stablehlo;
  attach<WhileOp, whileMaps>(context);
  attach<IfOp, branchMaps<IfOp>>(context);
  attach<CaseOp, branchMaps<CaseOp>>(context);
  attach<OptimizationBarrierOp, barrierMaps>(context);
  attach<TupleOp, tupleMaps>(context);
  attach<GetTupleElementOp, tupleElementMaps>(context);
  attach<CustomCallOp, customCallMaps>(context);
  attach<SetDimensionSizeOp, setDimensionSizeMaps>(context);
  attachUnknown<CreateTokenOp, AfterAllOp, InfeedOp, OutfeedOp, SendOp, RecvOp>(
      context);
}
