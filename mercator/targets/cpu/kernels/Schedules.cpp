// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/Schedules.h"

#include "mercator/dialects/flow/Flow.h"
#include "mercator/targets/cpu/kernels/Divisions.h"
#include "mercator/targets/cpu/kernels/Pipeline.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::cpu;

/// The functions that executables export.
static SmallVector<func::FuncOp> dispatchedFunctions(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  module.walk([&](flow::ExecutableOp executable) {
    ModuleOp inner = executable.getInnerModule();
    if (!inner)
      return;
    for (auto exported : executable.getOps<flow::ExecutableExportOp>())
      if (auto function = inner.lookupSymbol<func::FuncOp>(
              exported.getFunctionRefAttr().getAttr());
          function && !llvm::is_contained(functions, function))
        functions.push_back(function);
  });
  return functions;
}

LogicalResult cpu::writeSchedules(ModuleOp module, const Machine &machine) {
  SmallVector<linalg::LinalgOp> operations;
  Builder builder(module.getContext());
  for (func::FuncOp function : dispatchedFunctions(module))
    function.walk([&](linalg::LinalgOp op) {
      op->setAttr(kNumber,
                  builder.getI64IntegerAttr(int64_t(operations.size())));
      operations.push_back(op);
    });
  // Kernels of a copy, as they are when the program is compiled.
  OwningOpRef<ModuleOp> copy = module.clone();
  guardDivisions(*copy);
  std::vector<ChosenSchedule> chosen;
  LogicalResult result = success();
  for (func::FuncOp function : dispatchedFunctions(*copy)) {
    FailureOr<Kernel> kernel = makeKernel(function, machine);
    if (failed(kernel)) {
      result = failure();
      break;
    }
    llvm::append_range(chosen, kernel->notes.chosen);
  }
  for (linalg::LinalgOp op : operations)
    op->removeAttr(kNumber);
  if (failed(result))
    return result;
  for (const ChosenSchedule &schedule : chosen)
    operations[size_t(schedule.number)]->setAttr(schedule.name, schedule.value);
  return success();
}
