// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/CheckAccesses.h"
#include "mercator/targets/cpu/machine/Machine.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace mercator;

namespace {
class Checker {
public:
  explicit Checker(Module &code)
      : code(code), builder(code.getContext()),
        word(Type::getInt64Ty(code.getContext())),
        pointer(PointerType::getUnqual(code.getContext())) {}

  void run() {
    SmallVector<Function *> functions;
    for (Function &function : code)
      if (!function.isDeclaration())
        functions.push_back(&function);
    for (Function *function : functions)
      run(*function);
  }

private:
  void run(Function &function);
  void check(Instruction &before, Value *address, Value *bytes);
  void checkBytes(Instruction &access, Value *address, Type *type) {
    check(access, address,
          ConstantInt::get(word, code.getDataLayout().getTypeStoreSize(type)));
  }
  void checkMasked(IntrinsicInst &access, Value *address, Value *mask,
                   Type *type);
  void visit(Instruction &instruction);
  FunctionCallee callee(StringRef name, ArrayRef<Type *> types) {
    return code.getOrInsertFunction(
        name, FunctionType::get(Type::getVoidTy(code.getContext()), types,
                                /*isVarArg=*/false));
  }

  Module &code;
  IRBuilder<> builder;
  Type *word, *pointer;
  Value *name = nullptr; ///< of the current function, in the code
};
} // namespace

void Checker::check(Instruction &before, Value *address, Value *bytes) {
  builder.SetInsertPoint(&before);
  builder.CreateCall(callee("mercator_check", {pointer, word, pointer}),
                     {address, bytes, name});
}

/// The first lanes, as masks of a rest are.
void Checker::checkMasked(IntrinsicInst &access, Value *address, Value *mask,
                          Type *type) {
  builder.SetInsertPoint(&access);
  auto *vector = cast<FixedVectorType>(type);
  Value *bits =
      builder.CreateBitCast(mask, builder.getIntNTy(vector->getNumElements()));
  Value *lanes = builder.CreateZExt(
      builder.CreateUnaryIntrinsic(Intrinsic::ctpop, bits), word);
  check(access, address,
        builder.CreateMul(
            lanes, ConstantInt::get(word, code.getDataLayout().getTypeStoreSize(
                                              vector->getElementType()))));
}

void Checker::visit(Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    if (!load->hasMetadata(LLVMContext::MD_invariant_load)) // a table
      checkBytes(*load, load->getPointerOperand(), load->getType());
  } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    checkBytes(*store, store->getPointerOperand(),
               store->getValueOperand()->getType());
  } else if (auto *copy = dyn_cast<MemTransferInst>(&instruction)) {
    check(*copy, copy->getRawSource(), copy->getLength());
    check(*copy, copy->getRawDest(), copy->getLength());
  } else if (auto *set = dyn_cast<MemSetInst>(&instruction)) {
    check(*set, set->getRawDest(), set->getLength());
  } else if (auto *masked = dyn_cast<IntrinsicInst>(&instruction)) {
    if (masked->getIntrinsicID() == Intrinsic::masked_load)
      checkMasked(*masked, masked->getArgOperand(0),
                  masked->getArgOperand(masked->arg_size() - 2),
                  masked->getType());
    else if (masked->getIntrinsicID() == Intrinsic::masked_store)
      checkMasked(*masked, masked->getArgOperand(1),
                  masked->getArgOperand(masked->arg_size() - 1),
                  masked->getArgOperand(0)->getType());
  } else if (auto *alloca = dyn_cast<AllocaInst>(&instruction)) {
    builder.SetInsertPoint(alloca->getNextNode());
    Value *bytes = builder.CreateMul(
        builder.CreateZExtOrTrunc(alloca->getArraySize(), word),
        ConstantInt::get(word, code.getDataLayout().getTypeAllocSize(
                                   alloca->getAllocatedType())));
    builder.CreateCall(callee("mercator_watch", {pointer, word}),
                       {alloca, bytes});
  } else if (auto *call = dyn_cast<CallInst>(&instruction)) {
    Function *called = call->getCalledFunction();
    StringRef to = called ? called->getName() : "";
    if (to == "malloc" || to == "aligned_alloc") {
      builder.SetInsertPoint(call->getNextNode());
      builder.CreateCall(callee("mercator_watch", {pointer, word}),
                         {call, call->getArgOperand(call->arg_size() - 1)});
    } else if (to == "free") {
      builder.SetInsertPoint(call);
      builder.CreateCall(callee("mercator_unwatch", {pointer}),
                         {call->getArgOperand(0)});
    }
  }
}

void Checker::run(Function &function) {
  SmallVector<Instruction *> instructions;
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      instructions.push_back(&instruction);
  builder.SetInsertPoint(instructions.front());
  name = builder.CreateGlobalString(function.getName(), "", 0, &code);
  for (Instruction *instruction : instructions)
    visit(*instruction);
  if (function.getName() != cpu::kEntry)
    return;
  // Constants of kernels.
  Instruction *first = nullptr;
  for (Instruction *instruction : instructions)
    if (auto *call = dyn_cast<CallInst>(instruction))
      if (Function *called = call->getCalledFunction())
        if (called->getName() == "mercator_unwatch_all")
          first = call->getNextNode();
  if (!first)
    return;
  builder.SetInsertPoint(first);
  for (GlobalVariable &global : code.globals())
    builder.CreateCall(
        callee("mercator_watch", {pointer, word}),
        {&global, ConstantInt::get(word, code.getDataLayout().getTypeStoreSize(
                                             global.getValueType()))});
}

void cpu::checkAccesses(Module &code) { Checker(code).run(); }
