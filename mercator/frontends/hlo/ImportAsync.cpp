// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of instructions that start and end one operation: all-gather-start and
// all-gather-done, async-start around a computation of one instruction. The
// state between them is a tuple in HLO and a future in StableHLO.

#include "mercator/frontends/hlo/Importer.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::hlo;

/// The opcodes that stablehlo.async_start may contain.
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

/// Whether a scalar that orders collectives stands beside the tensors
/// (isOrderToken): such a collective becomes two operations.
static bool takesTokens(Opcode opcode, ArrayRef<Type> results) {
  return (opcode == Opcode::AllGather || opcode == Opcode::ReduceScatter) &&
         results.size() > 1 && llvm::any_of(results, [](Type type) {
           auto tensor = dyn_cast<RankedTensorType>(type);
           return tensor && tensor.getRank() == 0;
         });
}

static Opcode doneOf(Opcode start) {
  switch (start) {
  case Opcode::AllGatherStart:
    return Opcode::AllGatherDone;
  case Opcode::AllReduceStart:
    return Opcode::AllReduceDone;
  case Opcode::CollectivePermuteStart:
    return Opcode::CollectivePermuteDone;
  case Opcode::CopyStart:
    return Opcode::CopyDone;
  default:
    return Opcode::AsyncDone;
  }
}

/// The instruction that ends the operation that `start` starts, if it is the
/// only user of the state between them; else null.
const Instruction *BodyImporter::endOf(const Instruction &start) {
  auto index = uint32_t(&start - computation.instructions.data());
  while (isOnlyUsedBy(index, Opcode::AsyncUpdate))
    index = soleUsers[index];
  return isOnlyUsedBy(index, doneOf(start.opcode))
             ? &computation.instructions[soleUsers[index]]
             : nullptr;
}

/// The single instruction of a computation, if its operands are the parameters
/// in order; else null.
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

/// Builds the current instruction with another opcode and shape, under its own
/// name.
Operation *BodyImporter::buildNow(Opcode opcode, const Shape &shape) {
  const Instruction *start = instruction;
  Instruction now = *start;
  now.opcode = opcode;
  now.shape = &shape;
  now.asyncWrapped.reset();
  instruction = &now;
  Operation *op = build();
  members.clear();
  isPending = false;
  instruction = start;
  return op;
}

/// An operation that stablehlo.async_start cannot contain is computed at its
/// start; the instruction that ends it returns the value.
Operation *BodyImporter::buildAsyncStart() {
  const Instruction &start = *instruction;
  const Instruction *end = endOf(start);
  if (!end)
    return nullptr;
  if (start.opcode == Opcode::CopyStart) {
    isPending = true;
    return CopyOp::create(b, loc, shared.typeOf(*end->shape), operand(0));
  }
  const ComputationRef *callee =
      start.opcode == Opcode::AsyncStart && !start.asyncWrapped
          ? attrs->called(AttrName::Calls)
          : nullptr;
  Opcode inner = start.opcode == Opcode::AllGatherStart   ? Opcode::AllGather
                 : start.opcode == Opcode::AllReduceStart ? Opcode::AllReduce
                 : start.opcode == Opcode::CollectivePermuteStart
                     ? Opcode::CollectivePermute
                     : start.asyncWrapped.value_or(Opcode::Call);
  if (callee && callee->index == kNone)
    return nullptr;
  SmallVector<Type> types = carriedTypes(shared.typeOf(*end->shape));
  const Instruction *only =
      callee ? onlyInstruction(shared.module.computations[callee->index])
             : nullptr;
  if (only)
    inner = only->opcode;
  bool isFuture = (callee ? only != nullptr : mayBeAsync(inner)) &&
                  !takesTokens(inner, types) && operandsAreArrays() &&
                  !start.operands.empty() &&
                  llvm::all_of(types, llvm::IsaPred<RankedTensorType>);
  if (!isFuture) {
    Operation *op = nullptr;
    if (callee)
      op = call(b, loc, callee->index, operands());
    else if (start.asyncWrapped || takesTokens(inner, types))
      op = buildNow(inner, *end->shape);
    if (op && op->getNumResults() != 1)
      op = stablehlo::TupleOp::create(
          b, shared.locationOf(start, /*named=*/false),
          shared.typeOf(*end->shape), op->getResults());
    isPending = op != nullptr;
    return op;
  }

  SmallVector<Value> inputs = operands();
  auto op = stablehlo::AsyncStartOp::create(
      b, loc, stablehlo::FutureType::get(&shared.context, types), inputs);
  if (callee) {
    fillRegion(op, op.getBody(), AttrName::Calls, {});
  } else {
    Block &block = op.getBody().emplaceBlock();
    Location where = shared.locationOf(start, /*named=*/false);
    for (Value input : inputs)
      block.addArgument(input.getType(), where);
    OpBuilder outside = b;
    Location named = loc;
    b = OpBuilder::atBlockEnd(&block);
    loc = where;
    Operation *body = buildNow(inner, *end->shape);
    if (body) {
      body->setOperands(block.getArguments());
      stablehlo::ReturnOp::create(b, where, body->getResults());
    }
    b = outside;
    loc = named;
    if (!body) {
      op->erase();
      return nullptr;
    }
  }
  isPending = true;
  return op;
}

/// The value for the state that an instruction yields: a future, or the result
/// itself. Null if the state is the tuple of the text.
Value BodyImporter::stateOf(uint32_t index) {
  Value state = values[index].value;
  Type type = shared.typeOf(*computation.instructions[index].shape);
  return state && state.getType() != type ? state : Value();
}

Operation *BodyImporter::buildAsync() {
  switch (instruction->opcode) {
  case Opcode::AsyncUpdate:
  case Opcode::AsyncDone:
  case Opcode::AllGatherDone:
  case Opcode::AllReduceDone:
  case Opcode::CollectivePermuteDone:
  case Opcode::CopyDone:
    break;
  default:
    return buildAsyncStart();
  }
  Value state = stateOf(instruction->operands[0]);
  if (!state)
    return nullptr;
  attrs->skip(AttrName::Calls); // stated by the start, like the channel
  attrs->skip(AttrName::ChannelId);
  if (instruction->opcode == Opcode::AsyncUpdate) {
    isPending = true;
    return CopyOp::create(b, loc, state.getType(), state);
  }
  auto future = dyn_cast<stablehlo::FutureType>(state.getType());
  if (!future)
    return CopyOp::create(b, loc, resultType(), state);
  return stablehlo::AsyncDoneOp::create(b, loc, future.getTypes(), state);
}
