// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Forms dispatches as a transform script directs:
///
///   module attributes {transform.with_named_sequence} {
///     transform.named_sequence @__transform_main(%f: !transform.any_op) {
///       %op = transform.structured.match ops{["linalg.matmul"]} in %f
///           : (!transform.any_op) -> !transform.any_op
///       %region = transform.iree.wrap_in_dispatch_region %op
///           : (!transform.any_op) -> !transform.any_op
///       transform.iree.region_to_workgroups %region
///           : (!transform.any_op) -> !transform.any_op
///       transform.yield
///     }
///   }
///
/// ScriptOps.td lists the operations.

#ifndef MERCATOR_TRANSFORMS_FLOW_SCRIPT_SCRIPT_H
#define MERCATOR_TRANSFORMS_FLOW_SCRIPT_SCRIPT_H

#include "mercator/dialects/flow/Flow.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

#define GET_OP_CLASSES
#include "mercator/transforms/flow/script/ScriptOps.h.inc"

namespace mercator::flow {

/// Registers the operations of scripts: Mercator's, and those of linalg, scf
/// and tensor.
void registerScripts(mlir::DialectRegistry &registry);

/// Converts the loops to workgroups. If that is impossible, fails without
/// changes and sets `why`.
llvm::FailureOr<DispatchWorkgroupsOp>
convertForallToWorkgroups(mlir::RewriterBase &rewriter, mlir::scf::ForallOp op,
                          std::string &why);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_SCRIPT_SCRIPT_H
