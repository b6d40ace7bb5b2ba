// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/Candidates.h"
#include "mercator/transforms/flow/formation/Questions.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

/// A dispatch pulls in what initialises its root; aggressively also what a
/// linalg.generic makes for a linalg.generic.
static std::optional<Rule> askPull(const Edge &edge, linalg::LinalgOp producer,
                                   linalg::LinalgOp consumer) {
  for (OpOperand *use : edge.uses) {
    if (consumer.isDpsInit(use))
      continue;
    if (!edge.aggressive)
      return Rule::input;
    if (!isGenericLike(producer) || !isGenericLike(consumer))
      return Rule::namedInput;
  }
  return std::nullopt;
}

/// A dispatch goes on into an elementwise consumer.
static std::optional<Rule> askPush(const Edge &edge, linalg::LinalgOp producer,
                                   linalg::LinalgOp consumer) {
  if (!isAllParallel(consumer))
    return Rule::reducingConsumer;
  if (isa<linalg::FillOp>(consumer))
    return Rule::fillConsumer;
  if (!edge.aggressive && consumer.getNumLoops() > producer.getNumLoops())
    return Rule::moreLoops;
  return std::nullopt;
}

std::optional<Rule> flow::askProfit(const Edge &edge) {
  auto producer = cast<linalg::LinalgOp>(edge.producer);
  auto consumer = cast<linalg::LinalgOp>(edge.consumer);
  return edge.direction == Direction::pullProducer
             ? askPull(edge, producer, consumer)
             : askPush(edge, producer, consumer);
}
