// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Checks shared by loads and stores of dispatches.

#ifndef MERCATOR_DIALECTS_FLOW_ACCESS_H
#define MERCATOR_DIALECTS_FLOW_ACCESS_H

#include "mercator/dialects/flow/Flow.h"

namespace mercator::flow {

/// The dimensions of size 1 that a tensor of that shape omits from a slice of
/// these sizes. Among several choices the innermost dimensions are omitted.
/// None if the tensor cannot be the slice.
std::optional<llvm::SmallBitVector>
findDroppedDims(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> shape);

} // namespace mercator::flow

#endif // MERCATOR_DIALECTS_FLOW_ACCESS_H
