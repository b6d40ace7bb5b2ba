// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of `chlo`, except scan and ragged_dot.

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/analysis/maps/Model.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;

namespace {

MapSet broadcastMaps(const Query &q,
                     std::optional<llvm::ArrayRef<int64_t>> given) {
  if (!q.isStatic)
    return q.dynamic();
  return broadcast(q.arena, q.direction, q.in, q.out,
                   chlo::broadcastDims(q.in.size(), q.out.size(), given));
}
template <typename Op> MapSet broadcastMaps(Op op, const Query &q) {
  return broadcastMaps(q, op.getBroadcastDimensions());
}
MapSet broadcastSelectMaps(chlo::BroadcastSelectOp, const Query &q) {
  return broadcastMaps(q, std::nullopt);
}
template <typename... Ops> void attachBroadcast(mlir::MLIRContext *context) {
  (attach<Ops, broadcastMaps<Ops>>(context), ...);
}

/// Only the shape of the operand matters: no element is read.
MapSet constantLikeMaps(chlo::ConstantLikeOp, const Query &q) {
  return q.nothing();
}

/// The largest elements of a row depend on the whole row.
MapSet topKMaps(chlo::TopKOp, const Query &q) {
  return q.along([&](int64_t dim) { return dim + 1 == (int64_t)q.in.size(); });
}

} // namespace

void maps::attachChloMaps(mlir::MLIRContext *context) {
  using namespace chlo;
  attachElementwise<AcosOp, AcoshOp, AsinOp, AsinhOp, AtanOp, AtanhOp,
                    BesselI1eOp, ConjOp, CoshOp, DigammaOp, ErfOp, ErfInvOp,
                    ErfcOp, IsInfOp, IsNegInfOp, IsPosInfOp, LgammaOp, SinhOp,
                    SquareOp, TanOp, AsinAcosKernelOp, NextAfterOp, PolygammaOp,
                    ZetaOp, MulhiOp>(context);
  attachBroadcast<BroadcastAddOp, BroadcastAndOp, BroadcastAtan2Op,
                  BroadcastCompareOp, BroadcastComplexOp, BroadcastDivOp,
                  BroadcastMaxOp, BroadcastMinOp, BroadcastMulOp,
                  BroadcastNextAfterOp, BroadcastOrOp, BroadcastPolygammaOp,
                  BroadcastPowOp, BroadcastRemOp, BroadcastShiftLeftOp,
                  BroadcastShiftRightArithmeticOp, BroadcastShiftRightLogicalOp,
                  BroadcastSubOp, BroadcastXorOp, BroadcastZetaOp>(context);
  attach<BroadcastSelectOp, broadcastSelectMaps>(context);
  attach<ConstantLikeOp, constantLikeMaps>(context);
  attach<TopKOp, topKMaps>(context);
  attachSources<ConstantOp>(context);
  attachRaggedDotMaps(context);
  attachScanMaps(context);
}
