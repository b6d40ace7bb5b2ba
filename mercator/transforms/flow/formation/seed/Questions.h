// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The questions that decide whether an edge, from a producer to a consumer, is
/// inside one dispatch. Each can be replaced independently.
///
///   %0 = linalg.matmul ...                 producer, the root so far
///   %1 = linalg.add ins(%0, %b) ...        consumer
///
///   legality     can one dispatch hold both?                         effects
///   rule         do the rules see how, tile by tile?                    maps
///   profit       do the rules want it?                  uses, kinds of operand
///   feasibility  would it be one kernel?       outer loops, the buffer of %0
///
/// An answer is a list of all conditions that failed; none of them is yes. What
/// depends on the dispatch as a whole, the order of its users, is asked by
/// GroupByHeuristic.cpp.
///
/// Source: the heuristic of the seed's createFormDispatchRegionsPass.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_SEED_QUESTIONS_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_SEED_QUESTIONS_H

#include "mercator/transforms/flow/formation/Reasons.h"

#include "llvm/ADT/ArrayRef.h"

namespace mercator::flow {

/// The direction in which a dispatch grows.
enum class Growth {
  PullProducer,    ///< a dispatch pulls in a producer of an operand
  PushIntoConsumer ///< a dispatch moves to the user of its root
};

struct AskedEdge {
  mlir::Operation *producer = nullptr;
  mlir::Operation *consumer = nullptr;
  /// All operands of the consumer that are results of the producer.
  llvm::ArrayRef<mlir::OpOperand *> uses;
  Growth growth = Growth::PullProducer;
  /// Fuse producers of inputs and producers with several uses, and ignore
  /// whether buffers can be shared.
  bool aggressive = false;
};

/// Conditions that no dispatch can violate. Requires: both in one block.
void askLegality(const AskedEdge &edge, Refusals &no);
/// Cases that the rules do not cover.
void askRule(const AskedEdge &edge, Refusals &no);
/// Cases that the rules do not want. Requires: both are linalg operations on
/// tensors.
void askProfit(const AskedEdge &edge, Refusals &no);
/// Cases that would not be one kernel. Requires: the same.
void askFeasibility(const AskedEdge &edge, Refusals &no);

/// All failed conditions, in the order of the questions.
Refusals ask(const AskedEdge &edge);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_SEED_QUESTIONS_H
