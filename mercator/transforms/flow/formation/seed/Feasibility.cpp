// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/seed/Questions.h"
#include "mercator/transforms/flow/operations/Candidates.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

/// Whether one grid of workgroups fits both. If a dispatch goes into its
/// consumer, the consumer may have more parallel loops: they become serial.
static bool haveOneGrid(const AskedEdge &edge, linalg::LinalgOp producer,
                        linalg::LinalgOp consumer) {
  unsigned made = countOuterParallelLoops(producer);
  unsigned read = countOuterParallelLoops(consumer);
  return edge.growth == Growth::PullProducer ? made == read : made <= read;
}

/// Whether a result of the consumer can be written into the buffer of the
/// operand, or the operand is too small to matter.
static std::optional<EdgeReason> askInPlace(OpOperand *use,
                                            linalg::LinalgOp producer,
                                            linalg::LinalgOp consumer) {
  AffineMap read = consumer.getMatchingIndexingMap(use);
  // The results of contractions are vectorized and converted on the way.
  bool elementsMatter =
      isGenericLike(producer) ||
      isa<linalg::ConvolutionOpInterface>(producer.getOperation());
  Type element = getElementTypeOrSelf(use->get());
  bool mapFits = false;
  for (OpOperand &init : consumer.getDpsInitsMutable()) {
    if (consumer.getMatchingIndexingMap(&init) != read && read.isPermutation())
      continue;
    mapFits = true;
    if (!elementsMatter || getElementTypeOrSelf(init.get()) == element)
      return std::nullopt;
  }
  return mapFits ? EdgeReason::InPlaceType : EdgeReason::InPlace;
}

void flow::askFeasibility(const AskedEdge &edge, Refusals &no) {
  auto producer = cast<linalg::LinalgOp>(edge.producer);
  auto consumer = cast<linalg::LinalgOp>(edge.consumer);
  if (!haveOneGrid(edge, producer, consumer))
    no.insert(EdgeReason::OuterParallel);
  if (edge.aggressive)
    return;
  for (OpOperand *use : edge.uses)
    if (std::optional<EdgeReason> failed = askInPlace(use, producer, consumer))
      no.insert(*failed);
}

Refusals flow::ask(const AskedEdge &edge) {
  Refusals no;
  askLegality(edge, no);
  askRule(edge, no);
  if (asLinalgOnTensors(edge.producer) && asLinalgOnTensors(edge.consumer)) {
    askProfit(edge, no);
    askFeasibility(edge, no);
  }
  return no;
}
