// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A graph for reading: one node a line, under the names that the file formats
/// give them.
///
///   graph rows
///     %table : f32[9,4] = input 0
///     %ids : i32[2,3] = input 1
///     %GatherV2_0 : f32[2,3,4] = GatherV2(x=%table, indices=%ids, axis=i32 0)
///     result 0 = %GatherV2_0
///
/// Inputs and attributes have GE's names; an attribute that is what it is where
/// nobody says so is left out. Scalars and vectors of up to eight elements
/// stand where they are used, of a longer constant the first elements and a
/// hash are on its own line.
///
/// The same graph is always the same text. Nothing is written where it fails,
/// which it does after an error at a node whose name is no UTF-8, or at a
/// constant whose elements its text leaves out.

#ifndef MERCATOR_TARGETS_ASCEND_FORMATS_TEXT_H
#define MERCATOR_TARGETS_ASCEND_FORMATS_TEXT_H

#include "mercator/dialects/ascend/Ascend.h"

#include "llvm/Support/raw_ostream.h"

namespace mercator::ascend {

[[nodiscard]] llvm::LogicalResult writeText(GraphOp graph,
                                            llvm::raw_ostream &os);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_FORMATS_TEXT_H
