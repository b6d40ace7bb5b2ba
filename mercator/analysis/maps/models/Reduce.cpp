// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reduce.

#include "mercator/analysis/maps/Model.h"
#include "mercator/analysis/maps/RegionReads.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;

namespace {

/// A result of a variadic reduction depends on the inputs and initial values
/// that the body puts into it.
MapSet reduceMaps(stablehlo::ReduceOp op, const Query &q) {
  constexpr llvm::StringLiteral kName = "reduce";
  unsigned inputs = op.getInputs().size();
  FoldReads reads = reductionReads(op, q.result);
  if (q.operand < inputs)
    return foldedMaps(reads.values[q.operand],
                      reduce(q.arena, q.direction, q.in, op.getDimensions()), q,
                      kName);
  unsigned number = q.operand - inputs;
  auto type =
      llvm::cast<mlir::RankedTensorType>(op.getInputs().front().getType());
  // A reduction of no elements leaves the initial value.
  if (llvm::any_of(op.getDimensions(),
                   [&](int64_t dim) { return type.getDimSize(dim) == 0; }))
    return number == q.result ? q.everything() : q.nothing();
  return foldedMaps(reads.initial[number], q.everything(), q, kName);
}

} // namespace

void maps::attachReduceMaps(mlir::MLIRContext *context) {
  attach<stablehlo::ReduceOp, reduceMaps>(context);
}
