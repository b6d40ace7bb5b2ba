// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Which elements of its results a dispatch surely writes: each just once.

#ifndef MERCATOR_DIALECTS_FLOW_VERIFYWRITES_H
#define MERCATOR_DIALECTS_FLOW_VERIFYWRITES_H

#include "mercator/dialects/flow/Flow.h"

namespace mercator::flow {

/// Diagnoses a store in `body` that writes an element of one of its `writeonly`
/// arguments for the second time, and stores that together leave out elements
/// of one. Says so of what is certain alone: of stores that run once, whose
/// slices are static. A body with several blocks, or one that asks which
/// workgroup it is, may do anything; a tensor that is stored to in a loop or
/// branch, or handed to an operation of another kind, may be written there.
llvm::LogicalResult verifyWritesOnce(mlir::Region &body);

} // namespace mercator::flow

#endif // MERCATOR_DIALECTS_FLOW_VERIFYWRITES_H
