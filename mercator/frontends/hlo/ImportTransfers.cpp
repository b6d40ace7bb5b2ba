// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data transfers between the program and the host or a peer. HLO starts and
// ends a transfer with two instructions; stablehlo.send and stablehlo.recv are
// one.

#include "mercator/frontends/hlo/Importer.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::hlo;

/// XLA's key for the specification's source_target_pairs.
static constexpr StringLiteral kPairsKey = "_xla_send_recv_source_target_pairs";

DenseIntElementsAttr BodyImporter::transferPairs() {
  const Attribute *attribute = instruction->find(AttrName::FrontendAttributes);
  if (!attribute)
    return {};
  for (const DictionaryEntry &entry : attribute->entries())
    if (entry.key == kPairsKey)
      if (DenseIntElementsAttr pairs = groupsOf(entry.value);
          pairs && pairs.getType().getDimSize(1) == 2)
        return pairs;
  return {};
}

/// HLO's data may be a tuple. StableHLO has its members as values.
static SmallVector<Type> dataTypes(Type type) {
  if (auto tuple = dyn_cast<TupleType>(type))
    return SmallVector<Type>(tuple.getTypes());
  return {type};
}

/// The members of operand 0.
SmallVector<Value> BodyImporter::dataOperands() {
  return SmallVector<Value>(elements(instruction->operands[0]));
}

Value BodyImporter::dataOf(Type type, ValueRange values) {
  if (!isa<TupleType>(type))
    return values.front();
  return stablehlo::TupleOp::create(
      b, shared.locationOf(*instruction, /*named=*/false), type, values);
}

/// The channel type gives the other end: 1 is a device, 2 the receiving host, 3
/// the sending host.
Operation *BodyImporter::buildTransfer() {
  auto index = uint32_t(instruction - computation.instructions.data());
  auto typeOfOperand = [&](unsigned i) {
    return shared.typeOf(
        *computation.instructions[instruction->operands[i]].shape);
  };
  bool toHost = attrs->flag(AttrName::IsHostTransfer);
  auto isToken = [&](unsigned i) {
    return isa<stablehlo::TokenType>(typeOfOperand(i));
  };
  switch (instruction->opcode) {
  case Opcode::Infeed: {
    auto type = dyn_cast<TupleType>(resultType());
    if (!isToken(0) || !type || type.size() != 2)
      return nullptr;
    SmallVector<Type> types = dataTypes(type.getType(0));
    types.push_back(type.getType(1));
    auto op = stablehlo::InfeedOp::create(b, loc, types, operand(0),
                                          attrs->text(AttrName::InfeedConfig),
                                          /*layout=*/ArrayAttr());
    members = {dataOf(type.getType(0), op.getResults().drop_back()),
               op.getResults().back()};
    return op;
  }
  case Opcode::Outfeed:
    if (!isToken(1))
      return nullptr;
    return stablehlo::OutfeedOp::create(b, loc, resultType(), dataOperands(),
                                        operand(1),
                                        attrs->text(AttrName::OutfeedConfig));
  // HLO's send yields (data, context, token) for its send-done alone. Here the
  // token is that of the whole transfer, and send-done waits for it.
  case Opcode::Send: {
    if (!isToken(1) || !instruction->find(AttrName::ChannelId) ||
        !isOnlyUsedBy(index, Opcode::SendDone))
      return nullptr;
    isPending = true;
    return stablehlo::SendOp::create(
        b, loc, stablehlo::TokenType::get(&shared.context), dataOperands(),
        operand(1), channel(toHost ? 2 : 1), b.getBoolAttr(toHost),
        transferPairs());
  }
  case Opcode::SendDone: {
    Value token = operand(0);
    if (!isa<stablehlo::TokenType>(token.getType()))
      return nullptr;
    attrs->skip(AttrName::ChannelId); // stated by the send
    return stablehlo::AfterAllOp::create(b, loc, resultType(), token);
  }
  // Reversed for recv: recv waits until it may start, recv-done receives.
  case Opcode::Recv:
    if (!isToken(0) || !instruction->find(AttrName::ChannelId) ||
        !isOnlyUsedBy(index, Opcode::RecvDone))
      return nullptr;
    attrs->skip(AttrName::ChannelId);
    isPending = true;
    return stablehlo::AfterAllOp::create(
        b, loc, stablehlo::TokenType::get(&shared.context), operand(0));
  case Opcode::RecvDone: {
    Value token = operand(0);
    auto type = dyn_cast<TupleType>(resultType());
    if (!isa<stablehlo::TokenType>(token.getType()) || !type ||
        type.size() != 2)
      return nullptr;
    SmallVector<Type> types = dataTypes(type.getType(0));
    types.push_back(type.getType(1));
    auto op =
        stablehlo::RecvOp::create(b, loc, types, token, channel(toHost ? 3 : 1),
                                  b.getBoolAttr(toHost), transferPairs());
    members = {dataOf(type.getType(0), op.getResults().drop_back()),
               op.getResults().back()};
    return op;
  }
  default:
    return nullptr;
  }
}
