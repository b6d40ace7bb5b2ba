// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A graph as the bytes of an `.air` file, the input of Ascend's tools.
///
/// ```cpp (GraphOp graph, llvm::raw_ostream &os)
/// if (failed(writeAir(graph, os)))
///   return; // an error was reported at the node
/// ```
///
/// A file is one message (GeModel.proto) without a header: the nodes in the
/// order of the graph, each with the types of its inputs and outputs, and the
/// elements of constants. Equal graphs give equal bytes.
///
/// Fails after an error at a node whose name is not UTF-8 or whose element type
/// GE lacks, and at a graph whose file would exceed 2 GB, protobuf's limit.
/// Ensures: nothing is written on failure.
///
/// Source: the published schema `ge_ir.proto` and files written by TorchAir.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_AIR_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_AIR_H

#include "mercator/dialects/ascend/Ascend.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::ascend {

[[nodiscard]] llvm::LogicalResult writeAir(GraphOp graph,
                                           llvm::raw_ostream &os);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_AIR_H
