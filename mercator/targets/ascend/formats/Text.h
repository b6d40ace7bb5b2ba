// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Prints a graph for reading: one node a line, with the names of the file
/// formats.
///
///   graph rows
///     %table : f32[9,4] = input 0
///     %ids : i32[2,3] = input 1
///     %GatherV2_0 : f32[2,3,4] = GatherV2(x=%table, indices=%ids, axis=i32 0)
///     result 0 = %GatherV2_0
///
/// Inputs and attributes have GE's names; defaulted attributes are omitted.
/// Scalars and vectors of up to eight elements are printed where they are used.
/// A longer constant has its own line with the first elements and a hash.
///
/// Equal graphs give equal text. Fails after an error at a node whose name is
/// not UTF-8, or at a constant whose elements the text omits; then nothing is
/// written.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_TEXT_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_TEXT_H

#include "mercator/dialects/ascend/Ascend.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::ascend {

[[nodiscard]] llvm::LogicalResult writeText(GraphOp graph,
                                            llvm::raw_ostream &os);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_TEXT_H
