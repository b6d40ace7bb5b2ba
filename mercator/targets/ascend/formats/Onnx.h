// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Writes a graph of GE as an ONNX model, which other programs can run and
/// compare.
///
///   ascend.graph @rows { Data, Data, GatherV2, NetOutput }
///
/// becomes a ModelProto of opset 18 of ai.onnx. Its graph `rows` has the Data
/// nodes as inputs, the operands of the NetOutput as outputs, and one node or a
/// few for each operator. Names are those of Nodes.h.
///
/// Requires: the graph verifies and has static shapes. If ONNX cannot express a
/// node, reports an error with the operator, the type and a remedy, writes
/// nothing and fails. A model is at most 2 GiB.
///
/// Source: onnx.proto and the operator descriptions published by ONNX.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_ONNX_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_ONNX_H

#include "mercator/dialects/ascend/Ascend.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::ascend {

[[nodiscard]] llvm::LogicalResult writeOnnx(GraphOp graph,
                                            llvm::raw_ostream &out);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_ONNX_H
