// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations between devices, and randomness.

#include "mercator/frontends/hlo/Importer.h"
#include "mercator/frontends/hlo/ReplicaGroups.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::hlo;

//===----------------------------------------------------------------------===//
// Replica groups
//===----------------------------------------------------------------------===//

/// Null if the notation of the groups is unknown.
DenseIntElementsAttr BodyImporter::groupsOf(StringRef text) {
  std::optional<ReplicaGroups> groups = readReplicaGroups(text);
  if (!groups)
    return {};
  auto type =
      RankedTensorType::get({groups->rows, groups->columns}, b.getI64Type());
  return DenseIntElementsAttr::get(type, ArrayRef<int64_t>(groups->ids));
}

DenseIntElementsAttr BodyImporter::replicaGroups() {
  const Attribute *attribute = instruction->find(AttrName::ReplicaGroups);
  return groupsOf(attribute ? attribute->text : "{}");
}

/// The tuple form sends whole operands, which StableHLO cannot express. It
/// becomes an opaque instruction whose groups have the form of StableHLO's
/// collectives.
Operation *BodyImporter::buildTupleAllToAll(DenseIntElementsAttr groups) {
  attrs->skip(AttrName::ReplicaGroups);
  stablehlo::ChannelHandleAttr handle = channel(1);
  Operation *op = buildOpaque();
  op->setAttr("replica_groups", groups);
  if (handle)
    op->setAttr("channel_handle", handle);
  return op;
}

bool BodyImporter::isOrderToken(Value operand, Type result) {
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  return type && type.getRank() == 0 && type == result;
}

Operation *BodyImporter::buildBesideTokens(
    function_ref<Operation *(ArrayRef<Value>, ArrayRef<Type>)> build) {
  SmallVector<Value> inputs, all = operands();
  SmallVector<Type> types, allTypes = resultTypes();
  if (all.size() != allTypes.size())
    return nullptr;
  for (auto [operand, type] : llvm::zip(all, allTypes))
    if (!isOrderToken(operand, type)) {
      inputs.push_back(operand);
      types.push_back(type);
    }
  if (inputs.empty() || inputs.size() == all.size())
    return build(all, allTypes);
  Operation *op = build(inputs, types);
  if (!op)
    return nullptr;
  // The tokens are ready when the tensors are.
  SmallVector<Value> values;
  auto made = op->result_begin();
  for (auto [operand, type] : llvm::zip(all, allTypes))
    values.push_back(isOrderToken(operand, type) ? operand : Value(*made++));
  op->setLoc(shared.locationOf(*instruction, /*named=*/false));
  return stablehlo::OptimizationBarrierOp::create(b, loc, values);
}

