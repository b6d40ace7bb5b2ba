// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of whole dimensions.

#include "mercator/analysis/maps/models/Model.h"
#include "mercator/analysis/maps/models/RegionReads.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

#include "llvm/ADT/STLExtras.h"

using namespace mercator;
using namespace mercator::indexing;
using namespace mercator::maps;

namespace {

/// A result of a variadic reduction depends on the inputs and initial values
/// that the body puts into it.
MapSet reduceMaps(stablehlo::ReduceOp op, const Query &q) {
  unsigned inputs = op.getInputs().size();
  FoldReads reads = reductionReads(op, q.result);
  if (q.operand < inputs)
    return foldedMaps(reads.values[q.operand],
                      reduce(q.arena, q.direction, q.in, op.getDimensions()), q,
                      op);
  unsigned number = q.operand - inputs;
  auto type =
      llvm::cast<mlir::RankedTensorType>(op.getInputs().front().getType());
  // Of no elements at all the initial value is what is left.
  if (llvm::any_of(op.getDimensions(),
                   [&](int64_t dim) { return type.getDimSize(dim) == 0; }))
    return number == q.result ? q.everything() : q.nothing();
  return foldedMaps(reads.initial[number], q.everything(), q, op);
}

} // namespace

MapSet maps::foldedMaps(FoldReads::Of reads, Map map, const Query &q,
                        mlir::Operation *op) {
  switch (reads) {
  case FoldReads::Of::None:
    return q.nothing();
  case FoldReads::Of::All:
    return map;
  case FoldReads::Of::Some:
    break;
  }
  return q.approximate(std::move(map),
                       spelling(op) +
                           ": the reads of its body are not known exactly");
}

void maps::attachReductionMaps(mlir::MLIRContext *context) {
  attach<stablehlo::ReduceOp, reduceMaps>(context);
}
