// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The gathers of a program, each with the planner's answer. Internal.

#ifndef MERCATOR_COMPILER_EXPLAIN_GATHERS_H
#define MERCATOR_COMPILER_EXPLAIN_GATHERS_H

#include "mercator/compiler/explain/Explanation.h"
#include "mercator/compiler/program/Instructions.h"
#include "mercator/targets/ascend/gather/EmitPlan.h"

namespace mercator {

/// True for the operations that explainGathers plans.
[[nodiscard]] bool isGather(mlir::Operation *op);

/// The gathers of all computations, planned for a generation of devices.
[[nodiscard]] std::vector<Explanation::Gather>
explainGathers(const InstructionTable &table,
               const ascend::PlanOptions &options);

} // namespace mercator

#endif // MERCATOR_COMPILER_EXPLAIN_GATHERS_H
