// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise operations: element d is computed from the elements d of the
// operands.

#include "mercator/analysis/maps/Model.h"
#include "mercator/analysis/maps/RegionReads.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::maps;
using namespace mercator::stablehlo;

namespace {

/// An operand that the body ignores is not read.
MapSet mapMaps(MapOp op, const Query &q) {
  BodyReads reads = bodyReads(op.getComputation(), 0);
  if (!reads.arguments[q.operand])
    return q.nothing();
  MapSet maps = elementwiseMaps(op, q);
  if (reads.exact)
    return maps;
  return q.approximate(
      maps.front().map,
      "map: the reads of its computation are not known exactly");
}

} // namespace

void maps::attachElementwiseMaps(mlir::MLIRContext *context) {
  attachElementwise<
      // One operand.
      AbsOp, CbrtOp, CeilOp, ConvertOp, ClzOp, CosineOp, ExpOp, Expm1Op,
      FloorOp, ImagOp, IsFiniteOp, LogOp, Log1pOp, LogisticOp, NegOp, NotOp,
      PopulationCountOp, RealOp, ReducePrecisionOp, RoundOp, RoundNearestEvenOp,
      RsqrtOp, SignOp, SineOp, SqrtOp, TanOp, TanhOp, UniformQuantizeOp,
      UniformDequantizeOp,
      // Two operands.
      AddOp, AndOp, Atan2Op, CompareOp, ComplexOp, DivOp, MaxOp, MinOp, MulOp,
      OrOp, PowOp, RemOp, ShiftLeftOp, ShiftRightArithmeticOp,
      ShiftRightLogicalOp, SubtractOp, XorOp,
      // Three operands.
      ClampOp, SelectOp>(context);
  attach<MapOp, mapMaps>(context);
}
