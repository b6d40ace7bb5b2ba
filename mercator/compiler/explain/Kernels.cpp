// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/explain/Kernels.h"
#include "mercator/analysis/Names.h"
#include "mercator/analysis/Sizes.h"
#include "mercator/compiler/explain/Dispatches.h"
#include "mercator/compiler/program/Load.h"
#include "mercator/dialects/hlo/Hlo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mercator;
using namespace mlir;

static std::string textOf(Operation *op) {
  std::string name = nameIn(op->getLoc()).str();
  return (name.empty() ? "" : name + " = ") +
         op->getName().getStringRef().str();
}

/// True for instructions that move no data.
static bool isFree(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         op->hasTrait<OpTrait::IsTerminator>() ||
         isa<hlo::BitcastOp, hlo::ElementOp, stablehlo::TupleOp,
             stablehlo::GetTupleElementOp, stablehlo::CreateTokenOp,
             stablehlo::AfterAllOp, stablehlo::OptimizationBarrierOp>(op) ||
         !isa<hlo::HloDialect, stablehlo::StablehloDialect>(op->getDialect());
}

static Explanation::Dispatch describeKernel(Operation *op, StringRef function) {
  Explanation::Dispatch kernel;
  kernel.function = function.str();
  kernel.place = placeOf(op->getLoc());
  auto add = [&](Operation *part) {
    kernel.operations.push_back(
        {textOf(part), placeOf(part->getLoc()), originOf(part->getLoc())});
  };
  if (auto fusion = dyn_cast<hlo::FusionOp>(op)) {
    for (Operation &part : fusion.getBody().front())
      if (!isFree(&part))
        add(&part);
  }
  if (kernel.operations.empty())
    add(op);
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      kernel.reads.push_back(describe(operand));
  for (Value result : op->getResults())
    if (isa<RankedTensorType>(result.getType()))
      kernel.gives.push_back(describe(result));
  return kernel;
}

std::vector<Explanation::Dispatch> mercator::findKernels(ModuleOp module) {
  bool hasFusion = false;
  std::vector<Explanation::Dispatch> kernels;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!isEntry(function) || function.isExternal())
      continue;
    for (Operation &op : function.getBody().front()) {
      if (isFree(&op))
        continue;
      hasFusion |= isa<hlo::FusionOp>(op);
      kernels.push_back(describeKernel(&op, function.getName()));
    }
  }
  if (!hasFusion)
    kernels.clear();
  return kernels;
}
