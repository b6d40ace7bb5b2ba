// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How a dispatch region, which sees the values around it, becomes a dispatch
/// that is handed all it uses.
///
///   %0 = tensor.empty() : tensor<4xf32>
///   %1 = flow.dispatch.region -> (tensor<4xf32>) {
///     %2 = linalg.exp ins(%a) outs(%0) -> tensor<4xf32>
///     flow.return %2 : tensor<4xf32>
///   }
///
/// First it gets copies of what is computed again (Cloneable.h), here
/// tensor.empty; then it is
///
///   %1 = flow.dispatch.workgroups(%a) : (tensor<4xf32>) -> tensor<4xf32> =
///       (%in: !flow.dispatch.tensor<readonly:tensor<4xf32>>,
///        %out: !flow.dispatch.tensor<writeonly:tensor<4xf32>>) {
///     %3 = flow.dispatch.tensor.load %in, ...
///     %0 = tensor.empty() : tensor<4xf32>
///     %2 = linalg.exp ins(%3) outs(%0) -> tensor<4xf32>
///     flow.dispatch.tensor.store %2, %out, ...
///     flow.return
///   }
///
/// The operands are the values used, in the order of their first use, then the
/// extents of those that are tensors, then those of the results that are not
/// tied. A result is tied to the operand whose storage it would update.
///
/// Both take time linear in the region and what is cloned into it.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_REGIONTOWORKGROUPS_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_REGIONTOWORKGROUPS_H

#include "mercator/dialects/flow/Flow.h"
#include "mercator/transforms/flow/formation/Cloneable.h"

namespace mercator::flow {

/// Clones into `region` what its operations use, directly or through other
/// clones, and is cloneable. A tensor that is updated there, as the destination
/// of an insert_slice, is not computed again.
void cloneProducers(DispatchRegionOp region,
                    int64_t maxConstantBytes = inlineConstantsMaxBytes);

/// Replaces `region` by a dispatch. Diagnoses a region that uses or makes a
/// tensor that no dispatch can be handed, one without rank or one of indices,
/// and leaves it.
llvm::FailureOr<DispatchWorkgroupsOp>
convertToWorkgroups(DispatchRegionOp region, mlir::RewriterBase &rewriter);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_REGIONTOWORKGROUPS_H
