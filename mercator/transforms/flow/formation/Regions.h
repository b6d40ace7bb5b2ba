// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Making flow.dispatch.region, and changing what is in one.
///
///   %0 = linalg.matmul ... -> tensor<?x4xf32>
///   %1 = linalg.exp ins(%0) ...
///
/// as the region of the group {%0, %1}, whose workload is that of %1:
///
///   %r = flow.dispatch.region[%w0, %w1] -> (tensor<?x4xf32>{%n}) {
///     %0 = linalg.matmul ...
///     %1 = linalg.exp ins(%0) ...
///     flow.return %1 : tensor<?x4xf32>
///   } count(%a: index, %b: index) -> (index, index, index) {
///     %x, %y, %z = flow.dispatch.workgroup_count_from_dag_root %a, %b
///     flow.return %x, %y, %z : index, index, index
///   }
///
/// The functions of the second part change one region at a time, for scripts
/// and for single operations. Each costs as much as the uses that it touches.
///
/// Source: the seed's createFormDispatchRegionsPass.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_REGIONS_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_REGIONS_H

#include "mercator/dialects/flow/Flow.h"
#include "mercator/transforms/flow/extents/Extents.h"
#include "mercator/transforms/flow/formation/DispatchGroups.h"

#include "mlir/IR/PatternMatch.h"

namespace mercator::flow {

//===--- Whole functions --------------------------------------------------===//

/// Makes a region of each group, where its root is. With `withWorkload` each
/// is given its workload and a region that counts workgroups.
void formRegions(mlir::MLIRContext *context, const DispatchGroups &grouping,
                 bool withWorkload);

//===--- One region -------------------------------------------------------===//

/// The workload of a dispatch of `op`: how often each of its loops runs, 1
/// where it reduces, as new operations before it. A slice runs over what it
/// moves. Failure: `op` has no loops that are known.
llvm::FailureOr<llvm::SmallVector<mlir::Value>>
buildWorkload(ExtentResolver &extents, mlir::Operation *op);

/// Gives the region another that counts workgroups from its workload.
void buildWorkgroupCount(mlir::OpBuilder &builder, DispatchRegionOp region);

/// Wraps `op` alone in a new region that stands where it stood. Failure, with
/// nothing changed: `withWorkload`, and its workload is not known.
llvm::FailureOr<DispatchRegionOp> wrapInRegion(mlir::RewriterBase &rewriter,
                                               mlir::Operation *op,
                                               bool withWorkload);

/// The region with more results: `values`, defined in its body, whose dynamic
/// extents are `extents`, one list for each. The region is replaced and erased.
DispatchRegionOp
appendResults(mlir::RewriterBase &rewriter, DispatchRegionOp region,
              mlir::ValueRange values,
              llvm::ArrayRef<llvm::SmallVector<mlir::Value>> extents);

/// Moves `op`, which comes before the region in its block, to the beginning of
/// its body. What uses it outside becomes a user of new results of the region,
/// which is replaced where there are such. Failure, with nothing changed: a
/// user outside comes before the region, or a result that is used outside is
/// no ranked tensor.
llvm::FailureOr<DispatchRegionOp>
movePrecedingOpIntoRegion(mlir::RewriterBase &rewriter, mlir::Operation *op,
                          DispatchRegionOp region);

/// Puts a copy of `op` at the beginning of the region's body, for the uses
/// there. Requires: its operands are available before the region.
mlir::Operation *clonePrecedingOpIntoRegion(mlir::RewriterBase &rewriter,
                                            mlir::Operation *op,
                                            DispatchRegionOp region);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_REGIONS_H
