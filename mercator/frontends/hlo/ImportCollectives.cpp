// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations between devices, and randomness.

#include "mercator/frontends/hlo/Importer.h"

using namespace mlir;
using namespace mercator;
using namespace mercator::hlo;

//===----------------------------------------------------------------------===//
// Replica groups
//===----------------------------------------------------------------------===//

/// More devices than this are left as text.
static constexpr int64_t kMaxGroupEntries = 1 << 20;

namespace {
/// Reads the spellings of replica groups. Each function fails on anything else,
/// and the instruction is then kept as hlo.opaque.
struct GroupReader {
  StringRef text;

  bool consume(StringRef word) {
    text = text.ltrim();
    return text.consume_front(word);
  }
  bool number(int64_t &value) {
    text = text.ltrim();
    return !text.consumeInteger(10, value);
  }
  /// `[2,4]` or `(1,0)`.
  bool numbers(StringRef open, StringRef close,
               SmallVectorImpl<int64_t> &values) {
    if (!consume(open))
      return false;
    if (consume(close))
      return true;
    do {
      if (!number(values.emplace_back()))
        return false;
    } while (consume(","));
    return consume(close);
  }
};
} // namespace

/// `{{0,1},{2,3}}`; rows of different length end in -1.
static bool readLists(GroupReader reader, SmallVectorImpl<int64_t> &shape,
                      SmallVectorImpl<int64_t> &values) {
  SmallVector<SmallVector<int64_t>> rows;
  if (!reader.consume("{"))
    return false;
  if (!reader.consume("}")) {
    do {
      if (!reader.numbers("{", "}", rows.emplace_back()))
        return false;
    } while (reader.consume(","));
    if (!reader.consume("}"))
      return false;
  }
  size_t width = 0;
  for (const auto &row : rows)
    width = std::max(width, row.size());
  if (int64_t(rows.size() * width) > kMaxGroupEntries)
    return false;
  for (const auto &row : rows) {
    llvm::append_range(values, row);
    values.append(width - row.size(), -1);
  }
  shape.assign({int64_t(rows.size()), int64_t(width)});
  return reader.text.trim().empty();
}

/// `[2,4]<=[8]` or `[4,2]<=[2,4]T(1,0)`: the numbers 0, 1, .. in the shape on
/// the right, transposed, read into the shape on the left.
static bool readIota(GroupReader reader, SmallVectorImpl<int64_t> &shape,
                     SmallVectorImpl<int64_t> &values) {
  SmallVector<int64_t> dims, permutation;
  if (!reader.numbers("[", "]", shape) || !reader.consume("<=") ||
      !reader.numbers("[", "]", dims))
    return false;
  if (reader.consume("T")) {
    if (!reader.numbers("(", ")", permutation))
      return false;
  } else {
    permutation = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
  }
  if (!reader.text.trim().empty() || shape.size() != 2 ||
      permutation.size() != dims.size())
    return false;
  auto product = [](ArrayRef<int64_t> factors) -> int64_t {
    int64_t result = 1;
    for (int64_t factor : factors) {
      if (factor < 1 || factor > kMaxGroupEntries)
        return -1;
      if ((result *= factor) > kMaxGroupEntries)
        return -1;
    }
    return result;
  };
  int64_t total = product(dims);
  if (total < 0 || total != product(shape))
    return false;
  llvm::SmallBitVector seen(dims.size());
  for (int64_t dim : permutation) {
    if (dim < 0 || dim >= int64_t(dims.size()) || seen.test(dim))
      return false;
    seen.set(dim);
  }
  SmallVector<int64_t> strides(dims.size(), 1);
  for (int64_t i = int64_t(dims.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * dims[i + 1];
  for (int64_t n = 0; n < total; ++n) {
    int64_t rest = n, value = 0;
    for (int64_t dim : llvm::reverse(permutation)) {
      value += rest % dims[dim] * strides[dim];
      rest /= dims[dim];
    }
    values.push_back(value);
  }
  return true;
}

/// Null where the groups are spelt in a way not known here.
DenseIntElementsAttr BodyImporter::groupsOf(StringRef text) {
  SmallVector<int64_t> shape, values;
  if (!readLists({text}, shape, values)) {
    shape.clear();
    values.clear();
    if (!readIota({text}, shape, values))
      return {};
  }
  return DenseIntElementsAttr::get(RankedTensorType::get(shape, b.getI64Type()),
                                   values);
}

DenseIntElementsAttr BodyImporter::replicaGroups() {
  const Attribute *attribute = instruction->find(AttrName::ReplicaGroups);
  return groupsOf(attribute ? attribute->text : "{}");
}

/// `type` is 1 between devices, as XLA counts.
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
  case Opcode::AllGather: {
    if (dimensions.size() != 1)
      return nullptr;
    attrs->skip(AttrName::ReplicaGroups);
    return stablehlo::AllGatherOp::create(b, loc, resultTypes(), operands(),
                                          b.getI64IntegerAttr(dimensions[0]),
                                          groups, channel(1), globalIds());
  }
  case Opcode::AllReduce: {
    attrs->skip(AttrName::ReplicaGroups);
    auto op = stablehlo::AllReduceOp::create(b, loc, resultTypes(), operands(),
                                             groups, channel(1), globalIds());
    fillRegion(op, op.getComputation(), AttrName::ToApply,
               operand(0).getType());
    return op;
  }
  case Opcode::ReduceScatter: {
    if (!single || dimensions.size() != 1)
      return nullptr;
    attrs->skip(AttrName::ReplicaGroups);
    auto op = stablehlo::ReduceScatterOp::create(
        b, loc, resultType(), operand(0), b.getI64IntegerAttr(dimensions[0]),
        groups, channel(1), globalIds());
    fillRegion(op, op.getComputation(), AttrName::ToApply,
               operand(0).getType());
    return op;
  }
  case Opcode::AllToAll: {
    // The array form; the tuple form sends whole operands and has no
    // counterpart.
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

Operation *BodyImporter::buildRandom() {
  if (!operandsAreArrays())
    return nullptr;
  if (instruction->opcode == Opcode::RngBitGenerator) {
    // Without the state in the result it is an older, other operation.
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
