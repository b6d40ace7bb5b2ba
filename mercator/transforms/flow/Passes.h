// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The passes of this folder. Passes.td gives their names and options. Each has
/// a `createX()` and, if it has options, one that takes `XOptions`.

#ifndef MERCATOR_TRANSFORMS_FLOW_PASSES_H
#define MERCATOR_TRANSFORMS_FLOW_PASSES_H

#include "mercator/dialects/flow/Flow.h"
#include "mercator/dialects/hal/Hal.h"
#include "mercator/dialects/util/Util.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace mercator::flow {

#define GEN_PASS_DECL
#include "mercator/transforms/flow/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "mercator/transforms/flow/Passes.h.inc"

class DispatchTime;

/// The pass, with a target that reviews groups from maps (formation/DispatchTime.h).
/// Requires: `time`, which may be null, outlives the pass.
[[nodiscard]] std::unique_ptr<mlir::Pass>
createFormDispatchRegions(FormDispatchRegionsOptions options,
                          DispatchTime *time);

} // namespace mercator::flow

#endif // MERCATOR_TRANSFORMS_FLOW_PASSES_H
