// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions of a computation in order: the family that builds each
// opcode, the values of operands, and the attributes that are kept as text.

#include "mercator/frontends/hlo/Importer.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::hlo;

//===----------------------------------------------------------------------===//
// AttributeReader
//===----------------------------------------------------------------------===//

const hlo::Attribute *AttributeReader::find(AttrName name) {
  for (auto [i, attribute] : llvm::enumerate(instruction->attributes))
    if (attribute.name == name) {
      unread.reset(i);
      return &attribute;
    }
  return nullptr;
}

ArrayRef<int64_t> AttributeReader::ints(AttrName name) {
  const Attribute *attribute = find(name);
  return attribute ? attribute->ints : ArrayRef<int64_t>();
}

int64_t AttributeReader::integer(AttrName name, int64_t otherwise) {
  const Attribute *attribute = find(name);
  return attribute ? attribute->integer : otherwise;
}

StringRef AttributeReader::text(AttrName name) {
  const Attribute *attribute = find(name);
  return attribute ? attribute->text : StringRef();
}

const ComputationRef *AttributeReader::called(AttrName name) {
  const Attribute *attribute = find(name);
  return attribute && !attribute->computations().empty()
             ? &attribute->computations().front()
             : nullptr;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value BodyImporter::value(uint32_t index) {
  Imported &imported = values[index];
  if (!imported.value) {
    const Instruction &source = computation.instructions[index];
    // Assembled at the first use, so all definitions are in this block.
    imported.value = stablehlo::TupleOp::create(
        b, shared.locationOf(source, /*named=*/false),
        shared.typeOf(*source.shape), imported.elements);
  }
  return imported.value;
}

ArrayRef<Value> BodyImporter::elements(uint32_t index) {
  Imported &imported = values[index];
  if (imported.isSplit || !imported.elements.empty())
    return imported.elements;
  if (!isa<TupleType>(imported.value.getType()))
    return shared.save(imported.value);
  Location where =
      shared.locationOf(computation.instructions[index], /*named=*/false);
  imported.elements = shared.save(split(b, where, imported.value));
  return imported.elements;
}

SmallVector<Value> BodyImporter::split(OpBuilder &builder, Location where,
                                       Value tuple) {
  SmallVector<Value> result;
  for (auto [i, type] :
       llvm::enumerate(cast<TupleType>(tuple.getType()).getTypes()))
    result.push_back(
        stablehlo::GetTupleElementOp::create(builder, where, type, tuple, i));
  return result;
}

bool BodyImporter::isOnlyUsedBy(uint32_t index, Opcode opcode) {
  if (soleUsers.empty()) {
    constexpr uint32_t kUnused = kNone - 1;
    soleUsers.assign(computation.instructions.size(), kUnused);
    soleUsers[computation.root] = kNone;
    for (auto [user, source] : llvm::enumerate(computation.instructions))
      for (uint32_t used : source.operands)
        soleUsers[used] = soleUsers[used] == kUnused ? user : kNone;
    llvm::replace(soleUsers, kUnused, kNone);
  }
  uint32_t user = soleUsers[index];
  return user != kNone && computation.instructions[user].opcode == opcode;
}

SmallVector<Value> BodyImporter::operands(unsigned first, unsigned count) {
  SmallVector<Value> result;
  for (uint32_t index :
       instruction->operands.drop_front(first).take_front(count))
    result.push_back(value(index));
  return result;
}

Value BodyImporter::coerce(OpBuilder &builder, Value value, Type type) {
  if (value.getType() == type || !stablehlo::typesAgree(value.getType(), type))
    return value; // the verifier reports a real mismatch
  return CopyOp::create(
      builder, shared.locationOf(*instruction, /*named=*/false), type, value);
}

SmallVector<Type> BodyImporter::resultTypes() {
  Type type = resultType();
  if (auto tuple = dyn_cast<TupleType>(type))
    return SmallVector<Type>(tuple.getTypes());
  return {type};
}

/// One type for each member, unless there is none.
SmallVector<Type> BodyImporter::carriedTypes(Type type) {
  if (!isSplitTuple(type))
    return {type};
  return SmallVector<Type>(cast<TupleType>(type).getTypes());
}

bool BodyImporter::operandsAreArrays() const {
  return llvm::all_of(instruction->operands, [&](uint32_t index) {
    return computation.instructions[index].shape->isArray();
  });
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

LogicalResult BodyImporter::run() {
  for (auto [number, index] : llvm::enumerate(computation.parameters))
    values[index].value = block.getArgument(number);
  for (uint32_t index = 0; index < computation.instructions.size(); ++index)
    if (failed(importInstruction(index)))
      return failure();
  terminate();
  return success();
}

LogicalResult BodyImporter::importInstruction(uint32_t index) {
  const Instruction &current = computation.instructions[index];
  if (current.opcode == Opcode::Parameter)
    return success();
  // A tuple that leaves a region becomes several values.
  if (current.opcode == Opcode::Tuple && index == computation.root &&
      kind != BodyKind::Function) {
    instruction = &current;
    SmallVector<Value> members = operands();
    values[index].isSplit = true;
    values[index].elements = shared.save(members);
    return success();
  }
  if (failed(shared.count(current)))
    return failure();
  AttributeReader reader(current);
  reader.skip(AttrName::Metadata);
  instruction = &current;
  attrs = &reader;
  members.clear();
  isPending = false;
  loc = shared.locationOf(current);
  Operation *op = build();
  if (failedInside)
    return failure();
  if (!op) {
    reader = AttributeReader(current);
    reader.skip(AttrName::Metadata);
    op = buildOpaque();
  }
  setLeftovers(op);
  setResult(index, op);
  return success();
}

void BodyImporter::setResult(uint32_t index, Operation *op) {
  Imported &imported = values[index];
  if (!members.empty()) {
    imported.elements = shared.save(members);
    imported.isSplit = !isa<stablehlo::TupleOp>(op);
    if (!imported.isSplit)
      imported.value = op->getResult(0);
    return;
  }
  if (op->getNumResults() == 1 &&
      (isPending || isa<TupleType>(op->getResult(0).getType()) ==
                        instruction->shape->isTuple())) {
    imported.value = op->getResult(0);
    return;
  }
  // The single member of a tuple, or several results.
  imported.isSplit = true;
  imported.elements = shared.save(op->getResults());
}

bool mercator::hlo::isCommon(AttrName name) {
  switch (name) {
  case AttrName::FrontendAttributes:
  case AttrName::ControlPredecessors:
  case AttrName::Sharding:
  case AttrName::BackendConfig:
  case AttrName::Origin:
  case AttrName::Statistics:
  case AttrName::ParameterReplication:
    return true;
  default:
    return false;
  }
}

std::string mercator::hlo::nameOf(const hlo::Attribute &attribute) {
  return (attribute.name == AttrName::Other ? attribute.otherName
                                            : spelling(attribute.name))
      .str();
}

/// Sets common attributes under `mhlo.` and other unread attributes under
/// `hlo.`.
void BodyImporter::setLeftovers(Operation *op) {
  attrs->forUnread([&](const Attribute &attribute) {
    if (isa<OpaqueOp>(op) && !isCommon(attribute.name))
      return; // the operation holds them itself
    switch (attribute.name) {
    case AttrName::FrontendAttributes: {
      SmallVector<NamedAttribute> entries;
      llvm::SmallDenseSet<StringRef> seen;
      for (const DictionaryEntry &entry : attribute.entries())
        if (!entry.key.empty() && seen.insert(entry.key).second)
          entries.push_back(
              b.getNamedAttr(entry.key, b.getStringAttr(entry.value)));
      op->setDiscardableAttr("mhlo.frontend_attributes",
                             b.getDictionaryAttr(entries));
      return;
    }
    case AttrName::ControlPredecessors: {
      SmallVector<StringRef> names;
      for (int64_t predecessor : attribute.ints)
        names.push_back(computation.instructions[predecessor].name);
      op->setDiscardableAttr("mhlo.control_predecessors",
                             b.getStrArrayAttr(names));
      return;
    }
    default:
      op->setDiscardableAttr((isCommon(attribute.name) ? "mhlo." : "hlo.") +
                                 nameOf(attribute),
                             b.getStringAttr(attribute.text));
    }
  });
}

void BodyImporter::terminate() {
  const Instruction &root = computation.rootInstruction();
  instruction = &root;
  // The terminator of a region keeps the name of its root tuple.
  bool dissolved = kind != BodyKind::Function && root.opcode == Opcode::Tuple;
  Location where = shared.locationOf(root, /*named=*/dissolved);
  switch (kind) {
  case BodyKind::Function:
    func::ReturnOp::create(b, where, value(computation.root));
    return;
  case BodyKind::Region:
    stablehlo::ReturnOp::create(b, where, elements(computation.root));
    return;
  case BodyKind::Fusion:
    ReturnOp::create(b, where, elements(computation.root));
    return;
  }
}

//===----------------------------------------------------------------------===//
// Choice of the family
//===----------------------------------------------------------------------===//

Operation *BodyImporter::build() {
  if (instruction->asyncWrapped)
    return buildAsync();
  if (shared.elementwise(instruction->opcode))
    return buildElementwise();
  switch (instruction->opcode) {
  case Opcode::Constant:
    return buildConstant();
  case Opcode::Tuple:
  case Opcode::GetTupleElement:
    return buildTuple();
  case Opcode::Compare:
  case Opcode::ReducePrecision:
    return buildElementwise();
  case Opcode::Iota:
  case Opcode::Broadcast:
  case Opcode::Reshape:
  case Opcode::Transpose:
  case Opcode::Reverse:
  case Opcode::Concatenate:
  case Opcode::Bitcast:
  case Opcode::BitcastConvert:
  case Opcode::Copy:
  case Opcode::GetDimensionSize:
  case Opcode::SetDimensionSize:
  case Opcode::DynamicReshape:
    return buildMovement();
  case Opcode::Slice:
  case Opcode::DynamicSlice:
  case Opcode::DynamicUpdateSlice:
  case Opcode::Pad:
    return buildWindowed();
  case Opcode::Gather:
    return buildGather();
  case Opcode::Dot:
    return buildProduct();
  case Opcode::RaggedDot:
    return buildRaggedProduct();
  case Opcode::TopK:
    return buildTopK();
  case Opcode::Convolution:
    return buildConvolution();
  case Opcode::BatchNormGrad:
  case Opcode::BatchNormInference:
  case Opcode::BatchNormTraining:
  case Opcode::Cholesky:
  case Opcode::TriangularSolve:
  case Opcode::Fft:
    return buildMatrix();
  case Opcode::Reduce:
  case Opcode::ReduceWindow:
  case Opcode::SelectAndScatter:
  case Opcode::Map:
    return buildReduction();
  case Opcode::Scatter:
    return buildScatter();
  case Opcode::Sort:
    return buildSort();
  case Opcode::Scan:
    return buildScan();
  case Opcode::Fusion:
    return buildFusion();
  case Opcode::Call:
  case Opcode::While:
  case Opcode::Conditional:
  case Opcode::OptBarrier:
  case Opcode::AfterAll:
    return buildControl();
  case Opcode::CustomCall:
    return buildCustomCall();
  case Opcode::Infeed:
  case Opcode::Outfeed:
  case Opcode::Send:
  case Opcode::SendDone:
  case Opcode::Recv:
  case Opcode::RecvDone:
    return buildTransfer();
  case Opcode::AllGather:
  case Opcode::AllReduce:
  case Opcode::AllToAll:
  case Opcode::ReduceScatter:
  case Opcode::CollectivePermute:
  case Opcode::CollectiveBroadcast:
  case Opcode::CollectiveReduce:
  case Opcode::PartitionId:
  case Opcode::ReplicaId:
    return buildCollective();
  case Opcode::AsyncStart:
  case Opcode::AsyncUpdate:
  case Opcode::AsyncDone:
  case Opcode::AllGatherStart:
  case Opcode::AllGatherDone:
  case Opcode::AllReduceStart:
  case Opcode::AllReduceDone:
  case Opcode::CollectivePermuteStart:
  case Opcode::CollectivePermuteDone:
  case Opcode::CopyStart:
  case Opcode::CopyDone:
    return buildAsync();
  case Opcode::Rng:
  case Opcode::RngBitGenerator:
    return buildRandom();
  default:
    return nullptr;
  }
}
