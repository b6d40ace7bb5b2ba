// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the operations that reach other devices or the host. Each check
// names its constraint of the specification.
//
// The number of replicas and partitions is unknown before a program runs.
// (all_gather C3), (all_reduce C2), (reduce_scatter C4) and (all_to_all C6) are
// checked as far as the ids alone allow: they are 0, 1, .. without gaps.
// (collective_permute C4), (send C4), (recv C4) and (collective_broadcast C2)
// have no such rule: their ids are at least 0.

#include "mercator/dialects/stablehlo/Verify.h"

using namespace mlir;
using namespace mercator::stablehlo;

//===----------------------------------------------------------------------===//
// Matrices of device ids
//===----------------------------------------------------------------------===//

namespace {
/// Replica groups, as far as the text gives them.
struct Groups {
  SmallVector<int64_t> ids;         // without the padding -1 of short rows
  int64_t count = 0;                // of rows
  std::optional<int64_t> groupSize; // absent for an empty matrix, and for axes
};
enum class Rows { Full, MayBeShort };
} // namespace

/// The ids of a matrix of replica groups. A splat is not expanded: a splat with
/// several entries repeats an id.
static FailureOr<Groups> readGroups(Operation *op, Attribute attr, Rows rows) {
  Groups groups;
  auto matrix = dyn_cast<DenseIntElementsAttr>(attr);
  if (!matrix) // axes of a mesh
    return groups;
  ShapedType type = matrix.getType();
  if (type.getRank() != 2)
    return op->emitOpError()
           << "expected replica_groups of rank 2, got " << type;
  groups.count = type.getDimSize(0);
  if (type.getDimSize(0) == 0 || type.getDimSize(1) == 0)
    return groups;
  groups.groupSize = type.getDimSize(1);
  bool single = type.getDimSize(0) == 1 && type.getDimSize(1) == 1;
  if (matrix.isSplat() && !single) {
    int64_t id = matrix.getSplatValue<int64_t>();
    if (id == -1 && rows == Rows::MayBeShort)
      return groups;
    return op->emitOpError()
           << "expected replica_groups without repetition, got " << id
           << " everywhere";
  }
  for (int64_t id : matrix.getValues<int64_t>())
    if (id != -1 || rows == Rows::Full)
      groups.ids.push_back(id);
  return groups;
}

/// Expects each id once.
static LogicalResult expectUniqueIds(Operation *op, StringRef name,
                                     ArrayRef<int64_t> ids) {
  SmallVector<int64_t> sorted(ids);
  llvm::sort(sorted);
  auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice == sorted.end())
    return success();
  return op->emitOpError() << "expected " << name << " without repetition, got "
                           << *twice << " twice";
}

/// Expects a permutation of 0, 1, ..; `ids` are unique.
static LogicalResult expectAllIds(Operation *op, ArrayRef<int64_t> ids) {
  return expectWithin(op, "replica_groups", ids, int64_t(ids.size()));
}

/// Expects a channel if use_global_device_ids is set. Without groups, the group
/// is all devices, as in HLO text. `least` is 1, or 0 if no channel is accepted
/// too.
static LogicalResult expectChannel(Operation *op, bool globalIds,
                                   ChannelHandleAttr channel, int64_t least) {
  int64_t handle = channel ? channel.getHandle() : 0;
  if (!globalIds || handle >= least)
    return success();
  InFlightDiagnostic error = op->emitOpError()
                             << "expected channel_id of at least " << least
                             << " with use_global_device_ids, got ";
  if (channel)
    error << handle;
  else
    error << "none";
  return error;
}

/// The size of a process group, if it equals that of a replica group: neither
/// are replica ids combined with all partitions, nor is the grouping left open.
static std::optional<int64_t> processGroupSize(const Groups &groups,
                                               bool globalIds,
                                               ChannelHandleAttr channel) {
  bool acrossPartitions = channel && channel.getHandle() > 0 && !globalIds;
  return acrossPartitions ? std::nullopt : groups.groupSize;
}

