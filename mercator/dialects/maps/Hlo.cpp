// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of the hlo dialect; fusions are in FusionMaps.cpp.

#include "mercator/dialects/hlo/Hlo.h"
#include "mercator/dialects/maps/Models.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;
using llvm::SmallVector;

namespace {

MapSet bitcastMaps(hlo::BitcastOp op, const Query &q) {
  if (!q.isStatic)
    return q.dynamic();
  auto in = llvm::cast<mlir::RankedTensorType>(op.getOperand().getType());
  auto out = llvm::cast<mlir::RankedTensorType>(op.getResult().getType());
  if (!productFits(q.in) || !productFits(q.out))
    return q.tooLarge();
  SmallVector<int64_t> inLayout = hlo::minorToMajor(in);
  SmallVector<int64_t> outLayout = hlo::minorToMajor(out);
  // As many bytes in another number of elements.
  int64_t inCount = in.getNumElements(), outCount = out.getNumElements();
  if (inCount != outCount && inCount > 0 && outCount > 0) {
    int64_t few = std::min(inCount, outCount),
            many = std::max(inCount, outCount);
    if (many % few != 0)
      return q.everything("bitcast: elements of the one type straddle those of "
                          "the other");
    bool back = q.direction == Direction::OutToIn;
    return bitcastWidth(q.arena, q.from(), back ? outLayout : inLayout, q.to(),
                        back ? inLayout : outLayout, many / few,
                        (back ? outCount : inCount) == many);
  }
  return q.direction == Direction::OutToIn
             ? bitcast(q.arena, q.out, outLayout, q.in, inLayout)
             : bitcast(q.arena, q.in, inLayout, q.out, outLayout);
}

} // namespace

void maps::attachHloMaps(mlir::MLIRContext *context) {
  attach<hlo::BitcastOp, bitcastMaps>(context);
  attachUnknown<hlo::OpaqueOp>(context);
  attachElementwise<hlo::CopyOp, hlo::ElementOp>(context);
}
