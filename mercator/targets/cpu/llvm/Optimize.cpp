// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/Optimize.h"
#include "mercator/targets/cpu/llvm/LoopCounters.h"
#include "mercator/targets/cpu/llvm/Maxima.h"
#include "mercator/targets/cpu/llvm/StreamedStores.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace mercator;

static bool hasVectors(const llvm::Instruction &op) {
  return op.getType()->isVectorTy() ||
         llvm::any_of(op.operand_values(), [](const llvm::Value *operand) {
           return operand->getType()->isVectorTy();
         });
}

/// Whether LLVM would vectorize the loop, if it can.
static bool isScalar(const llvm::Loop &loop) {
  bool accesses = false;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &op : *block) {
      if (hasVectors(op))
        return false;
      accesses |= op.mayReadOrWriteMemory();
    }
  return accesses;
}

bool cpu::hasVectorsOnly(llvm::Function &function) {
  if (function.isDeclaration() || !function.getName().starts_with("kernel_"))
    return false;
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  bool found = false;
  for (const llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost())
      continue;
    if (isScalar(*loop))
      return false;
    found = true;
  }
  return found;
}

/// Whether an innermost loop has vectors before LLVM makes some.
static bool hasLoopOfVectors(llvm::Function &function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  return llvm::any_of(loops.getLoopsInPreorder(), [](const llvm::Loop *loop) {
    return loop->isInnermost() &&
           llvm::any_of(loop->blocks(), [](const llvm::BasicBlock *block) {
             return llvm::any_of(*block, [](const llvm::Instruction &op) {
               return hasVectors(op);
             });
           });
  });
}

/// The passes for code of vectors.
static llvm::FunctionPassManager shortPipeline() {
  llvm::FunctionPassManager passes;
  llvm::SimplifyCFGOptions branches;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass(branches));
  llvm::LoopPassManager ofLoops;
  ofLoops.addPass(llvm::LoopRotatePass());
  ofLoops.addPass(llvm::LICMPass(llvm::LICMOptions()));
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(ofLoops),
                                                       /*UseMemorySSA=*/true));
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(llvm::SimplifyCFGPass(branches));
  return passes;
}

void cpu::optimize(llvm::Module &module, llvm::TargetMachine &target,
                   bool isOptimized) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = false;
  tuning.LoopUnrolling = false;
  // The pipeline of the others leaves alone what has this attribute.
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::OptNoneInstrumentation skip(/*DebugLogging=*/false);
  skip.registerCallbacks(callbacks);
  llvm::PassBuilder builder(&target, tuning, std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  if (!isOptimized) {
    builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O0)
        .run(module, modules);
    return showStreams(module, functions);
  }
  llvm::FunctionPassManager vectors = shortPipeline();
  bool hasOthers = false;
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (function.getName().starts_with("kernel_") && hasLoopOfVectors(function))
      function.addFnAttr(kCounted);
    if (!hasVectorsOnly(function)) {
      hasOthers = true;
      continue;
    }
    vectors.run(function, functions);
    function.addFnAttr(llvm::Attribute::OptimizeNone);
    function.addFnAttr(llvm::Attribute::NoInline);
  }
  if (hasOthers)
    builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
        .run(module, modules);
  for (llvm::Function &function : module) {
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    if (function.hasFnAttribute(kCounted))
      countMultiples(function);
  }
  showStreams(module, functions);
  rewriteMaxima(module, target);
}
