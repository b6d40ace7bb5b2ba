// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Gather plans as operators of GE.
///
/// ```cpp (mlir::ImplicitLocOpBuilder &b, mlir::Value x, mlir::Value starts)
/// #include "mlir/IR/BuiltinTypes.h"
/// gather::GatherProblem problem; // from gatherProblem(op, why)
/// gather::Planning planning = planFor(problem, b.getF32Type(), Soc::any);
/// if (const gather::Candidate *best = planning.best())
///   (void)emitPlan(b, *best->plan, x, starts);
/// ```

#ifndef MERCATOR_TARGETS_ASCEND_LOWERING_EMITPLAN_H
#define MERCATOR_TARGETS_ASCEND_LOWERING_EMITPLAN_H

#include "mercator/dialects/ascend/Registry.h"
#include "mercator/targets/ascend/gather/Planner.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <functional>

namespace mercator::ascend {

/// Why a device cannot execute a step on elements of a type: the rank exceeds
/// 8, or its cores do not support an operator for the type.
[[nodiscard]] std::function<std::string(const gather::Plan &,
                                        const gather::Step &)>
refusals(mlir::Type element, Soc soc);

/// The strategies for a gather of elements of a type on a device. If its cores
/// support no strategy, all strategies for which GE has operators are feasible:
/// GE runs operators that the cores lack on the AI CPU. Then `why` of the
/// chosen candidate says what the cores lack.
[[nodiscard]] gather::Planning planFor(const gather::GatherProblem &problem,
                                       mlir::Type element, Soc soc);

/// Creates the operators of the plan and returns its result. `starts` is the
/// tensor of start indices, or the scalars of a dynamic_slice. With `gatherV2D`
/// a GatherV2 without batch dimensions becomes a GatherV2D, if that supports
/// the element type. Requires: `refusals` has none for the plan on `Soc::any`.
[[nodiscard]] mlir::Value emitPlan(mlir::ImplicitLocOpBuilder &b,
                                   const gather::Plan &plan,
                                   mlir::Value operand, mlir::ValueRange starts,
                                   bool gatherV2D = false);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_LOWERING_EMITPLAN_H