/// `type` is 1 between devices, in XLA's numbering.
stablehlo::ChannelHandleAttr BodyImporter::channel(int64_t type) {
  const Attribute *attribute = attrs->find(AttrName::ChannelId);
  if (!attribute)
    return {};
  return stablehlo::ChannelHandleAttr::get(&shared.context, attribute->integer,
                                           type);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Operation *BodyImporter::buildCollective() {
  switch (instruction->opcode) {
  case Opcode::PartitionId:
    return stablehlo::PartitionIdOp::create(b, loc, resultType());
  case Opcode::ReplicaId:
    return stablehlo::ReplicaIdOp::create(b, loc, resultType());
  default:
    break;
  }
  DenseIntElementsAttr groups = replicaGroups();
  bool single =
      instruction->operands.size() == 1 && instruction->shape->isArray();
  if (!groups || !operandsAreArrays())
    return nullptr;
  ArrayRef<int64_t> dimensions = attrs->ints(AttrName::Dimensions);
  auto globalIds = [&] {
    return attrs->flag(AttrName::UseGlobalDeviceIds) ? b.getUnitAttr()
                                                     : UnitAttr();
  };
  auto dynamicRoot = [&] {
    return attrs->flag(AttrName::HasDynamicRoot) ? b.getUnitAttr() : UnitAttr();
  };
  switch (instruction->opcode) {
  case Opcode::AllGather:
    if (dimensions.size() != 1)
      return nullptr;
    attrs->skip(AttrName::ReplicaGroups);
    return buildBesideTokens([&](ArrayRef<Value> inputs, ArrayRef<Type> types) {
      return stablehlo::AllGatherOp::create(b, loc, types, inputs,
                                            b.getI64IntegerAttr(dimensions[0]),
                                            groups, channel(1), globalIds());
    });
  case Opcode::AllReduce: {
    attrs->skip(AttrName::ReplicaGroups);
    auto op = stablehlo::AllReduceOp::create(b, loc, resultTypes(), operands(),
                                             groups, channel(1), globalIds());
    fillRegion(op, op.getComputation(), AttrName::ToApply,
               operand(0).getType());
    return op;
  }
  case Opcode::ReduceScatter:
    if (dimensions.size() != 1)
      return nullptr;
    attrs->skip(AttrName::ReplicaGroups);
    return buildBesideTokens(
        [&](ArrayRef<Value> inputs, ArrayRef<Type> types) -> Operation * {
          if (inputs.size() != 1)
            return nullptr;
          auto op = stablehlo::ReduceScatterOp::create(
              b, loc, types[0], inputs[0], b.getI64IntegerAttr(dimensions[0]),
              groups, channel(1), globalIds());
          fillRegion(op, op.getComputation(), AttrName::ToApply,
                     inputs[0].getType());
          return op;
        });
  case Opcode::AllToAll: {
    if (instruction->shape->isTuple())
      return buildTupleAllToAll(groups);
    auto groupType = cast<RankedTensorType>(groups.getType());
    if (!single || dimensions.size() != 1 || groupType.getDimSize(1) < 1)
      return nullptr;
    attrs->skip(AttrName::ReplicaGroups);
    IntegerAttr dimension = b.getI64IntegerAttr(dimensions[0]);
    return stablehlo::AllToAllOp::create(
        b, loc, resultTypes(), operands(), dimension, dimension,
        b.getI64IntegerAttr(groupType.getDimSize(1)), groups, channel(1));
  }
  case Opcode::CollectivePermute: {
    const Attribute *pairs = instruction->find(AttrName::SourceTargetPairs);
    if (!single || !pairs)
      return nullptr;
    SmallVector<int64_t> values;
    for (ArrayRef<int64_t> pair : pairs->intLists()) {
      if (pair.size() != 2)
        return nullptr;
      llvm::append_range(values, pair);
    }
    attrs->skip(AttrName::SourceTargetPairs);
    auto type =
        RankedTensorType::get({int64_t(values.size() / 2), 2}, b.getI64Type());
    return stablehlo::CollectivePermuteOp::create(
        b, loc, resultType(), operand(0),
        DenseIntElementsAttr::get(type, values), channel(1));
  }
  case Opcode::CollectiveBroadcast:
    attrs->skip(AttrName::ReplicaGroups);
    return stablehlo::CollectiveBroadcastOp::create(
        b, loc, resultTypes(), operands(), groups, channel(1), dynamicRoot());
  case Opcode::CollectiveReduce: {
    attrs->skip(AttrName::ReplicaGroups);
    auto op = stablehlo::CollectiveReduceOp::create(
        b, loc, resultTypes(), operands(), groups, channel(1), globalIds(),
        dynamicRoot());
    fillRegion(op, op.getComputation(), AttrName::ToApply,
               operand(0).getType());
    return op;
  }
  default:
    return nullptr;
  }
}

/// Whether StableHLO has a generator with a state of this type. XLA's
/// generators take any state whose type is the same before and after.
static bool isStablehloState(stablehlo::RngAlgorithm algorithm, Type type) {
  auto state = dyn_cast<RankedTensorType>(type);
  auto element =
      state ? dyn_cast<IntegerType>(state.getElementType()) : IntegerType();
  if (!element || !state.hasStaticShape() || state.getRank() != 1)
    return true; // the verifier reports it
  int64_t bits = state.getDimSize(0) * element.getWidth();
  switch (algorithm) {
  case stablehlo::RngAlgorithm::THREE_FRY:
    return bits == 2 * 64;
  case stablehlo::RngAlgorithm::PHILOX:
    return bits == 2 * 64 || bits == 3 * 64;
  default:
    return true;
  }
}

Operation *BodyImporter::buildRandom() {
  if (!operandsAreArrays())
    return nullptr;
  if (instruction->opcode == Opcode::RngBitGenerator) {
    // Without the state in the result it is another, older operation.
    auto algorithm =
        llvm::StringSwitch<std::optional<stablehlo::RngAlgorithm>>(
            attrs->text(AttrName::Algorithm))
            .Case("rng_default", stablehlo::RngAlgorithm::DEFAULT)
            .Case("rng_three_fry", stablehlo::RngAlgorithm::THREE_FRY)
            .Case("rng_philox", stablehlo::RngAlgorithm::PHILOX)
            .Default(std::nullopt);
    SmallVector<Type> types = resultTypes();
    if (!algorithm || types.size() != 2)
      return nullptr;
    bool isUnchanged = stablehlo::typesAgree(types[0], operand(0).getType());
    if (isUnchanged && !isStablehloState(*algorithm, types[0]))
      return nullptr;
    return stablehlo::RngBitGeneratorOp::create(b, loc, types, operand(0),
                                                *algorithm);
  }
  auto distribution =
      llvm::StringSwitch<std::optional<stablehlo::RngDistribution>>(
          attrs->text(AttrName::Distribution))
          .Case("rng_uniform", stablehlo::RngDistribution::UNIFORM)
          .Case("rng_normal", stablehlo::RngDistribution::NORMAL)
          .Default(std::nullopt);
  const Shape &shape = *instruction->shape;
  if (!distribution || instruction->operands.size() != 2 || !shape.isArray())
    return nullptr;
  auto type = RankedTensorType::get({int64_t(shape.rank())}, b.getI64Type());
  Value extents = stablehlo::ConstantOp::create(
      b, shared.locationOf(*instruction, /*named=*/false), type,
      DenseElementsAttr::get(type, shape.dims));
  return stablehlo::RngOp::create(b, loc, resultType(), operand(0), operand(1),
                                  extents, *distribution);
}
