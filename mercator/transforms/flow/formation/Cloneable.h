// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Which operations a dispatch computes again for itself instead of being
/// handed their results: constants, fills, casts, the arithmetic of indices,
/// slices, and what nobody has written, in whatever shape.
///
///   %0 = tensor.empty() : tensor<4xf32>                    cloneable
///   %1 = linalg.fill ins(%c) outs(%0) -> tensor<4xf32>     cloneable
///   %2 = linalg.add ins(%a, %1) outs(%0) -> tensor<4xf32>  not: a dispatch
///
/// Source: the seed's createFormDispatchWorkgroupsPass. Two things are
/// stricter than IREE's rule: an operation on numbers is cloneable only if it
/// has no effects (IREE clones calls) and no regions.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_CLONEABLE_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_CLONEABLE_H

#include "mlir/IR/Operation.h"

namespace mercator::flow {

/// Dense constants up to this many bytes are cloned where nothing else is said.
constexpr int64_t inlineConstantsMaxBytes = 256;

/// Whether a dispatch that uses results of `op` gets a copy of it. A dense
/// constant is cloneable up to `maxConstantBytes`, a splat always.
bool isCloneable(mlir::Operation *op,
                 int64_t maxConstantBytes = inlineConstantsMaxBytes);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_CLONEABLE_H
