// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Creates and modifies flow.dispatch.region.
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
/// The functions in the second part change one region at a time, for scripts
/// and for single operations. Their cost is linear in the uses that they
/// change.
///
/// Source: the seed's createFormDispatchRegionsPass.

#ifndef MERCATOR_TRANSFORMS_FLOW_FORMATION_REGIONS_H
#define MERCATOR_TRANSFORMS_FLOW_FORMATION_REGIONS_H

#include "mercator/dialects/flow/Flow.h"
#include "mercator/transforms/flow/extents/DispatchExtents.h"
#include "mercator/transforms/flow/formation/Grouping.h"

#include "mlir/IR/PatternMatch.h"

namespace mercator::flow {

//===--- Whole functions --------------------------------------------------===//

/// Creates a region for each group at its root. With `withWorkload` each region
/// gets its workload and a count region.
void formRegions(mlir::MLIRContext *context, const Grouping &grouping,
                 bool withWorkload);

//===--- One region -------------------------------------------------------===//

/// The workload of a dispatch of `op`: the number of iterations of each loop (1
/// for reduction loops), as new operations before it. A slice iterates over the
/// elements it moves. Fails if `op` has no known loops.
llvm::FailureOr<llvm::SmallVector<mlir::Value>>
buildWorkload(Extents &extents, mlir::Operation *op);

/// Adds a count region that computes the number of workgroups from the
/// workload.
void buildWorkgroupCount(mlir::OpBuilder &builder, DispatchRegionOp region);

/// Wraps `op` alone in a new region in its place. Fails without changes if
/// `withWorkload` is set and its workload is unknown.
llvm::FailureOr<DispatchRegionOp> wrapInRegion(mlir::RewriterBase &rewriter,
                                               mlir::Operation *op,
                                               bool withWorkload);

/// Adds the results `values`, which are defined in the body. `extents` has a
/// list of dynamic extents for each. The region is replaced and erased.
DispatchRegionOp
appendResults(mlir::RewriterBase &rewriter, DispatchRegionOp region,
              mlir::ValueRange values,
              llvm::ArrayRef<llvm::SmallVector<mlir::Value>> extents);

/// Moves `op`, which precedes the region in its block, to the beginning of the
/// body. Its outside users use new results of the region, which is replaced if
/// there are any. Fails without changes if an outside user precedes the region,
/// or if a result that is used outside is no ranked tensor.
llvm::FailureOr<DispatchRegionOp>
movePrecedingOpIntoRegion(mlir::RewriterBase &rewriter, mlir::Operation *op,
                          DispatchRegionOp region);

/// Clones `op` to the beginning of the region's body, for the uses there.
/// Requires: its operands are available before the region.
mlir::Operation *clonePrecedingOpIntoRegion(mlir::RewriterBase &rewriter,
                                            mlir::Operation *op,
                                            DispatchRegionOp region);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_FORMATION_REGIONS_H