/// Checks pairs (source, target).
static LogicalResult verifyPairs(Operation *op, DenseIntElementsAttr pairs) {
  // (collective_permute C1), (send C1), (recv C1)
  ShapedType type = pairs.getType();
  if (type.getRank() != 2 || type.getDimSize(1) != 2)
    return op->emitOpError()
           << "expected source_target_pairs of shape [N, 2], got " << type;
  if (pairs.isSplat() && type.getDimSize(0) > 1)
    return op->emitOpError()
           << "expected source_target_pairs of sources without repetition, got "
           << pairs.getSplatValue<int64_t>() << " twice";
  SmallVector<int64_t> sources, targets;
  for (auto [i, id] : llvm::enumerate(pairs.getValues<int64_t>()))
    (i % 2 == 0 ? sources : targets).push_back(id);
  return failure(
      // (collective_permute C4), (send C4), (recv C4)
      failed(expectAtLeast(op, "source_target_pairs", sources, 0)) ||
      failed(expectAtLeast(op, "source_target_pairs", targets, 0)) ||
      // (collective_permute C2), (send C2), (recv C2)
      failed(expectUniqueIds(op, "sources", sources)) ||
      // (collective_permute C3), (send C3), (recv C3)
      failed(expectUniqueIds(op, "targets", targets)));
}

/// Expects one result for each operand.
static LogicalResult expectResultEach(Operation *op) {
  return expectCount(op, "results", op->getNumResults(), op->getNumOperands());
}

/// Expects that `computation` combines two elements of `operand` and that
/// `result` has the type it returns.
static FailureOr<Type> expectComputation(Operation *op, Region &computation,
                                         Value operand) {
  FailureOr<SmallVector<Type>> accumulators =
      expectReducer(op, "computation", computation, operand.getType());
  if (failed(accumulators))
    return failure();
  return accumulators->front();
}

//===----------------------------------------------------------------------===//
// The id of this device
//===----------------------------------------------------------------------===//

LogicalResult PartitionIdOp::verify() {
  return expectScalar(*this, "result", getType());
}

LogicalResult ReplicaIdOp::verify() {
  return expectScalar(*this, "result", getType());
}

//===----------------------------------------------------------------------===//
// Meshes
//===----------------------------------------------------------------------===//

/// Expects that the mesh named by replica groups exists.
static LogicalResult verifyMesh(Operation *op, Attribute groups,
                                SymbolTableCollection &symbols) {
  auto axes = dyn_cast<ReplicaGroupMeshAxesAttr>(groups);
  auto mesh =
      axes ? dyn_cast<FlatSymbolRefAttr>(axes.getMesh()) : FlatSymbolRefAttr();
  if (!mesh || symbols.lookupNearestSymbolFrom(op, mesh))
    return success();
  return op->emitOpError()
         << "expected replica_groups over a mesh of this module, got " << mesh;
}

LogicalResult AllGatherOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyMesh(*this, getReplicaGroups(), symbols);
}
LogicalResult AllReduceOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyMesh(*this, getReplicaGroups(), symbols);
}
LogicalResult AllToAllOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyMesh(*this, getReplicaGroups(), symbols);
}
LogicalResult
CollectiveBroadcastOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyMesh(*this, getReplicaGroups(), symbols);
}
LogicalResult
CollectiveReduceOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyMesh(*this, getReplicaGroups(), symbols);
}
LogicalResult
ReduceScatterOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyMesh(*this, getReplicaGroups(), symbols);
}

//===----------------------------------------------------------------------===//
// Gathers and reductions over a group
//===----------------------------------------------------------------------===//

LogicalResult AllGatherOp::verify() {
  if (failed(expectResultEach(*this)))
    return failure();
  FailureOr<Groups> groups =
      readGroups(*this, getReplicaGroupsAttr(), Rows::Full);
  if (failed(groups) ||
      // (all_gather C2)
      failed(expectUniqueIds(*this, "replica_groups", groups->ids)) ||
      // (all_gather C3, C4)
      failed(expectAllIds(*this, groups->ids)) ||
      // (all_gather C5); HLO text may omit the channel
      failed(expectChannel(*this, getUseGlobalDeviceIds(),
                           getChannelHandleAttr(), 0)))
    return failure();
  int64_t dim = getAllGatherDim();
  for (auto [operand, result] : llvm::zip(getOperands(), getResults())) {
    auto from = tensorType(operand), to = tensorType(result);
    // (all_gather C1)
    if (failed(expectWithin(*this, "all_gather_dim", {dim}, from.getRank())))
      return failure();
    // (all_gather C6). The number of processes in a group does not depend on
    // the program alone; other tools accept any multiple, and programs rely on
    // it.
    int64_t extent = from.getDimSize(dim);
    if (extent == 0)
      return emitOpError() << "expected an operand that is not empty along "
                              "all_gather_dim, got "
                           << from;
    SmallVector<int64_t> expected(from.getShape());
    expected[dim] = ShapedType::kDynamic;
    if (failed(expectBaseline(*this, "result", to, from)) ||
        failed(expectShape(*this, "result", to, expected)))
      return failure();
    int64_t gathered = to.getDimSize(dim);
    if (!ShapedType::isDynamic(extent) && !ShapedType::isDynamic(gathered) &&
        gathered % extent != 0)
      return emitOpError() << "expected a multiple of " << extent
                           << " along dimension " << dim << ", got "
                           << gathered;
  }
  return success();
}

