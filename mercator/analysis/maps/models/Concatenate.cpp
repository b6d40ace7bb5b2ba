// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// concatenate.

#include "mercator/analysis/maps/Model.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;

namespace {

MapSet concatenateMaps(stablehlo::ConcatenateOp op, const Query &q) {
  int64_t dim = op.getDimension(), offset = 0;
  for (mlir::Value before : op.getInputs().take_front(q.operand)) {
    auto type = llvm::cast<mlir::RankedTensorType>(before.getType());
    if (type.isDynamicDim(dim))
      return q.dynamic();
    offset += type.getDimSize(dim);
  }
  // A dynamic dimension has no last element.
  if (!fits(offset) || (!q.isStatic && offset > 0 && !fits(q.in[dim])))
    return q.dynamic();
  return concatenate(q.arena, q.direction, q.in, dim, offset);
}

} // namespace

void maps::attachConcatenateMaps(mlir::MLIRContext *context) {
  attach<stablehlo::ConcatenateOp, concatenateMaps>(context);
}
