// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Checks that a dispatch writes each element of its results exactly once.

#ifndef MERCATOR_DIALECTS_FLOW_VERIFYWRITES_H
#define MERCATOR_DIALECTS_FLOW_VERIFYWRITES_H

#include "mercator/dialects/flow/Flow.h"

namespace mercator::flow {

/// Emits an error at a store in `body` that writes an element of a `writeonly`
/// argument for the second time, and for stores that together omit elements of
/// one. Only certain errors are reported: errors of stores that run once and
/// whose slices are static. A body with several blocks, or a body that asks for
/// its workgroup, may do anything. A tensor that is stored to in a loop or
/// branch, or that is an operand of another kind of operation, may be written
/// there.
llvm::LogicalResult verifyWritesOnce(mlir::Region &body);

} // namespace mercator::flow

#endif // MERCATOR_DIALECTS_FLOW_VERIFYWRITES_H
