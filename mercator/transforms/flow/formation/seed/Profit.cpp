// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/transforms/flow/formation/seed/Questions.h"
#include "mercator/transforms/flow/operations/Candidates.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::flow;

/// A dispatch pulls in the operation that initializes its root. In aggressive
/// mode, linalg.generic operations also pull in linalg.generic producers.
static void askPull(const AskedEdge &edge, linalg::LinalgOp producer,
                    linalg::LinalgOp consumer, Refusals &no) {
  for (OpOperand *use : edge.uses) {
    if (consumer.isDpsInit(use))
      continue;
    if (!edge.aggressive)
      no.insert(EdgeReason::Input);
    else if (!isGenericLike(producer) || !isGenericLike(consumer))
      no.insert(EdgeReason::NamedInput);
  }
}

/// A dispatch extends to an elementwise consumer.
static void askPush(const AskedEdge &edge, linalg::LinalgOp producer,
                    linalg::LinalgOp consumer, Refusals &no) {
  if (!isAllParallel(consumer))
    no.insert(EdgeReason::ReducingConsumer);
  if (isa<linalg::FillOp>(consumer))
    no.insert(EdgeReason::FillConsumer);
  if (!edge.aggressive && consumer.getNumLoops() > producer.getNumLoops())
    no.insert(EdgeReason::MoreLoops);
}

void flow::askProfit(const AskedEdge &edge, Refusals &no) {
  auto producer = cast<linalg::LinalgOp>(edge.producer);
  auto consumer = cast<linalg::LinalgOp>(edge.consumer);
  if (edge.growth == Growth::PullProducer)
    askPull(edge, producer, consumer, no);
  else
    askPush(edge, producer, consumer, no);
}
