// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Schedules in the text of a program, as attributes of the operations that its
/// dispatches run.
///
///   %4 = linalg.matmul
///     {mercator.schedule = "form=tiles lanes=16 rows=7 vectors=4 pack=b parts=4"}
///     ins(%0, %1 : ..) outs(%3 : ..) -> tensor<96x80xf32>
///
/// The program is at flow, and stays there:
///
/// ```cpp (mlir::ModuleOp module, const mercator::cpu::Machine &machine)
/// if (mlir::succeeded(mercator::cpu::writeSchedules(module, machine)))
///   module.print(llvm::outs());
/// ```
///
/// The steps of the pipeline (Pipeline.h) obey the schedules that they find, so one can
/// be changed by hand. One that is not possible is an error at its operation, which
/// names one that is.
///
/// Laws. A program with the schedules of a machine has the code that it has without
/// them on this machine. Programs that differ in schedules alone compute the same bits,
/// if the order of their sums is the same (ContractionSchedule.h).
///
/// Cost: that of the kernels' loops (Pipeline.h), since a step may choose only when
/// those before it are done.

#ifndef MERCATOR_TARGETS_CPU_KERNELS_SCHEDULES_H
#define MERCATOR_TARGETS_CPU_KERNELS_SCHEDULES_H

#include "mercator/targets/cpu/machine/Machine.h"

#include "mlir/IR/BuiltinOps.h"

namespace mercator::cpu {

/// Chooses schedules for the operations of all dispatches of a module of flow that
/// have none. Fails after an error, such as a schedule that is not possible.
[[nodiscard]] llvm::LogicalResult writeSchedules(mlir::ModuleOp module,
                                                 const Machine &machine);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_KERNELS_SCHEDULES_H
