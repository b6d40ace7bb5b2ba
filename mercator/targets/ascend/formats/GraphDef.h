// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Writes a graph of GE as a frozen GraphDef of TensorFlow.
///
///   ascend.graph @rows { Data, Data, GatherV2, NetOutput }
///
/// becomes a GraphDef in which a Data node is a Placeholder, an operand of the
/// NetOutput is an Identity (`NetOutput_0`, `NetOutput_1`, ..), and an operator
/// is one node or a few. Names are those of Nodes.h, with `_` for characters
/// that TensorFlow does not allow in names.
///
/// Requires: the graph verifies and has static shapes. If TensorFlow cannot
/// express a node, reports an error with the operator, the type and a remedy,
/// writes nothing and fails. A GraphDef is at most 2 GiB.
///
/// Source: graph.proto and the operator registrations published by TensorFlow.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_GRAPHDEF_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_GRAPHDEF_H

#include "mercator/dialects/ascend/Ascend.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::ascend {

[[nodiscard]] llvm::LogicalResult writeGraphDef(GraphOp graph,
                                                llvm::raw_ostream &out);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_GRAPHDEF_H
