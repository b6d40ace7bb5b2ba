// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Gather plans as operators of GE.
///
///   Planning planning = planFor(*problem, element, device);
///   if (const Candidate *best = planning.best())
///     Value result = emitPlan(builder, *best->plan, operand, starts);

#ifndef MERCATOR_TARGETS_ASCEND_GATHER_EMITPLAN_H
#define MERCATOR_TARGETS_ASCEND_GATHER_EMITPLAN_H

#include "mercator/analysis/device/Device.h"
#include "mercator/targets/ascend/gather/Planner.h"
#include "mercator/targets/ascend/operators/DynamicShape.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <functional>

namespace mercator::ascend {

struct PlanOptions {
  const Device *device = &devices::ascend910b();
  /// The strategy to take for each gather for which it is possible.
  std::optional<gather::Strategy> way = std::nullopt;
};

/// Why a device cannot execute a step on elements of a type: the rank exceeds
/// 8, or its cores do not support an operator for the type.
[[nodiscard]] std::function<std::string(const gather::Plan &,
                                        const gather::PlanStep &)>
refusals(mlir::Type element, const Device &device);

/// The strategies for a gather of elements of a type on a device. If its cores
/// support no strategy, all strategies for which GE has operators are feasible:
/// GE runs operators that the cores lack on the AI CPU. Then `why` of the
/// chosen candidate says what the cores lack. The same holds for `way`.
[[nodiscard]] gather::Planning planFor(const gather::GatherProblem &problem,
                                       mlir::Type element,
                                       const PlanOptions &options);

/// A node of a step of a plan that the cores of a device do not execute.
struct StepBesideCores {
  size_t step;
  std::string why;
  int64_t bytes; ///< that the node reads and writes
};

/// All nodes of the plan that the device executes on the AI CPU, in order.
[[nodiscard]] std::vector<StepBesideCores>
besideCores(const gather::Plan &plan, const gather::GatherProblem &problem,
            mlir::Type element, const Device &device);

/// The extent of a value for a symbol in the shapes of a plan.
using SymbolOf =
    llvm::function_ref<DynamicExtent(SymbolicExtent::Symbol symbol)>;

/// The result of the plan. `starts` is the tensor of start indices, or the
/// scalars of a dynamic_slice. With `gatherV2D` a GatherV2 without batch
/// dimensions becomes a GatherV2D, if that has the type of the elements.
/// Requires: `refusals` has none for the plan on devices::ascendAny(); `symbolOf`
/// if the plan has symbols.
[[nodiscard]] mlir::Value emitPlan(mlir::ImplicitLocOpBuilder &b,
                                   const gather::Plan &plan,
                                   mlir::Value operand, mlir::ValueRange starts,
                                   bool gatherV2D = false,
                                   SymbolOf symbolOf = nullptr);

} // namespace mercator::ascend

#endif // MERCATOR_TARGETS_ASCEND_GATHER_EMITPLAN_H
