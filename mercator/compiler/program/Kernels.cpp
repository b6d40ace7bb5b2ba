// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/program/Kernels.h"
#include "mercator/analysis/Sizes.h"
#include "mercator/compiler/program/Load.h"
#include "mercator/dialects/hlo/Hlo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MathExtras.h"

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

bool mercator::isKernel(mlir::Operation *op) {
  auto function = llvm::dyn_cast_or_null<mlir::func::FuncOp>(op->getParentOp());
  return function && isEntry(function) && !movesNoData(op);
}

std::optional<int64_t> mercator::kernelBytes(mlir::Operation *kernel) {
  int64_t sum = 0;
  auto add = [&](mlir::Type type) {
    if (!llvm::isa<mlir::RankedTensorType>(type))
      return true;
    std::optional<int64_t> bytes = bytesOf(type);
    return bytes && !llvm::AddOverflow(sum, *bytes, sum);
  };
  return llvm::all_of(kernel->getOperandTypes(), add) &&
                 llvm::all_of(kernel->getResultTypes(), add)
             ? std::optional(sum)
             : std::nullopt;
}

std::vector<mlir::Operation *> mercator::findKernels(mlir::ModuleOp module) {
  bool hasFusion = false;
  std::vector<mlir::Operation *> kernels;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (!isEntry(function) || function.isExternal())
      continue;
    for (mlir::Operation &op : function.getBody().front()) {
      if (!isKernel(&op))
        continue;
      if (auto fusion = llvm::dyn_cast<hlo::FusionOp>(op))
        hasFusion |= fusion.getLibraryTarget().empty();
      kernels.push_back(&op);
    }
  }
  if (!hasFusion)
    kernels.clear();
  return kernels;
}
