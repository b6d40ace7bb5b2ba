// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A graph for reading: one node a line, under the names that the file formats
/// give them.
///
///   graph embed
///     %table : f32[151936,896] = Data 0
///     %ids : i32[8] = Data 1
///     %GatherV2_0 : f32[8,896] = GatherV2(x=%table, indices=%ids, axis=0)
///     result %GatherV2_0
///
/// The same graph is always the same text. Nothing is written where it fails,
/// which it does after an error at a node whose name is no UTF-8.

#ifndef MERCATOR_TARGETS_ASCEND_TEXT_H
#define MERCATOR_TARGETS_ASCEND_TEXT_H

#include "mercator/dialects/ascend/Ascend.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::ascend {

[[nodiscard]] llvm::LogicalResult writeText(GraphOp graph,
                                            llvm::raw_ostream &os);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_TEXT_H
