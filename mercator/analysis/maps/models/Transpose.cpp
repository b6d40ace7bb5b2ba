// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// transpose and reverse.

#include "mercator/analysis/maps/Model.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;

namespace {

MapSet transposeMaps(stablehlo::TransposeOp op, const Query &q) {
  return transpose(q.arena, q.direction, q.in, op.getPermutation());
}

MapSet reverseMaps(stablehlo::ReverseOp op, const Query &q) {
  auto isReversed = [&](int64_t dim) {
    return llvm::is_contained(op.getDimensions(), dim);
  };
  // Where a reversed dimension ends is not known if its size is not.
  if (llvm::any_of(op.getDimensions(),
                   [&](int64_t dim) { return !q.isStaticDim(dim); }))
    return q.approximate(q.along(isReversed),
                         "a size is known only when the program runs");
  return reverse(q.arena, q.in, op.getDimensions());
}

} // namespace

void maps::attachTransposeMaps(mlir::MLIRContext *context) {
  attach<stablehlo::TransposeOp, transposeMaps>(context);
  attach<stablehlo::ReverseOp, reverseMaps>(context);
}
