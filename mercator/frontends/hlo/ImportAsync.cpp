// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs that begin and end one operation: all-gather-start and all-gather-done,
// async-start around a computation of one instruction. HLO has the state
// between them as a tuple, StableHLO as a future.

#include "mercator/frontends/hlo/Importer.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::hlo;

/// What stablehlo.async_start may begin.
static bool mayBeAsync(Opcode opcode) {
  switch (opcode) {
  case Opcode::AllGather:
  case Opcode::AllReduce:
  case Opcode::AllToAll:
  case Opcode::CollectiveBroadcast:
  case Opcode::CollectivePermute:
  case Opcode::ReduceScatter:
  case Opcode::Slice:
  case Opcode::DynamicSlice:
  case Opcode::DynamicUpdateSlice:
    return true;
  default:
    return false;
  }
}

static Opcode doneOf(Opcode start) {
  switch (start) {
  case Opcode::AllGatherStart:
    return Opcode::AllGatherDone;
  case Opcode::AllReduceStart:
    return Opcode::AllReduceDone;
  case Opcode::CollectivePermuteStart:
    return Opcode::CollectivePermuteDone;
  default:
    return Opcode::AsyncDone;
  }
}

/// The instruction that ends what this one begins, where nothing else looks at
/// the state between; else null.
const Instruction *BodyImporter::endOf(const Instruction &start) {
  auto index = uint32_t(&start - computation.instructions.data());
  while (isOnlyUsedBy(index, Opcode::AsyncUpdate))
    index = soleUsers[index];
  return isOnlyUsedBy(index, doneOf(start.opcode))
             ? &computation.instructions[soleUsers[index]]
             : nullptr;
}

/// The one instruction of a computation, which it gives its parameters in their
/// order; else null.
static const Instruction *onlyInstruction(const Computation &called) {
  const Instruction &root = called.rootInstruction();
  if (called.instructions.size() != called.parameters.size() + 1 ||
      !mayBeAsync(root.opcode) ||
      root.operands.size() != called.parameters.size())
    return nullptr;
  for (auto [operand, parameter] : llvm::zip(root.operands, called.parameters))
    if (operand != parameter)
      return nullptr;
  return &root;
}

Operation *BodyImporter::buildAsyncStart() {
  const Instruction &start = *instruction;
  const Instruction *end = endOf(start);
  if (!end || !operandsAreArrays() || start.operands.empty())
    return nullptr;
  const ComputationRef *callee =
      start.opcode == Opcode::AsyncStart && !start.asyncWrapped
          ? attrs->called(AttrName::Calls)
          : nullptr;
  Opcode inner = start.opcode == Opcode::AllGatherStart   ? Opcode::AllGather
                 : start.opcode == Opcode::AllReduceStart ? Opcode::AllReduce
                 : start.opcode == Opcode::CollectivePermuteStart
                     ? Opcode::CollectivePermute
                     : start.asyncWrapped.value_or(Opcode::Call);
  if (callee) {
    if (callee->index == kNone ||
        !onlyInstruction(shared.module.computations[callee->index]))
      return nullptr;
  } else if (!mayBeAsync(inner)) {
    return nullptr;
  }

  SmallVector<Type> types = carriedTypes(shared.typeOf(*end->shape));
  if (!llvm::all_of(types, llvm::IsaPred<RankedTensorType>))
    return nullptr;
  SmallVector<Value> inputs = operands();
  auto op = stablehlo::AsyncStartOp::create(
      b, loc, stablehlo::FutureType::get(&shared.context, types), inputs);
  if (callee) {
    fillRegion(op, op.getBody(), AttrName::Calls, {});
  } else {
    // The same instruction as if it were not asynchronous, in the region.
    Instruction now = start;
    now.opcode = inner;
    now.shape = end->shape;
    now.asyncWrapped.reset();
    Block &block = op.getBody().emplaceBlock();
    Location where = shared.locationOf(start, /*named=*/false);
    for (Value input : inputs)
      block.addArgument(input.getType(), where);
    OpBuilder outside = b;
    Location named = loc;
    b = OpBuilder::atBlockEnd(&block);
    instruction = &now;
    loc = where;
    Operation *body = build();
    if (body) {
      body->setOperands(block.getArguments());
      stablehlo::ReturnOp::create(b, where, body->getResults());
    }
    b = outside;
    instruction = &start;
    loc = named;
    if (!body) {
      op->erase();
      return nullptr;
    }
  }
  isPending = true;
  return op;
}

Operation *BodyImporter::buildAsync() {
  switch (instruction->opcode) {
  case Opcode::AsyncUpdate:
  case Opcode::AsyncDone:
  case Opcode::AllGatherDone:
  case Opcode::AllReduceDone:
  case Opcode::CollectivePermuteDone:
    break;
  default:
    return buildAsyncStart();
  }
  Value state = values[instruction->operands[0]].value;
  auto future =
      state ? dyn_cast<stablehlo::FutureType>(state.getType()) : nullptr;
  if (!future)
    return nullptr;
  attrs->skip(AttrName::Calls); // said by the start, as is the channel
  attrs->skip(AttrName::ChannelId);
  if (instruction->opcode == Opcode::AsyncUpdate) {
    isPending = true;
    return CopyOp::create(b, loc, future, state);
  }
  return stablehlo::AsyncDoneOp::create(b, loc, future.getTypes(), state);
}
