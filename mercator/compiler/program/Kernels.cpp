// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/Kernels.h"
#include "mercator/compiler/program/Load.h"
#include "mercator/dialects/hlo/Hlo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mercator;

bool mercator::movesNoData(mlir::Operation *op) {
  return op->hasTrait<mlir::OpTrait::ConstantLike>() ||
         op->hasTrait<mlir::OpTrait::IsTerminator>() ||
         llvm::isa<hlo::BitcastOp, hlo::ElementOp, stablehlo::TupleOp,
                   stablehlo::GetTupleElementOp, stablehlo::CreateTokenOp,
                   stablehlo::AfterAllOp, stablehlo::OptimizationBarrierOp>(
             op) ||
         !llvm::isa<hlo::HloDialect, stablehlo::StablehloDialect>(
             op->getDialect());
}

std::vector<mlir::Operation *> mercator::findKernels(mlir::ModuleOp module) {
  bool hasFusion = false;
  std::vector<mlir::Operation *> kernels;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (!isEntry(function) || function.isExternal())
      continue;
    for (mlir::Operation &op : function.getBody().front()) {
      if (movesNoData(&op))
        continue;
      hasFusion |= llvm::isa<hlo::FusionOp>(op);
      kernels.push_back(&op);
    }
  }
  if (!hasFusion)
    kernels.clear();
  return kernels;
}
