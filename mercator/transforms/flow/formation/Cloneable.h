// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The operations that a dispatch recomputes in place of taking their results
/// as operands: constants, fills, casts, index arithmetic, slices, and
/// unwritten tensors of any shape.
///
///   %0 = tensor.empty() : tensor<4xf32>                    cloneable
///   %1 = linalg.fill ins(%c) outs(%0) -> tensor<4xf32>     cloneable
///   %2 = linalg.add ins(%a, %1) outs(%0) -> tensor<4xf32>  not: a dispatch
///
/// Source: the seed's createFormDispatchWorkgroupsPass. Two conditions are
/// stricter than IREE's: an operation on numbers is cloneable only if it has no
/// effects (IREE clones calls) and no regions.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_CLONEABLE_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_CLONEABLE_H

#include "mlir/IR/Operation.h"

namespace mercator::flow {

/// The default limit in bytes on dense constants that are cloned.
constexpr int64_t inlineConstantsMaxBytes = 256;

/// Whether `op` is cloned into dispatches that use its results. A dense
/// constant is cloneable up to `maxConstantBytes`, a splat always.
bool isCloneable(mlir::Operation *op,
                 int64_t maxConstantBytes = inlineConstantsMaxBytes);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_CLONEABLE_H
