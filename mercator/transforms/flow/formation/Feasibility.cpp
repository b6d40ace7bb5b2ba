// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/Candidates.h"
#include "mercator/transforms/flow/formation/Questions.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

/// One grid of workgroups must do for both. Where a dispatch goes into its
/// consumer, the consumer may have more parallel loops: they become serial.
static bool haveOneGrid(const Edge &edge, linalg::LinalgOp producer,
                        linalg::LinalgOp consumer) {
  unsigned made = countOuterParallelLoops(producer);
  unsigned read = countOuterParallelLoops(consumer);
  return edge.direction == Direction::pullProducer ? made == read
                                                   : made <= read;
}

/// Whether some result of the consumer can be written into the buffer of the
/// operand, or the operand is so much smaller that it needs none to speak of.
static std::optional<Rule> askInPlace(OpOperand *use, linalg::LinalgOp producer,
                                      linalg::LinalgOp consumer) {
  AffineMap read = consumer.getMatchingIndexingMap(use);
  // What contractions make is vectorised, and converted on the way.
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

std::optional<Rule> flow::askFeasibility(const Edge &edge) {
  auto producer = cast<linalg::LinalgOp>(edge.producer);
  auto consumer = cast<linalg::LinalgOp>(edge.consumer);
  if (!haveOneGrid(edge, producer, consumer))
    return Rule::outerParallel;
  if (edge.aggressive)
    return std::nullopt;
  for (OpOperand *use : edge.uses)
    if (std::optional<Rule> no = askInPlace(use, producer, consumer))
      return no;
  return std::nullopt;
}

std::optional<Rule> flow::ask(const Edge &edge) {
  if (std::optional<Rule> no = askLegality(edge))
    return no;
  if (std::optional<Rule> no = askProfit(edge))
    return no;
  return askFeasibility(edge);
}
