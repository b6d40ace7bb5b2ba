// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/llvm/LoopCounters.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace mercator;

namespace {
/// An integer that grows by the same number in each iteration.
struct Counter {
  llvm::PHINode *phi;
  llvm::BinaryOperator *next;
  llvm::APInt step;
};
} // namespace

static std::optional<Counter> counterOf(llvm::PHINode &phi,
                                        llvm::BasicBlock *latch) {
  auto *next =
      llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(latch));
  if (!next || next->getOpcode() != llvm::Instruction::Add ||
      next->getOperand(0) != &phi)
    return std::nullopt;
  auto *step = llvm::dyn_cast<llvm::ConstantInt>(next->getOperand(1));
  if (!step)
    return std::nullopt;
  return Counter{&phi, next, step->getValue()};
}

/// The factor of a multiple of a counter.
static std::optional<llvm::APInt> factorOf(llvm::User *user,
                                           const Counter &counter) {
  auto *op = llvm::dyn_cast<llvm::BinaryOperator>(user);
  if (!op || op->getOperand(0) != counter.phi)
    return std::nullopt;
  auto *right = llvm::dyn_cast<llvm::ConstantInt>(op->getOperand(1));
  if (!right)
    return std::nullopt;
  const llvm::APInt &value = right->getValue();
  if (op->getOpcode() == llvm::Instruction::Mul)
    return value;
  if (op->getOpcode() == llvm::Instruction::Shl &&
      value.ult(value.getBitWidth()))
    return llvm::APInt::getOneBitSet(value.getBitWidth(),
                                     unsigned(value.getZExtValue()));
  return std::nullopt;
}

/// Makes the loop end at a multiple of its bound, if the old counter does nothing else.
/// The counters begin at 0, and no multiple wraps.
static void endAt(const Counter &counter, const Counter &multiple,
                  const llvm::APInt &factor) {
  if (!counter.phi->hasOneUse() || !counter.next->hasNUses(2))
    return;
  for (llvm::User *user : counter.next->users()) {
    auto *compare = llvm::dyn_cast<llvm::ICmpInst>(user);
    if (!compare || compare->getOperand(0) != counter.next)
      continue;
    auto *bound = llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1));
    constexpr unsigned kLowBits = 31;
    if (!bound || !bound->getValue().isIntN(kLowBits) ||
        !factor.isIntN(kLowBits) || !counter.step.isIntN(kLowBits))
      return;
    compare->setOperand(0, multiple.next);
    compare->setOperand(1, llvm::ConstantInt::get(bound->getContext(),
                                                  bound->getValue() * factor));
    counter.phi->replaceAllUsesWith(
        llvm::PoisonValue::get(counter.phi->getType()));
    counter.phi->eraseFromParent();
    counter.next->eraseFromParent();
    return;
  }
}

static void countMultiples(const llvm::Loop &loop) {
  llvm::BasicBlock *before = loop.getLoopPreheader(),
                   *latch = loop.getLoopLatch();
  if (!before || !latch)
    return;
  llvm::SmallVector<Counter> counters;
  for (llvm::PHINode &phi : loop.getHeader()->phis())
    if (auto counter = counterOf(phi, latch))
      counters.push_back(*counter);
  for (const Counter &counter : counters) {
    llvm::MapVector<llvm::ConstantInt *, llvm::SmallVector<llvm::Instruction *>>
        multiples;
    for (llvm::User *user : counter.phi->users())
      if (auto factor = factorOf(user, counter))
        multiples[llvm::ConstantInt::get(user->getContext(), *factor)]
            .push_back(llvm::cast<llvm::Instruction>(user));
    llvm::Value *start = counter.phi->getIncomingValueForBlock(before);
    for (auto &[factor, equal] : multiples) {
      llvm::IRBuilder<> above(before->getTerminator()),
          after(counter.next->getParent(),
                std::next(counter.next->getIterator()));
      auto *phi = llvm::PHINode::Create(factor->getType(), 2, "",
                                        counter.phi->getIterator());
      llvm::APInt step = factor->getValue() * counter.step;
      auto *next = llvm::BinaryOperator::CreateAdd(
          phi, llvm::ConstantInt::get(factor->getContext(), step));
      after.Insert(next);
      phi->addIncoming(above.CreateMul(start, factor), before);
      phi->addIncoming(next, latch);
      for (llvm::Instruction *op : equal) {
        op->replaceAllUsesWith(phi);
        op->eraseFromParent();
      }
      auto *zero = llvm::dyn_cast<llvm::ConstantInt>(start);
      if (multiples.size() == 1 && zero && zero->isZero() &&
          factor->getBitWidth() == 64)
        endAt(counter, {phi, next, step}, factor->getValue());
    }
  }
}

void cpu::countMultiples(llvm::Function &function) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (const llvm::Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost())
      ::countMultiples(*loop);
}
