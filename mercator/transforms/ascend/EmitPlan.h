// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Plans of gathers in the operators of GE.
///
///   Planning planning = planGather(*problem, refusals(element, soc));
///   if (const Candidate *best = planning.best())
///     Value result = emitPlan(builder, *best->plan, operand, starts);

#ifndef MERCATOR_TRANSFORMS_ASCEND_EMITPLAN_H
#define MERCATOR_TRANSFORMS_ASCEND_EMITPLAN_H

#include "mercator/dialects/ascend/Registry.h"
#include "mercator/transforms/gather/Planner.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <functional>

namespace mercator::ascend {

/// What keeps a device from carrying out a step on elements of a type: a rank
/// over 8, or an operator that its cores do not have for the type.
[[nodiscard]] std::function<std::string(const gather::Plan &,
                                        const gather::Step &)>
refusals(mlir::Type element, Soc soc);

/// The result of the plan. `starts` is the tensor of start indices, or the
/// scalars of a dynamic_slice. Requires: `refusals` has none for the plan.
[[nodiscard]] mlir::Value emitPlan(mlir::ImplicitLocOpBuilder &b,
                                   const gather::Plan &plan,
                                   mlir::Value operand,
                                   mlir::ValueRange starts);

} // namespace mercator::ascend

#endif // MERCATOR_TRANSFORMS_ASCEND_EMITPLAN_H
