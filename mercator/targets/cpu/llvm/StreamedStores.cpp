// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/StreamedStores.h"
#include "mercator/targets/cpu/kernels/Loops.h"
#include "mercator/targets/cpu/kernels/ParallelLoops.h"
#include "mercator/targets/cpu/machine/Buffers.h"
#include "mercator/targets/cpu/machine/Machine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace mercator;

namespace {
constexpr int64_t kAligned = 64; ///< bytes of a line, and of the longest vector
} // namespace

/// Whether all accesses below the buffer are stores of elements.
static bool isOnlyStored(mlir::Value buffer) {
  return llvm::all_of(buffer.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto store = dyn_cast<memref::StoreOp>(user))
      return store.getMemRef() == use.get();
    return isa<ViewLikeOpInterface>(user) && isa<memref::SubViewOp>(user) &&
           isOnlyStored(user->getResult(0));
  });
}

static bool isLargeResult(BlockArgument argument, int64_t large) {
  auto type = dyn_cast<MemRefType>(argument.getType());
  return type && type.hasStaticShape() && type.getLayout().isIdentity() &&
         type.getElementType().isIntOrFloat() &&
         type.getNumElements() * cpu::elementBytes(type.getElementType()) >=
             large &&
         isOnlyStored(argument);
}

/// Stores of the innermost loop that go from one element to the next in memory.
static void forEachStore(scf::ForOp loop, mlir::Value buffer,
                         llvm::function_ref<void(memref::StoreOp)> body) {
  loop.walk([&](memref::StoreOp store) {
    auto inner = dyn_cast<scf::ForOp>(store->getParentOp());
    if (cpu::rootOf(store.getMemRef()) == buffer && inner && inner != loop &&
        !store.getIndices().empty() &&
        store.getIndices().back() == inner.getInductionVar())
      body(store);
  });
}

/// Two loops: one if the buffers are aligned, and the loop as it was.
static void streamLoop(scf::ForOp loop, ArrayRef<mlir::Value> buffers) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  auto index = [&](int64_t value) -> mlir::Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  mlir::Value bits;
  for (mlir::Value buffer : buffers) {
    mlir::Value own =
        memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
    bits =
        bits ? arith::OrIOp::create(builder, loc, bits, own).getResult() : own;
  }
  mlir::Value rest =
      arith::AndIOp::create(builder, loc, bits, index(kAligned - 1));
  mlir::Value isAligned = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq, rest, index(0));
  auto either = scf::IfOp::create(builder, loc, isAligned, /*withElse=*/true);
  builder.setInsertionPointToStart(either.thenBlock());
  auto streamed = cast<scf::ForOp>(builder.clone(*loop));
  loop->moveBefore(either.elseBlock()->getTerminator());
  for (mlir::Value buffer : buffers)
    forEachStore(streamed, buffer,
                 [](memref::StoreOp store) { store.setNontemporal(true); });
  // Other threads read the result as soon as they see that the part is done.
  builder.setInsertionPoint(streamed.getBody()->getTerminator());
  LLVM::CallIntrinsicOp::create(
      builder, loc, builder.getStringAttr("llvm.x86.sse.sfence"), ValueRange());
}

void cpu::streamStores(ModuleOp module, const Device &device) {
  if (!llvm::Triple(llvm::sys::getDefaultTargetTriple()).isX86())
    return;
  int64_t bytes = streamedBytes(device);
  for (auto kernel : module.getOps<func::FuncOp>()) {
    if (kernel.isExternal() || kernel.getName() == cpu::kEntry)
      continue;
    SmallVector<mlir::Value> large;
    for (BlockArgument argument : kernel.getArguments())
      if (isLargeResult(argument, bytes))
        large.push_back(argument);
    if (large.empty())
      continue;
    SmallVector<scf::ForOp> loops;
    kernel.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (!loop->hasAttr(kParallel) || !loop.getInitArgs().empty())
        return WalkResult::advance();
      loops.push_back(loop);
      return WalkResult::skip();
    });
    for (scf::ForOp loop : loops) {
      SmallVector<mlir::Value> own;
      for (mlir::Value buffer : large) {
        bool isStored = false;
        forEachStore(loop, buffer, [&](memref::StoreOp) { isStored = true; });
        if (isStored)
          own.push_back(buffer);
      }
      if (!own.empty())
        streamLoop(loop, own);
    }
  }
}

//===----------------------------------------------------------------------===//
// Around the optimizer
//===----------------------------------------------------------------------===//

static void forEachStore(llvm::Module &code, unsigned kind,
                         llvm::function_ref<void(llvm::StoreInst &)> body) {
  for (llvm::Function &function : code)
    for (llvm::Instruction &each : llvm::instructions(function))
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&each);
          store && store->hasMetadata(kind))
        body(*store);
}

void cpu::hideStreams(llvm::Module &code) {
  llvm::MDNode *group = nullptr;
  forEachStore(code, llvm::LLVMContext::MD_nontemporal,
               [&](llvm::StoreInst &store) {
                 if (store.getValueOperand()->getType()->isVectorTy())
                   return;
                 if (!group)
                   group = llvm::MDNode::getDistinct(code.getContext(), {});
                 store.setMetadata(llvm::LLVMContext::MD_nontemporal, nullptr);
                 store.setMetadata(llvm::LLVMContext::MD_access_group, group);
               });
}

/// Whether the store is a whole number of lines from a buffer's first byte. With the
/// mark, the buffer is aligned. Its address comes from the data of the part; no buffer
/// holds addresses.
static bool isAligned(llvm::ScalarEvolution &evolution, llvm::StoreInst &store,
                      uint64_t bytes) {
  const llvm::SCEV *address = evolution.getSCEV(store.getPointerOperand());
  auto *base =
      llvm::dyn_cast<llvm::SCEVUnknown>(evolution.getPointerBase(address));
  return base && llvm::isa<llvm::LoadInst>(base->getValue()) &&
         evolution.getConstantMultiple(evolution.getMinusSCEV(address, base))
                 .urem(bytes) == 0;
}

void cpu::showStreams(llvm::Module &code,
                      llvm::FunctionAnalysisManager &analyses) {
  forEachStore(
      code, llvm::LLVMContext::MD_access_group, [&](llvm::StoreInst &store) {
        store.setMetadata(llvm::LLVMContext::MD_access_group, nullptr);
        llvm::Type *type = store.getValueOperand()->getType();
        uint64_t bytes = code.getDataLayout().getTypeStoreSize(type);
        auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(
            *store.getFunction());
        if (!type->isVectorTy() || bytes < 16 || kAligned % bytes != 0 ||
            !isAligned(evolution, store, bytes))
          return;
        store.setAlignment(llvm::Align(bytes));
        auto *one = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
            llvm::Type::getInt32Ty(code.getContext()), 1));
        store.setMetadata(llvm::LLVMContext::MD_nontemporal,
                          llvm::MDNode::get(code.getContext(), {one}));
      });
}
