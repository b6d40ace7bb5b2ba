// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random number generators.

#include "mercator/analysis/maps/Model.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::maps;

namespace {

/// Every element depends on the two parameters of the distribution. The third
/// operand is the shape of the result.
MapSet rngMaps(stablehlo::RngOp, const Query &q) {
  return q.operand < 2 ? q.everything() : q.nothing();
}

/// Bits and next state depend on the whole state.
MapSet rngBitGeneratorMaps(stablehlo::RngBitGeneratorOp, const Query &q) {
  return q.everything();
}

} // namespace

void maps::attachRandomMaps(mlir::MLIRContext *context) {
  attach<stablehlo::RngOp, rngMaps>(context);
  attach<stablehlo::RngBitGeneratorOp, rngBitGeneratorMaps>(context);
}
