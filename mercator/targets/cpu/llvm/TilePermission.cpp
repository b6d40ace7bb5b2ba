// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/TilePermission.h"
#include "mercator/targets/cpu/machine/Machine.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace mercator;

void cpu::askForTiles(llvm::Module &code) {
  bool usesTiles = llvm::any_of(code, [](const llvm::Function &function) {
    return function.getName().starts_with("llvm.x86.tile");
  });
  llvm::Function *main = code.getFunction(kEntry);
  if (!usesTiles || !main)
    return;
  // What lies on the stack stays in the first block, where LLVM makes registers of it.
  llvm::BasicBlock *ask = &main->getEntryBlock(),
                   *body = ask->splitBasicBlock(ask->begin()),
                   *refused =
                       llvm::BasicBlock::Create(code.getContext(), "", main);
  for (llvm::Instruction &each : llvm::make_early_inc_range(*body))
    if (auto *room = llvm::dyn_cast<llvm::AllocaInst>(&each);
        room && llvm::isa<llvm::Constant>(room->getArraySize()))
      room->moveBefore(*ask, ask->getTerminator()->getIterator());
  llvm::Instruction *end = ask->getTerminator();
  llvm::IRBuilder<> builder(end);
  llvm::Value *given = builder.CreateCall(
      code.getOrInsertFunction("mercator_begin_tiles", builder.getInt32Ty(),
                               builder.getPtrTy()),
      {main->getArg(0)});
  builder.CreateCondBr(builder.CreateIsNull(given), body, refused);
  end->eraseFromParent();
  builder.SetInsertPoint(refused);
  builder.CreateRet(given);
}
