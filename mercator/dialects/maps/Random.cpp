// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers.

#include "mercator/dialects/maps/Models.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::maps;

namespace {

/// The parameters of the distribution and the shape, or the state: all of them,
/// for each element.
template <typename Op> MapSet wholeMaps(Op, const Query &q) {
  return q.everything();
}

} // namespace

void maps::attachRandomMaps(mlir::MLIRContext *context) {
  attach<stablehlo::RngOp, wholeMaps<stablehlo::RngOp>>(context);
  attach<stablehlo::RngBitGeneratorOp, wholeMaps<stablehlo::RngBitGeneratorOp>>(
      context);
}