LogicalResult AllReduceOp::verify() {
  if (failed(expectResultEach(*this)))
    return failure();
  FailureOr<Groups> groups =
      readGroups(*this, getReplicaGroupsAttr(), Rows::MayBeShort);
  if (failed(groups) ||
      // (all_reduce C1)
      failed(expectUniqueIds(*this, "replica_groups", groups->ids)) ||
      // (all_reduce C2, C3)
      failed(expectAllIds(*this, groups->ids)) ||
      // (all_reduce C4)
      failed(expectChannel(*this, getUseGlobalDeviceIds(),
                           getChannelHandleAttr(), 1)))
    return failure();
  for (auto [operand, result] : llvm::zip(getOperands(), getResults())) {
    // (all_reduce C5)
    FailureOr<Type> accumulator =
        expectComputation(*this, getComputation(), operand);
    if (failed(accumulator) ||
        // (all_reduce C6)
        failed(expectShape(*this, "result", tensorType(result),
                           tensorType(operand).getShape())) ||
        // (all_reduce C7)
        failed(expectBaseline(*this, "result", tensorType(result),
                              RankedTensorType::get({}, *accumulator))))
      return failure();
  }
  return success();
}

LogicalResult ReduceScatterOp::verify() {
  FailureOr<Groups> groups =
      readGroups(*this, getReplicaGroupsAttr(), Rows::Full);
  auto operand = getOperand().getType(), result = getType();
  int64_t dim = getScatterDimension();
  if (failed(groups) ||
      // (reduce_scatter C3)
      failed(expectUniqueIds(*this, "replica_groups", groups->ids)) ||
      // (reduce_scatter C4, C5)
      failed(expectAllIds(*this, groups->ids)) ||
      // (reduce_scatter C6)
      failed(expectChannel(*this, getUseGlobalDeviceIds(),
                           getChannelHandleAttr(), 1)) ||
      // (reduce_scatter C2)
      failed(
          expectWithin(*this, "scatter_dimension", {dim}, operand.getRank())))
    return failure();
  // (reduce_scatter C7)
  FailureOr<Type> accumulator =
      expectComputation(*this, getComputation(), getOperand());
  if (failed(accumulator))
    return failure();
  std::optional<int64_t> size = processGroupSize(
      *groups, getUseGlobalDeviceIds(), getChannelHandleAttr());
  int64_t extent = operand.getDimSize(dim);
  SmallVector<int64_t> expected(operand.getShape());
  if (!ShapedType::isDynamic(extent)) {
    // (reduce_scatter C1)
    if (size && extent % *size != 0)
      return emitOpError() << "expected an extent divisible by the size of a "
                              "group, "
                           << *size << ", along dimension " << dim << ", got "
                           << extent;
    if (extent == 0)
      return emitOpError() << "expected an operand that is not empty along "
                              "scatter_dimension, got "
                           << operand;
    expected[dim] = ShapedType::kDynamic;
  }
  // (reduce_scatter C8), as (all_gather C6)
  if (failed(expectShape(*this, "result", result, expected)))
    return failure();
  int64_t part = result.getDimSize(dim);
  if (!ShapedType::isDynamic(extent) && !ShapedType::isDynamic(part) &&
      (part == 0 || extent % part != 0))
    return emitOpError() << "expected a divisor of " << extent
                         << " along dimension " << dim << ", got " << part;
  // (reduce_scatter C9)
  return expectBaseline(*this, "result", result,
                        RankedTensorType::get({}, *accumulator));
}

