// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules accept an edge if, by its maps, iteration (i, j, ...) of the outer
// parallel loops of the producer computes the element that iteration (i, j,
// ...) of the consumer reads:
//
//   producer (d0, d1, d2) -> (d0, d1)   d0, d1 outer parallel, d2 reduced
//   consumer (d0, d1) -> (d0, d1)       reads in the same order: yes
//            (d0, d1) -> (d1, d0)       no
//
// The second could be one dispatch too, with a transposed tile of the producer.

#include "mercator/transforms/flow/formation/seed/Questions.h"
#include "mercator/transforms/flow/operations/Candidates.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

/// Whether the first `count` dimensions are results of the map, in order, with
/// only other dimensions between them. Requires: a projected permutation.
static bool keepsOrder(AffineMap map, unsigned count) {
  unsigned seen = 0;
  for (AffineExpr result : map.getResults()) {
    unsigned position = cast<AffineDimExpr>(result).getPosition();
    if (position < count && position != seen++)
      return false;
  }
  return seen == count;
}

void flow::askLegality(const AskedEdge &edge, Refusals &no) {
  if (!hasNoEffects(edge.producer) || !hasNoEffects(edge.consumer))
    no.insert(EdgeReason::Effects);
}

void flow::askRule(const AskedEdge &edge, Refusals &no) {
  linalg::LinalgOp producer = asLinalgOnTensors(edge.producer);
  linalg::LinalgOp consumer = asLinalgOnTensors(edge.consumer);
  if (!producer || !consumer) {
    no.insert(EdgeReason::NotLinalg);
    return;
  }
  unsigned shared = countOuterParallelLoops(producer);
  for (OpOperand *use : edge.uses) {
    AffineMap made =
        producer.getIndexingMapMatchingResult(cast<OpResult>(use->get()));
    AffineMap read = consumer.getMatchingIndexingMap(use);
    if (!made.isProjectedPermutation() || !read.isProjectedPermutation())
      no.insert(EdgeReason::NotPermutation);
    else if (!keepsOrder(made, shared) || !keepsOrder(read, shared))
      no.insert(EdgeReason::LoopOrder);
  }
}
