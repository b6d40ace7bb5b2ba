// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/FloatMode.h"
#include "mercator/targets/cpu/machine/Machine.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace mercator;

void cpu::setFloatMode(Module &code, bool flushes) {
  if (flushes)
    for (Function &function : code)
      if (!function.isDeclaration())
        function.addFnAttr("denormal-fp-math", "preserve-sign,preserve-sign");
  Function *body = code.getFunction(kEntry);
  if (!body)
    return;
  body->setName("mercator_body");
  body->setLinkage(GlobalValue::InternalLinkage);
  // An optimizer that saw both would move arithmetic across the calls.
  body->addFnAttr(Attribute::NoInline);
  Function *entry = Function::Create(
      body->getFunctionType(), GlobalValue::ExternalLinkage, kEntry, code);
  IRBuilder<> builder(BasicBlock::Create(code.getContext(), "", entry));
  Type *word = builder.getInt64Ty(), *none = builder.getVoidTy();
  Value *before =
      builder.CreateCall(code.getOrInsertFunction("mercator_begin_floats", word,
                                                  builder.getInt32Ty()),
                         {builder.getInt32(flushes ? 1 : 0)});
  SmallVector<Value *> arguments(make_pointer_range(entry->args()));
  Value *status = builder.CreateCall(body, arguments);
  builder.CreateCall(
      code.getOrInsertFunction("mercator_end_floats", none, word), {before});
  builder.CreateRet(status);
}