LogicalResult AllToAllOp::verify() {
  if (failed(expectResultEach(*this)))
    return failure();
  int64_t split = getSplitDimension(), concat = getConcatDimension(),
          parts = getSplitCount();
  FailureOr<Groups> groups =
      readGroups(*this, getReplicaGroupsAttr(), Rows::Full);
  if (failed(groups) ||
      // (all_to_all C4)
      failed(expectAtLeast(*this, "split_count", {parts}, 1)) ||
      // (all_to_all C5)
      failed(expectUniqueIds(*this, "replica_groups", groups->ids)) ||
      // (all_to_all C6, C7)
      failed(expectAllIds(*this, groups->ids)))
    return failure();
  // (all_to_all C8)
  bool listed = isa<DenseIntElementsAttr>(getReplicaGroupsAttr());
  if (listed && groups->groupSize.value_or(0) != parts)
    return emitOpError() << "expected groups of split_count " << parts
                         << " devices, got " << groups->groupSize.value_or(0);
  for (auto [operand, result] : llvm::zip(getOperands(), getResults())) {
    auto from = tensorType(operand), to = tensorType(result);
    if ( // (all_to_all C1)
        failed(
            expectWithin(*this, "split_dimension", {split}, from.getRank())) ||
        // (all_to_all C3)
        failed(
            expectWithin(*this, "concat_dimension", {concat}, from.getRank())))
      return failure();
    // (all_to_all C2)
    SmallVector<int64_t> expected(from.getShape());
    if (!ShapedType::isDynamic(expected[split])) {
      if (expected[split] % parts != 0)
        return emitOpError()
               << "expected an extent divisible by split_count " << parts
               << " along dimension " << split << ", got " << expected[split];
      expected[split] /= parts;
    }
    // (all_to_all C9)
    if (!ShapedType::isDynamic(expected[concat]) &&
        llvm::MulOverflow(expected[concat], parts, expected[concat]))
      return emitOpError() << "expected an extent below 2^63 along dimension "
                           << concat << ", got " << from.getDimSize(concat)
                           << " x " << parts;
    if (failed(expectBaseline(*this, "result", to, from)) ||
        failed(expectShape(*this, "result", to, expected)))
      return failure();
  }
  return success();
}

LogicalResult CrossReplicaSumOp::verify() {
  FailureOr<Groups> groups =
      readGroups(*this, getReplicaGroupsAttr(), Rows::MayBeShort);
  return failure(
      failed(groups) ||
      failed(expectUniqueIds(*this, "replica_groups", groups->ids)) ||
      failed(expectAllIds(*this, groups->ids)) ||
      failed(expectTypes(*this, "results", getType(), getOperand().getType())));
}

//===----------------------------------------------------------------------===//
// From one device to others
//===----------------------------------------------------------------------===//

LogicalResult CollectivePermuteOp::verify() {
  if (failed(verifyPairs(*this, getSourceTargetPairs())))
    return failure();
  // (collective_permute C5)
  return expectTypes(*this, "results", getOperation()->getResultTypes(),
                     getOperation()->getOperandTypes());
}

/// The operands without the roots. The roots are the last operand, with one
/// entry for each of the others.
static FailureOr<OperandRange> dataOperands(Operation *op,
                                            bool hasDynamicRoot) {
  OperandRange operands = op->getOperands();
  if (hasDynamicRoot) {
    if (operands.size() < 2)
      return op->emitOpError() << "expected an operand and its root, got "
                               << operands.size() << " operands";
    auto roots = tensorType(operands.back());
    int64_t count = int64_t(operands.size()) - 1;
    if (roots.getRank() != 1 || !roots.getElementType().isInteger(32) ||
        !extentsAgree(roots.getDimSize(0), count))
      return op->emitOpError() << "expected roots of type tensor<" << count
                               << "xi32> as the last operand, got " << roots;
    return operands.drop_back();
  }
  if (operands.empty())
    return op->emitOpError() << "expected at least one operand, got none";
  return operands;
}

LogicalResult CollectiveBroadcastOp::verify() {
  // The rows of a broadcast are full. Its ids may omit devices.
  FailureOr<Groups> groups =
      readGroups(*this, getReplicaGroupsAttr(), Rows::Full);
  if (failed(groups) ||
      // (collective_broadcast C2)
      failed(expectAtLeast(*this, "replica_groups", groups->ids, 0)) ||
      // (collective_broadcast C1)
      failed(expectUniqueIds(*this, "replica_groups", groups->ids)))
    return failure();
  // (collective_broadcast C4)
  FailureOr<OperandRange> operands = dataOperands(*this, getHasDynamicRoot());
  if (failed(operands) ||
      // (collective_broadcast C5)
      failed(
          expectCount(*this, "results", getNumResults(), operands->size())) ||
      // (collective_broadcast C3)
      failed(expectTypes(*this, "results", getResultTypes(),
                         operands->getTypes())))
    return failure();
  // (collective_broadcast C6)
  if (!getHasDynamicRoot() || !groups->groupSize)
    return success();
  if (std::optional<SmallVector<int64_t>> roots =
          constantIntegers(getOperands().back()))
    return expectWithin(*this, "roots", *roots, *groups->groupSize);
  return success();
}

