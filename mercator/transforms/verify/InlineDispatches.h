// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A function without dispatches: what they compute is in its place, and
/// operations of flow on tensors are those of tensor.
///
///   %1 = flow.dispatch @f::@f(%0)     body: %t = load %arg0 ; %u = exp %t ;
///                                           store %u, %arg1
///   becomes %1 = exp %0
///
/// So the maps of a function are found through its dispatches (FunctionReads.h).
/// A load of a part is a slice, a store of a part an insertion.

#ifndef MERCATOR_TRANSFORMS_VERIFY_INLINEDISPATCHES_H
#define MERCATOR_TRANSFORMS_VERIFY_INLINEDISPATCHES_H

#include "mercator/transforms/verify/FunctionReads.h"

namespace mercator::verify {

/// A copy of the function beside it, under a name of its own, with dispatches
/// inlined as far as their bodies are straight code; null if it has no operation
/// of flow, or a tensor of unknown extent. The caller erases it.
[[nodiscard]] mlir::func::FuncOp
copyWithoutDispatches(mlir::func::FuncOp function);

/// readsOf(), through the dispatches of the function. The function is as before.
[[nodiscard]] FunctionReads readsThroughDispatches(mlir::func::FuncOp function,
                                                   indexing::Arena &arena,
                                                   ReadsOptions options = {});

} // namespace mercator::verify

#endif // MERCATOR_TRANSFORMS_VERIFY_INLINEDISPATCHES_H
