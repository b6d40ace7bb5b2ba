// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Converts a dispatch region, which uses the values around it, to an isolated
/// dispatch with explicit operands.
///
///   %0 = tensor.empty() : tensor<4xf32>
///   %1 = flow.dispatch.region -> (tensor<4xf32>) {
///     %2 = linalg.exp ins(%a) outs(%0) -> tensor<4xf32>
///     flow.return %2 : tensor<4xf32>
///   }
///
/// First the operations that are recomputed (Cloneable.h) are cloned into it,
/// here tensor.empty. Then it becomes
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
/// The operands are the used values in the order of their first use, then the
/// extents of used tensors, then the extents of untied results. A result is
/// tied to the operand that it would update in place.
///
/// Both functions take time linear in the region and the clones.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_REGIONTOWORKGROUPS_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_REGIONTOWORKGROUPS_H

#include "mercator/dialects/flow/Flow.h"
#include "mercator/transforms/flow/formation/Cloneable.h"

namespace mercator::flow {

/// Clones into `region` the cloneable operations that its operations use,
/// directly or through other clones. A tensor that is updated there, as the
/// destination of an insert_slice, is not recomputed.
void cloneProducers(DispatchRegionOp region,
                    int64_t maxConstantBytes = inlineConstantsMaxBytes);

/// Replaces `region` by a dispatch. A region that uses or returns a tensor that
/// cannot be an operand of a dispatch (unranked, or of indices) is an error and
/// is kept.
llvm::FailureOr<DispatchWorkgroupsOp>
convertToWorkgroups(DispatchRegionOp region, mlir::RewriterBase &rewriter);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_REGIONTOWORKGROUPS_H
