// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Graphs of Ascend's Graph Engine.

#ifndef MERCATOR_REFERENCE_ASCEND_GRAPH_H
#define MERCATOR_REFERENCE_ASCEND_GRAPH_H

#include "mercator/dialects/ascend/Ascend.h"
#include "mercator/reference/core/Evaluator.h"

namespace mercator::reference {

/// Evaluates a graph: an argument for each Data, in the order of their indices;
/// what NetOutput takes.
llvm::FailureOr<std::vector<Value>> callGraph(Evaluator &evaluator,
                                              ascend::GraphOp graph,
                                              llvm::ArrayRef<Value> arguments);

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_ASCEND_GRAPH_H
