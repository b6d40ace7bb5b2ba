// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/Kernels.h"
#include "mercator/compiler/program/Load.h"
#include "mercator/dialects/hlo/Hlo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mercator;
using namespace mlir;

bool mercator::movesNoData(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         op->hasTrait<OpTrait::IsTerminator>() ||
         isa<hlo::BitcastOp, hlo::ElementOp, stablehlo::TupleOp,
             stablehlo::GetTupleElementOp, stablehlo::CreateTokenOp,
             stablehlo::AfterAllOp, stablehlo::OptimizationBarrierOp>(op) ||
         !isa<hlo::HloDialect, stablehlo::StablehloDialect>(op->getDialect());
}

std::vector<Operation *> mercator::findKernels(ModuleOp module) {
  bool hasFusion = false;
  std::vector<Operation *> kernels;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!isEntry(function) || function.isExternal())
      continue;
    for (Operation &op : function.getBody().front()) {
      if (movesNoData(&op))
        continue;
      hasFusion |= isa<hlo::FusionOp>(op);
      kernels.push_back(&op);
    }
  }
  if (!hasFusion)
    kernels.clear();
  return kernels;
}
