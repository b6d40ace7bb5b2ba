// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants, iotas and dimension sizes. No element of an operand decides their
// values: at most a shape does.

#include "mercator/analysis/maps/Model.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::maps;

namespace {

/// The shape of the result.
MapSet dynamicIotaMaps(stablehlo::DynamicIotaOp, const Query &q) {
  return q.nothing();
}

/// The shape of the operand counts, no element.
MapSet getDimensionSizeMaps(stablehlo::GetDimensionSizeOp, const Query &q) {
  return q.nothing();
}

/// The size only says how many elements there are.
MapSet setDimensionSizeMaps(stablehlo::SetDimensionSizeOp, const Query &q) {
  return q.operand == 0 ? q.identity() : q.nothing();
}

} // namespace

void maps::attachConstantMaps(mlir::MLIRContext *context) {
  using namespace stablehlo;
  attachSources<ConstantOp, IotaOp>(context);
  attach<DynamicIotaOp, dynamicIotaMaps>(context);
  attach<GetDimensionSizeOp, getDimensionSizeMaps>(context);
  attach<SetDimensionSizeOp, setDimensionSizeMaps>(context);
}
