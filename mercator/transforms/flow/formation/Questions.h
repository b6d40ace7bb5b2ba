// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The three questions that decide whether an edge, from a producer to a
/// consumer, is inside one dispatch; each can be replaced without the others.
///
///   %0 = linalg.matmul ...                 producer, the root so far
///   %1 = linalg.add ins(%0, %b) ...        consumer
///
///   legality     can %0 be computed where %1 is, tile by tile?   maps, effects
///   profit       do the rules want it?                  uses, kinds of operand
///   feasibility  would it be one kernel?       outer loops, the buffer of %0
///
/// An answer is nothing, which is yes, or the one rule that says no. What
/// depends on the dispatch as a whole, the order of its users, is asked by
/// Grouping.cpp.
///
/// Source: the heuristic of the seed's createFormDispatchRegionsPass.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_QUESTIONS_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_QUESTIONS_H

#include "mercator/transforms/flow/formation/Reasons.h"

#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace mercator::flow {

/// Who takes whom in.
enum class Direction {
  pullProducer,    ///< a dispatch pulls in what one of its operations reads
  pushIntoConsumer ///< a dispatch goes where its root is read
};

struct Edge {
  mlir::Operation *producer = nullptr;
  mlir::Operation *consumer = nullptr;
  /// All operands of the consumer that are results of the producer.
  llvm::ArrayRef<mlir::OpOperand *> uses;
  Direction direction = Direction::pullProducer;
  /// Fuse producers of inputs and producers with several uses, without asking
  /// whether buffers can be shared.
  bool aggressive = false;
};

/// Whether the edge is possible at all. Requires: both in one block.
std::optional<Rule> askLegality(const Edge &edge);
/// Whether the rules want it. Requires: it is legal.
std::optional<Rule> askProfit(const Edge &edge);
/// Whether it would be one kernel. Requires: it is legal.
std::optional<Rule> askFeasibility(const Edge &edge);

/// The first no, in the order of the questions.
std::optional<Rule> ask(const Edge &edge);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_QUESTIONS_H
