// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/LoopBodies.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"

using namespace mlir;
using namespace mercator;

static constexpr StringLiteral kPassThrough = "passthrough";
static constexpr StringLiteral kInline = "alwaysinline";

static bool isSmall(func::FuncOp kernel) {
  constexpr int64_t kOperations = 500;
  constexpr double kCost = 64 * 1024;
  int64_t operations = 0;
  double cost = 0;
  auto result = kernel.walk([&](Operation *op) {
    if (auto inner = dyn_cast<linalg::LinalgOp>(op))
      cost += cpu::costOf(inner);
    if (isa<memref::AllocOp>(op) || op->hasAttr(cpu::kParallel) ||
        ++operations > kOperations)
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  // Extents that are not known are negative.
  return !result.wasInterrupted() && cost >= 0 && cost <= kCost;
}

void cpu::inlineIntoLoops(func::FuncOp kernel) {
  if (isSmall(kernel))
    kernel->setAttr(kPassThrough,
                    Builder(kernel.getContext()).getStrArrayAttr({kInline}));
}

void cpu::unrollLoopBodies(ModuleOp module) {
  constexpr int64_t kIterations = 4, kOperations = 400;
  for (auto kernel : module.getOps<func::FuncOp>()) {
    if (!kernel->hasAttr(kPassThrough))
      continue;
    kernel.walk<WalkOrder::PostOrder>([&](scf::ForOp loop) {
      std::optional<APInt> count = loop.getStaticTripCount();
      if (!count || count->ugt(kIterations))
        return;
      int64_t operations = 0;
      loop.getBody()->walk([&](Operation *) { ++operations; });
      if (operations * int64_t(count->getZExtValue()) <= kOperations)
        (void)loopUnrollFull(loop);
    });
  }
}

void cpu::inlineLoopBodies(llvm::Module &code) {
  bool inlines = false;
  for (llvm::Function &function : code) {
    if (function.isDeclaration() || !function.getName().starts_with("kernel_"))
      continue;
    inlines |= function.hasFnAttribute(llvm::Attribute::AlwaysInline);
    if (!function.getName().contains("_part"))
      for (llvm::Argument &argument : function.args())
        if (argument.getType()->isPointerTy())
          argument.addAttr(llvm::Attribute::NoAlias);
  }
  if (!inlines)
    return;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::AlwaysInlinerPass().run(code, modules);
}
