// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A graph of GE as a frozen GraphDef of TensorFlow.
///
///   ascend.graph @rows { Data, Data, GatherV2, NetOutput }
///
/// becomes a GraphDef in which a Placeholder is a Data node, an Identity is an
/// operand of the NetOutput (`NetOutput_0`, `NetOutput_1`, ..), and a node or a
/// few are an operator. Names are those of Nodes.h, with `_` for what
/// TensorFlow's names cannot have.
///
/// Requires a graph that verifies, of static shapes. Fails after an error at
/// the node that TensorFlow cannot express, which says the operator, the type
/// and what to do; nothing is written then. A GraphDef is at most 2 GiB.
///
/// Source: graph.proto and the registrations of operators that TensorFlow
/// publishes.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_GRAPHDEF_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_GRAPHDEF_H

#include "mercator/dialects/ascend/Ascend.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::ascend {

[[nodiscard]] llvm::LogicalResult writeGraphDef(GraphOp graph,
                                                llvm::raw_ostream &out);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_GRAPHDEF_H
