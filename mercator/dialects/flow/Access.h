// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What loads and stores of dispatches have in common.

#ifndef MERCATOR_DIALECTS_FLOW_ACCESS_H
#define MERCATOR_DIALECTS_FLOW_ACCESS_H

#include "mercator/dialects/flow/Flow.h"

namespace mercator::flow {

/// Which of the dimensions, of size 1, a tensor of that shape leaves out of a
/// slice of these sizes, the innermost first; none where the tensor cannot be
/// the slice.
std::optional<llvm::SmallBitVector>
findDroppedDims(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> shape);

} // namespace mercator::flow

#endif // MERCATOR_DIALECTS_FLOW_ACCESS_H
