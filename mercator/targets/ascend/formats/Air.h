// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A graph as the bytes of an `.air` file, which Ascend's tools take.
///
///   if (failed(writeAir(graph, os)))
///     return failure();            // the diagnostic is at the node
///
/// A file is one message (GeModel.proto) without a header: the nodes in the
/// order of the graph, each with the types of what it takes and makes, the
/// constants' elements inside. The same graph is always the same bytes.
///
/// Ensures: nothing is written where it fails. It fails after an error at the
/// node whose name is no UTF-8, or whose type GE lacks, and at the graph where
/// the file would be over 2 GB, protobuf's limit.
///
/// Source: the published schema `ge_ir.proto` and the files that TorchAir
/// writes.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_AIR_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_AIR_H

#include "mercator/dialects/ascend/Ascend.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::ascend {

[[nodiscard]] llvm::LogicalResult writeAir(GraphOp graph,
                                           llvm::raw_ostream &os);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_AIR_H
