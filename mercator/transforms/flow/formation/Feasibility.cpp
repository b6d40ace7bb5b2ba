// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/Candidates.h"
#include "mercator/transforms/flow/formation/Questions.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

/// Whether one grid of workgroups fits both. If a dispatch goes into its
/// consumer, the consumer may have more parallel loops: they become serial.
static bool haveOneGrid(const Edge &edge, linalg::LinalgOp producer,
                        linalg::LinalgOp consumer) {
  unsigned made = countOuterParallelLoops(producer);
  unsigned read = countOuterParallelLoops(consumer);
  return edge.direction == Direction::pullProducer ? made == read
                                                   : made <= read;
}

/// Whether a result of the consumer can be written into the buffer of the
/// operand, or the operand is too small to matter.
static std::optional<Rule> askInPlace(OpOperand *use, linalg::LinalgOp producer,
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
  return mapFits ? Rule::inPlaceType : Rule::inPlace;
}

void flow::askFeasibility(const Edge &edge, Refusals &no) {
  auto producer = cast<linalg::LinalgOp>(edge.producer);
  auto consumer = cast<linalg::LinalgOp>(edge.consumer);
  if (!haveOneGrid(edge, producer, consumer))
    no.insert(Rule::outerParallel);
  if (edge.aggressive)
    return;
  for (OpOperand *use : edge.uses)
    if (std::optional<Rule> failed = askInPlace(use, producer, consumer))
      no.insert(*failed);
}

Refusals flow::ask(const Edge &edge) {
  Refusals no;
  askLegality(edge, no);
  askRule(edge, no);
  if (asLinalgOnTensors(edge.producer) && asLinalgOnTensors(edge.consumer)) {
    askProfit(edge, no);
    askFeasibility(edge, no);
  }
  return no;
}
