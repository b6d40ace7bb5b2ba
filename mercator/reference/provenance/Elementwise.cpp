// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Access rules of elementwise functions, with and without broadcasts.

#include "mercator/dialects/chlo/Chlo.h"
#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/provenance/AccessRules.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

/// Element d depends on element d of each operand, or on the scalar.
template <typename Op>
static LogicalResult traceElementwise(Op, Access &access) {
  for (int64_t place = 0; place < access.result(0).size(); ++place)
    for (size_t i = 0; i < access.operands.size(); ++i)
      access.reads(0, place,
                   access.at(i, access.tensor(i).rank() == 0 ? 0 : place));
  return success();
}

/// Dimension i of an operand is dimension dims[i] of the result; by default the
/// last dimensions of the result.
static LogicalResult traceBroadcast(Access &access,
                                    std::optional<ArrayRef<int64_t>> dims) {
  int64_t rank = access.result(0).rank();
  for (size_t i = 0; i < access.operands.size(); ++i) {
    ArrayRef<int64_t> shape = access.shape(i);
    int64_t own = int64_t(shape.size());
    access.forEach(0, [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> from;
      for (int64_t d = 0; d < own; ++d) {
        int64_t dim = own < rank && dims ? (*dims)[d] : rank - own + d;
        from.push_back(shape[d] == 1 ? 0 : index[dim]);
      }
      return access.at(i, from);
    });
  }
  return success();
}
template <typename Op>
static LogicalResult traceChloBroadcast(Op op, Access &access) {
  return traceBroadcast(access, op.getBroadcastDimensions());
}
static LogicalResult traceBroadcastSelect(chlo::BroadcastSelectOp,
                                          Access &access) {
  return traceBroadcast(access, std::nullopt);
}

/// The result equals the operand; also for tuples.
template <typename Op> static LogicalResult traceSame(Op, Access &access) {
  access.results[0].origin = access.operands[0].origin;
  return success();
}

/// The result depends on no element: it follows from attributes, from the shape
/// of an operand, or from the number of the process.
template <typename Op> static LogicalResult traceNothing(Op, Access &) {
  return success();
}

template <typename... Ops> static void addElementwise(AccessRules &rules) {
  (rules.add<Ops, traceElementwise<Ops>>(), ...);
}
template <typename... Ops> static void addBroadcasts(AccessRules &rules) {
  (rules.add<Ops, traceChloBroadcast<Ops>>(), ...);
}
template <typename... Ops> static void addSame(AccessRules &rules) {
  (rules.add<Ops, traceSame<Ops>>(), ...);
}
template <typename... Ops> static void addNothing(AccessRules &rules) {
  (rules.add<Ops, traceNothing<Ops>>(), ...);
}

void addElementwiseAccess(AccessRules &rules) {
  addElementwise<AbsOp, CbrtOp, CeilOp, ConvertOp, ClzOp, CosineOp, ExpOp,
                 Expm1Op, FloorOp, ImagOp, IsFiniteOp, LogOp, Log1pOp,
                 LogisticOp, NegOp, NotOp, PopulationCountOp, RealOp,
                 ReducePrecisionOp, RoundOp, RoundNearestEvenOp, RsqrtOp,
                 SignOp, SineOp, SqrtOp, TanOp, TanhOp, UniformQuantizeOp,
                 UniformDequantizeOp>(rules);
  addElementwise<AddOp, AndOp, Atan2Op, CompareOp, ComplexOp, DivOp, MaxOp,
                 MinOp, MulOp, OrOp, PowOp, RemOp, ShiftLeftOp,
                 ShiftRightArithmeticOp, ShiftRightLogicalOp, SubtractOp, XorOp,
                 ClampOp, SelectOp>(rules);
  addElementwise<chlo::AcosOp, chlo::AcoshOp, chlo::AsinOp, chlo::AsinhOp,
                 chlo::AtanOp, chlo::AtanhOp, chlo::BesselI1eOp, chlo::ConjOp,
                 chlo::CoshOp, chlo::DigammaOp, chlo::ErfOp, chlo::ErfInvOp,
                 chlo::ErfcOp, chlo::IsInfOp, chlo::IsNegInfOp,
                 chlo::IsPosInfOp, chlo::LgammaOp, chlo::SinhOp, chlo::SquareOp,
                 chlo::TanOp, chlo::AsinAcosKernelOp, chlo::NextAfterOp,
                 chlo::PolygammaOp, chlo::ZetaOp, chlo::MulhiOp>(rules);
  addBroadcasts<
      chlo::BroadcastAddOp, chlo::BroadcastAndOp, chlo::BroadcastAtan2Op,
      chlo::BroadcastCompareOp, chlo::BroadcastComplexOp, chlo::BroadcastDivOp,
      chlo::BroadcastMaxOp, chlo::BroadcastMinOp, chlo::BroadcastMulOp,
      chlo::BroadcastNextAfterOp, chlo::BroadcastOrOp,
      chlo::BroadcastPolygammaOp, chlo::BroadcastPowOp, chlo::BroadcastRemOp,
      chlo::BroadcastShiftLeftOp, chlo::BroadcastShiftRightArithmeticOp,
      chlo::BroadcastShiftRightLogicalOp, chlo::BroadcastSubOp,
      chlo::BroadcastXorOp, chlo::BroadcastZetaOp>(rules);
  rules.add<chlo::BroadcastSelectOp, traceBroadcastSelect>();
  addSame<hlo::CopyOp, hlo::ElementOp>(rules);
  addSame<sdy::AllGatherOp, sdy::AllReduceOp, sdy::AllSliceOp, sdy::AllToAllOp,
          sdy::CollectivePermuteOp, sdy::DataFlowEdgeOp,
          sdy::FuncDataFlowEdgeOp, sdy::PropagationBarrierOp,
          sdy::ReduceScatterOp, sdy::ReplicatedToUnreducedOp, sdy::ReshardOp,
          sdy::ShardedToUnreducedOp, sdy::ShardingConstraintOp>(rules);
  addNothing<ConstantOp, IotaOp, DynamicIotaOp, GetDimensionSizeOp,
             PartitionIdOp, ReplicaIdOp, CreateTokenOp, chlo::ConstantOp,
             chlo::ConstantLikeOp>(rules);
}

} // namespace mercator::reference
