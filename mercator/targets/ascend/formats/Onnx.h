// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A graph of GE as a model of ONNX: what other programs can run and compare.
///
///   ascend.graph @rows { Data, Data, GatherV2, NetOutput }
///
/// becomes a ModelProto of opset 18 of ai.onnx whose graph `rows` has the Data
/// nodes as inputs, the NetOutput's operands as outputs, and a node or a few
/// for each operator. Names are those of Nodes.h.
///
/// Requires a graph that verifies, of static shapes. Fails after an error at
/// the node that ONNX cannot express, which says the operator, the type and
/// what to do; nothing is written then. A model is at most 2 GiB.
///
/// Source: onnx.proto and the operators' descriptions that ONNX publishes.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_ONNX_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_ONNX_H

#include "mercator/dialects/ascend/Ascend.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::ascend {

[[nodiscard]] llvm::LogicalResult writeOnnx(GraphOp graph,
                                            llvm::raw_ostream &out);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_ONNX_H