LogicalResult CollectiveReduceOp::verify() {
  FailureOr<Groups> groups =
      readGroups(*this, getReplicaGroupsAttr(), Rows::MayBeShort);
  if (failed(groups) ||
      // (collective_reduce C1)
      failed(expectUniqueIds(*this, "replica_groups", groups->ids)) ||
      // (collective_reduce C2)
      failed(expectAllIds(*this, groups->ids)) ||
      failed(expectChannel(*this, getUseGlobalDeviceIds(),
                           getChannelHandleAttr(), 1)))
    return failure();
  // (collective_reduce C3)
  FailureOr<OperandRange> operands = dataOperands(*this, getHasDynamicRoot());
  if (failed(operands) ||
      failed(expectCount(*this, "results", getNumResults(), operands->size())))
    return failure();
  for (auto [operand, result] : llvm::zip(*operands, getResults())) {
    if (failed(expectShape(*this, "result", tensorType(result),
                           tensorType(operand).getShape())))
      return failure();
    // (collective_reduce C4)
    FailureOr<Type> accumulator =
        expectComputation(*this, getComputation(), operand);
    if (failed(accumulator) ||
        failed(expectBaseline(*this, "result", tensorType(result),
                              RankedTensorType::get({}, *accumulator))))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

/// Expects tensors followed by a token.
static LogicalResult expectTensorsAndToken(Operation *op) {
  // (infeed C1)
  if (op->getNumResults() == 0)
    return op->emitOpError() << "expected at least one result, got none";
  // (infeed C2)
  for (Type type : llvm::drop_end(op->getResultTypes()))
    if (!isa<RankedTensorType>(type))
      return op->emitOpError()
             << "expected tensors before the last result, got " << type;
  // (infeed C3)
  Type last = op->getResults().back().getType();
  if (!isa<TokenType>(last))
    return op->emitOpError()
           << "expected a token as the last result, got " << last;
  return success();
}

LogicalResult InfeedOp::verify() {
  if (failed(expectTensorsAndToken(*this)))
    return failure();
  std::optional<ArrayAttr> layouts = getLayout();
  if (!layouts)
    return success();
  if (failed(
          expectCount(*this, "layout", layouts->size(), getNumResults() - 1)))
    return failure();
  for (Attribute layout : *layouts) {
    auto entries = dyn_cast<ArrayAttr>(layout);
    if (!entries || !llvm::all_of(entries, llvm::IsaPred<IntegerAttr>))
      return emitOpError()
             << "expected a layout that is a list of integers, got " << layout;
  }
  return success();
}

/// Expects this kind of channel. XLA numbers the kinds from 1.
static LogicalResult expectChannelType(Operation *op, ChannelHandleAttr channel,
                                       ArrayRef<int64_t> types, StringRef name,
                                       bool hostTransfer) {
  if (llvm::is_contained(types, channel.getType()))
    return success();
  return op->emitOpError() << "expected a channel of type " << types.front()
                           << ", " << name << ", where is_host_transfer is "
                           << (hostTransfer ? "true" : "false") << ", got "
                           << channel.getType();
}

constexpr int64_t kDeviceToDevice = 1, kDeviceToHost = 2, kHostToDevice = 3;

LogicalResult SendOp::verify() {
  if (DenseIntElementsAttr pairs = getSourceTargetPairsAttr())
    if (failed(verifyPairs(*this, pairs)))
      return failure();
  // (send C5)
  return getIsHostTransfer()
             ? expectChannelType(*this, getChannelHandle(), {kDeviceToHost},
                                 "device to host", true)
             : expectChannelType(*this, getChannelHandle(), {kDeviceToDevice},
                                 "device to device", false);
}

LogicalResult RecvOp::verify() {
  if (DenseIntElementsAttr pairs = getSourceTargetPairsAttr())
    if (failed(verifyPairs(*this, pairs)))
      return failure();
  // (recv C5). The specification also calls the transfer from the host "device
  // to host" here; programs do not.
  if (failed(getIsHostTransfer()
                 ? expectChannelType(*this, getChannelHandle(),
                                     {kHostToDevice, kDeviceToHost},
                                     "host to device", true)
                 : expectChannelType(*this, getChannelHandle(),
                                     {kDeviceToDevice}, "device to device",
                                     false)))
    return failure();
  return expectTensorsAndToken(*this);
}
