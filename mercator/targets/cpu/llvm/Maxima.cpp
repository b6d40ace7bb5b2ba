// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/Maxima.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace mercator;

/// The instruction for vectors of a type, or `not_intrinsic`.
static llvm::Intrinsic::ID rangeOf(llvm::Type *type) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!vector)
    return llvm::Intrinsic::not_intrinsic;
  bool isFloat = vector->getElementType()->isFloatTy();
  if (!isFloat && !vector->getElementType()->isDoubleTy())
    return llvm::Intrinsic::not_intrinsic;
  switch (vector->getNumElements() * (isFloat ? 4 : 8)) {
  case 16:
    return isFloat ? llvm::Intrinsic::x86_avx512_mask_range_ps_128
                   : llvm::Intrinsic::x86_avx512_mask_range_pd_128;
  case 32:
    return isFloat ? llvm::Intrinsic::x86_avx512_mask_range_ps_256
                   : llvm::Intrinsic::x86_avx512_mask_range_pd_256;
  case 64:
    return isFloat ? llvm::Intrinsic::x86_avx512_mask_range_ps_512
                   : llvm::Intrinsic::x86_avx512_mask_range_pd_512;
  default:
    return llvm::Intrinsic::not_intrinsic;
  }
}

static void rewrite(llvm::IntrinsicInst &own, llvm::Intrinsic::ID range) {
  // The lesser or the greater one; the sign is that of the comparison's result.
  constexpr unsigned kMinimum = 0b0100, kMaximum = 0b0101;
  llvm::IRBuilder<> builder(&own);
  llvm::Value *a = own.getArgOperand(0), *b = own.getArgOperand(1);
  unsigned lanes =
      llvm::cast<llvm::FixedVectorType>(own.getType())->getNumElements();
  bool isMaximum = own.getIntrinsicID() == llvm::Intrinsic::maximum;
  llvm::SmallVector<llvm::Value *> operands{
      a, b, builder.getInt32(isMaximum ? kMaximum : kMinimum),
      llvm::PoisonValue::get(own.getType()),
      llvm::Constant::getAllOnesValue(
          builder.getIntNTy(std::max(lanes, 8U)))}; // all lanes
  constexpr unsigned kRoundsAsSet = 4;
  if (own.getType()->getPrimitiveSizeInBits() == 512)
    operands.push_back(builder.getInt32(kRoundsAsSet));
  llvm::Value *inRange = builder.CreateIntrinsic(range, operands);
  llvm::Value *result = builder.CreateSelect(builder.CreateFCmpUNO(a, b),
                                             builder.CreateFAdd(a, b), inRange);
  own.replaceAllUsesWith(result);
  own.eraseFromParent();
}

void cpu::rewriteMaxima(llvm::Module &code, const llvm::TargetMachine &target) {
  if (!target.getTargetTriple().isX86() ||
      !target.getMCSubtargetInfo()->checkFeatures("+avx512dq,+avx512vl"))
    return;
  for (llvm::Function &function : code)
    for (llvm::Instruction &each :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *own = llvm::dyn_cast<llvm::IntrinsicInst>(&each);
      if (!own ||
          (own->getIntrinsicID() != llvm::Intrinsic::maximum &&
           own->getIntrinsicID() != llvm::Intrinsic::minimum) ||
          own->hasNoNaNs() ||
          llvm::isa<llvm::Constant>(own->getArgOperand(0)) ||
          llvm::isa<llvm::Constant>(own->getArgOperand(1)))
        continue;
      llvm::Intrinsic::ID range = rangeOf(own->getType());
      if (range != llvm::Intrinsic::not_intrinsic)
        rewrite(*own, range);
    }
}
