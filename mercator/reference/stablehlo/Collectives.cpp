// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Operations with which processes communicate.

#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/reference/core/Processes.h"
#include "mercator/reference/stablehlo/Rules.h"
#include "mercator/reference/stablehlo/ScalarRegion.h"

using namespace mlir;
using namespace mercator::stablehlo;

namespace mercator::reference {

static FailureOr<ProcessGrid *> gridOf(Step &step) {
  if (ProcessGrid *grid = step.evaluator.getGrid())
    return grid;
  return step.unsupported("it needs a grid of processes to run in");
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// The interpretation of `replica_groups`.
enum class ReplicaGroupKind {
  CrossReplica,
  CrossPartition,
  CrossReplicaAndPartition,
  FlattenedIds
};

static int64_t channelOf(Operation *op) {
  auto handle = op->getAttrOfType<ChannelHandleAttr>("channel_handle");
  return handle ? handle.getHandle() : 0;
}

/// The rows of a matrix of ids. Short rows are padded with -1.
static FailureOr<std::vector<ProcessGroup>> rowsOf(Step &step, StringRef name,
                                                   int64_t limit) {
  auto table = step.op->getAttrOfType<DenseIntElementsAttr>(name);
  if (!table || table.getType().getRank() != 2)
    return step.unsupported("`" + name + "` is not a table of numbers");
  std::vector<ProcessGroup> rows(table.getType().getDimSize(0));
  int64_t columns = table.getType().getDimSize(1), place = 0;
  for (const APInt &id : table.getValues<APInt>()) {
    int64_t value = id.getSExtValue(), row = place++ / columns;
    if (value == -1)
      continue;
    if (value < 0 || value >= limit)
      return step.error() << "expected ids in `" << name << "` below " << limit
                          << ", got " << value;
    if (llvm::is_contained(rows[row], value))
      return step.error() << "expected every id once in a row of `" << name
                          << "`, got " << value << " again";
    rows[row].push_back(value);
  }
  return rows;
}

/// The group of this process; empty if it is in none.
static FailureOr<ProcessGroup> groupOf(Step &step, ProcessGrid &grid,
                                       ReplicaGroupKind grouping) {
  int64_t replicas = grid.getReplicas(), partitions = grid.getPartitions();
  int64_t self = step.evaluator.getProcess();
  int64_t replica = self / partitions, partition = self % partitions;
  int64_t limit = grouping == ReplicaGroupKind::FlattenedIds     ? grid.size()
                  : grouping == ReplicaGroupKind::CrossPartition ? partitions
                                                                 : replicas;
  FailureOr<std::vector<ProcessGroup>> rows =
      rowsOf(step, "replica_groups", limit);
  if (failed(rows))
    return failure();
  if (rows->empty()) { // HLO's notation for all processes
    ProcessGroup &all = rows->emplace_back();
    for (int64_t id = 0; id < limit; ++id)
      all.push_back(id);
  }
  int64_t id = grouping == ReplicaGroupKind::FlattenedIds     ? self
               : grouping == ReplicaGroupKind::CrossPartition ? partition
                                                              : replica;
  ProcessGroup group;
  for (const ProcessGroup &row : *rows) {
    if (!llvm::is_contained(row, id))
      continue;
    switch (grouping) {
    case ReplicaGroupKind::CrossReplica:
      for (int64_t other : row)
        group.push_back(grid.number(other, partition));
      break;
    case ReplicaGroupKind::CrossPartition:
      for (int64_t other : row)
        group.push_back(grid.number(replica, other));
      break;
    case ReplicaGroupKind::CrossReplicaAndPartition:
      for (int64_t p = 0; p < partitions; ++p)
        for (int64_t other : row)
          group.push_back(grid.number(other, p));
      break;
    case ReplicaGroupKind::FlattenedIds:
      group = row;
      break;
    }
    break;
  }
  return group;
}

/// The participants of a collective, and their operands.
struct Exchange {
  ProcessGroup group;
  std::vector<std::vector<Value>> brought;
  size_t self = 0; // the index of this process

  [[nodiscard]] const Tensor &tensor(size_t member, size_t operand) const {
    return *brought[member][operand].tensor();
  }
};

/// Nothing if the process is in no group and `mayBeAlone` allows that.
static FailureOr<std::optional<Exchange>>
exchange(Step &step, ReplicaGroupKind grouping, bool mayBeAlone = false) {
  FailureOr<ProcessGrid *> grid = gridOf(step);
  if (failed(grid))
    return failure();
  FailureOr<ProcessGroup> group = groupOf(step, **grid, grouping);
  if (failed(group))
    return failure();
  if (group->empty()) {
    if (mayBeAlone)
      return std::optional<Exchange>();
    int64_t self = step.evaluator.getProcess(),
            partitions = (*grid)->getPartitions();
    return step.error() << "expected every process in one of the groups, got "
                           "process ("
                        << self / partitions << ", " << self % partitions
                        << ") in none";
  }
  FailureOr<std::vector<std::vector<Value>>> brought =
      (*grid)->meet(step, channelOf(step.op), *group);
  if (failed(brought))
    return failure();
  Exchange all{*group, std::move(*brought), 0};
  all.self =
      llvm::find(all.group, step.evaluator.getProcess()) - all.group.begin();
  return std::optional(std::move(all));
}

/// For all_gather, all_reduce and reduce_scatter.
static ReplicaGroupKind groupingWithGlobalIds(Operation *op) {
  if (op->hasAttr("use_global_device_ids"))
    return ReplicaGroupKind::FlattenedIds;
  return channelOf(op) > 0 ? ReplicaGroupKind::CrossReplicaAndPartition
                           : ReplicaGroupKind::CrossReplica;
}

/// For the others.
static ReplicaGroupKind grouping(Operation *op) {
  return channelOf(op) > 0 ? ReplicaGroupKind::CrossPartition
                           : ReplicaGroupKind::CrossReplica;
}

//===----------------------------------------------------------------------===//
// Parts of tensors
//===----------------------------------------------------------------------===//

/// Copies `from` to `whole`, starting at `offset` of dimension `dim`.
static void copyInto(Tensor &whole, const Tensor &from, int64_t dim,
                     int64_t offset) {
  for (Index index(from.shape()); index; ++index) {
    SmallVector<int64_t> at(*index);
    at[dim] += offset;
    whole.copy(whole.linear(at), from, from.linear(*index));
  }
}

/// Fills `part` from `whole`, starting at `offset` of dimension `dim`.
static void copyFrom(Tensor &part, const Tensor &whole, int64_t dim,
                     int64_t offset) {
  for (Index index(part.shape()); index; ++index) {
    SmallVector<int64_t> at(*index);
    at[dim] += offset;
    part.copy(part.linear(*index), whole, whole.linear(at));
  }
}

static LogicalResult checkDim(Step &step, StringRef name, int64_t dim,
                              int64_t rank) {
  if (dim >= 0 && dim < rank)
    return success();
  return step.error() << "expected `" << name << "` below " << rank << ", got "
                      << dim;
}

/// The extent of each of `parts` equal parts.
static FailureOr<int64_t> partOf(Step &step, int64_t extent, int64_t parts) {
  if (parts > 0 && extent % parts == 0)
    return extent / parts;
  return step.error() << "expected an extent that is a multiple of " << parts
                      << ", got " << extent;
}

//===----------------------------------------------------------------------===//
// Gathering
//===----------------------------------------------------------------------===//

static LogicalResult evaluateAllGather(AllGatherOp op, Step &step) {
  FailureOr<std::optional<Exchange>> all =
      exchange(step, groupingWithGlobalIds(op));
  if (failed(all))
    return failure();
  int64_t dim = op.getAllGatherDim(), count = (*all)->group.size();
  for (size_t i = 0; i < step.results.size(); ++i) {
    const Tensor &own = step.tensor(i);
    if (failed(checkDim(step, "all_gather_dim", dim, own.rank())))
      return failure();
    SmallVector<int64_t> shape(own.shape());
    shape[dim] *= count;
    FailureOr<Tensor> result = step.make(i, shape);
    if (failed(result))
      return failure();
    for (int64_t member = 0; member < count; ++member)
      copyInto(*result, (*all)->tensor(member, i), dim, member * own.dim(dim));
    step.results[i] = *result;
  }
  return success();
}

static LogicalResult evaluateAllToAll(AllToAllOp op, Step &step) {
  FailureOr<std::optional<Exchange>> all = exchange(step, grouping(op));
  if (failed(all))
    return failure();
  int64_t splitDim = op.getSplitDimension(), dim = op.getConcatDimension(),
          count = (*all)->group.size();
  if (int64_t(op.getSplitCount()) != count)
    return step.error() << "expected `split_count` to be " << count
                        << ", the processes of a group, got "
                        << op.getSplitCount();
  for (size_t i = 0; i < step.results.size(); ++i) {
    const Tensor &own = step.tensor(i);
    if (failed(checkDim(step, "split_dimension", splitDim, own.rank())) ||
        failed(checkDim(step, "concat_dimension", dim, own.rank())))
      return failure();
    FailureOr<int64_t> extent = partOf(step, own.dim(splitDim), count);
    if (failed(extent))
      return failure();
    SmallVector<int64_t> shape(own.shape());
    shape[splitDim] = *extent;
    auto partType = RankedTensorType::get(shape, own.type().getElementType());
    shape[dim] *= count;
    FailureOr<Tensor> result = step.make(i, shape);
    FailureOr<Tensor> part =
        Tensor::zeros(partType, [&] { return step.error(); });
    if (failed(result) || failed(part))
      return failure();
    for (int64_t member = 0; member < count; ++member) {
      copyFrom(*part, (*all)->tensor(member, i), splitDim,
               int64_t((*all)->self) * *extent);
      copyInto(*result, *part, dim, member * part->dim(dim));
    }
    step.results[i] = *result;
  }
  return success();
}

/// HLO's all-to-all with a tuple: each member of a group sends its operand k to
/// member k.
LogicalResult evaluateTupleAllToAll(Step &step) {
  FailureOr<std::optional<Exchange>> all = exchange(step, grouping(step.op));
  if (failed(all))
    return failure();
  size_t count = (*all)->group.size();
  if (count != step.operands.size() || count != step.results.size())
    return step.error() << "expected " << count
                        << " operands, the processes of a group, got "
                        << step.operands.size();
  for (size_t member = 0; member < count; ++member)
    step.results[member] = (*all)->brought[member][(*all)->self];
  return success();
}

//===----------------------------------------------------------------------===//
// Reducing
//===----------------------------------------------------------------------===//

/// Operand `i` of all members, combined in order by the region.
static FailureOr<Tensor> reduce(Step &step, const Exchange &all, size_t i,
                                Region &computation) {
  auto partial = cast<RankedTensorType>(computation.getArgument(0).getType());
  auto type =
      RankedTensorType::get(all.tensor(0, i).shape(), partial.getElementType());
  FailureOr<Tensor> sum = Tensor::zeros(type, [&] { return step.error(); });
  if (failed(sum))
    return failure();
  ScalarRegion body(computation, step.evaluator);
  const Element &element = sum->element();
  for (int64_t place = 0; place < sum->size(); ++place) {
    Scalar value = element.round(all.tensor(0, i).at(place));
    for (size_t member = 1; member < all.group.size(); ++member) {
      Scalar next = element.round(all.tensor(member, i).at(place));
      if (failed(body({value, next}, value)))
        return failure();
    }
    sum->set(place, value);
  }
  return sum;
}

static LogicalResult evaluateAllReduce(AllReduceOp op, Step &step) {
  FailureOr<std::optional<Exchange>> all =
      exchange(step, groupingWithGlobalIds(op));
  if (failed(all))
    return failure();
  for (size_t i = 0; i < step.results.size(); ++i) {
    FailureOr<Tensor> sum = reduce(step, **all, i, op.getComputation());
    if (failed(sum))
      return failure();
    step.results[i] = *sum;
  }
  return success();
}

static LogicalResult evaluateReduceScatter(ReduceScatterOp op, Step &step) {
  FailureOr<std::optional<Exchange>> all =
      exchange(step, groupingWithGlobalIds(op));
  if (failed(all))
    return failure();
  int64_t dim = op.getScatterDimension();
  for (size_t i = 0; i < step.results.size(); ++i) {
    FailureOr<Tensor> sum = reduce(step, **all, i, op.getComputation());
    if (failed(sum) ||
        failed(checkDim(step, "scatter_dimension", dim, sum->rank())))
      return failure();
    FailureOr<int64_t> extent =
        partOf(step, sum->dim(dim), (*all)->group.size());
    if (failed(extent))
      return failure();
    SmallVector<int64_t> shape(sum->shape());
    shape[dim] = *extent;
    FailureOr<Tensor> result = step.make(i, shape);
    if (failed(result))
      return failure();
    copyFrom(*result, *sum, dim, int64_t((*all)->self) * *extent);
    step.results[i] = *result;
  }
  return success();
}

/// all_reduce with an implicit addition.
static LogicalResult evaluateCrossReplicaSum(CrossReplicaSumOp op, Step &step) {
  FailureOr<std::optional<Exchange>> all =
      exchange(step, ReplicaGroupKind::CrossReplica);
  if (failed(all))
    return failure();
  FailureOr<Tensor> sum = step.make(0, step.tensor(0).shape());
  if (failed(sum))
    return failure();
  const Element &element = sum->element();
  for (int64_t place = 0; place < sum->size(); ++place) {
    Scalar value = (*all)->tensor(0, 0).at(place);
    for (size_t member = 1; member < (*all)->group.size(); ++member) {
      Scalar next = (*all)->tensor(member, 0).at(place);
      if (element.format)
        value = Scalar::complex(value.re + next.re, value.im + next.im);
      else // booleans add as `or`
        value = Scalar::whole(
            element.kind == ElementKind::Boolean
                ? value.integer | next.integer
                : int64_t(uint64_t(value.integer) + uint64_t(next.integer)));
      value = element.round(value);
    }
    sum->set(place, value);
  }
  step.results[0] = *sum;
  return success();
}

//===----------------------------------------------------------------------===//
// From and to one device of a group
//===----------------------------------------------------------------------===//

/// The member that result `i` comes from or goes to: the first, or the one that
/// the last operand of each member names.
static FailureOr<size_t> rootOf(Step &step, const Exchange &all, size_t i) {
  if (!step.op->hasAttr("has_dynamic_root"))
    return size_t(0);
  const Tensor &roots = *step.operands.back().tensor();
  int64_t count = all.group.size();
  if (int64_t(i) >= roots.size())
    return step.error() << "expected a root for result #" << i << ", got "
                        << roots.size() << " roots";
  int64_t root = roots.at(i).integer;
  if (root < 0 || root >= count)
    return step.error() << "expected a root below " << count << ", got "
                        << root;
  return size_t(root);
}

static LogicalResult giveZeros(Step &step, size_t i) {
  FailureOr<Tensor> zeros = step.make(i, step.tensor(i).shape());
  if (failed(zeros))
    return failure();
  step.results[i] = *zeros;
  return success();
}

static LogicalResult evaluateBroadcast(CollectiveBroadcastOp op, Step &step) {
  FailureOr<std::optional<Exchange>> all =
      exchange(step, grouping(op), /*mayBeAlone=*/true);
  if (failed(all))
    return failure();
  for (size_t i = 0; i < step.results.size(); ++i) {
    if (!*all) {
      if (failed(giveZeros(step, i)))
        return failure();
      continue;
    }
    FailureOr<size_t> root = rootOf(step, **all, i);
    if (failed(root))
      return failure();
    step.results[i] = (*all)->brought[*root][i];
  }
  return success();
}

static LogicalResult evaluateCollectiveReduce(CollectiveReduceOp op,
                                              Step &step) {
  FailureOr<std::optional<Exchange>> all =
      exchange(step,
               op.getUseGlobalDeviceIds() ? ReplicaGroupKind::FlattenedIds
                                          : grouping(op),
               /*mayBeAlone=*/true);
  if (failed(all))
    return failure();
  for (size_t i = 0; i < step.results.size(); ++i) {
    FailureOr<size_t> root = *all ? rootOf(step, **all, i) : size_t(0);
    if (failed(root))
      return failure();
    if (!*all || *root != (*all)->self) {
      if (failed(giveZeros(step, i)))
        return failure();
      continue;
    }
    FailureOr<Tensor> sum = reduce(step, **all, i, op.getComputation());
    if (failed(sum))
      return failure();
    step.results[i] = *sum;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Sending
//===----------------------------------------------------------------------===//

/// The processes that this one sends to, and those it receives from.
struct Routes {
  ProcessGroup to, from;
};

static FailureOr<Routes> routesOf(Step &step, ProcessGrid &grid) {
  bool partitions = grouping(step.op) == ReplicaGroupKind::CrossPartition;
  int64_t self = step.evaluator.getProcess(), count = grid.getPartitions();
  int64_t limit = partitions ? count : grid.getReplicas();
  auto table =
      step.op->getAttrOfType<DenseIntElementsAttr>("source_target_pairs");
  if (!table || table.getType().getRank() != 2 ||
      table.getType().getDimSize(1) != 2)
    return step.error() << "expected pairs in `source_target_pairs`";
  ProcessGroup ids;
  for (const APInt &id : table.getValues<APInt>()) {
    int64_t value = id.getSExtValue();
    if (value < 0 || value >= limit)
      return step.error() << "expected ids in `source_target_pairs` below "
                          << limit << ", got " << value;
    ids.push_back(partitions ? grid.number(self / count, value)
                             : grid.number(value, self % count));
  }
  Routes routes;
  for (size_t i = 0; i < ids.size(); i += 2) {
    if (ids[i] == self)
      routes.to.push_back(ids[i + 1]);
    if (ids[i + 1] == self)
      routes.from.push_back(ids[i]);
  }
  if (routes.from.size() > 1)
    return step.error() << "expected every target once, got one "
                        << routes.from.size() << " times";
  return routes;
}

static LogicalResult evaluatePermute(CollectivePermuteOp op, Step &step) {
  FailureOr<ProcessGrid *> grid = gridOf(step);
  if (failed(grid))
    return failure();
  FailureOr<Routes> routes = routesOf(step, **grid);
  if (failed(routes))
    return failure();
  int64_t channel = channelOf(op);
  for (int64_t to : routes->to)
    (*grid)->post(step, ProcessGrid::Sending::Permutation, channel, to);
  if (!routes->from.empty()) {
    FailureOr<std::vector<Value>> values = (*grid)->take(
        step, ProcessGrid::Sending::Permutation, channel, routes->from.front());
    if (failed(values))
      return failure();
    llvm::copy(*values, step.results.begin());
    return success();
  }
  for (size_t i = 0; i < step.results.size(); ++i)
    if (failed(giveZeros(step, i)))
      return failure();
  return success();
}

/// Data sent to the host is printed.
static void show(Step &step, StringRef name) {
  if (const Evaluator::Show &function = step.evaluator.getShow())
    for (const Value &value : step.operands)
      if (const Tensor *tensor = value.tensor())
        function(name, *tensor);
}

static LogicalResult evaluateSend(SendOp op, Step &step) {
  step.results[0] = Token();
  if (op.getIsHostTransfer()) {
    show(step, "send");
    return success();
  }
  FailureOr<ProcessGrid *> grid = gridOf(step);
  if (failed(grid))
    return failure();
  FailureOr<Routes> routes = routesOf(step, **grid);
  if (failed(routes))
    return failure();
  for (int64_t to : routes->to)
    (*grid)->post(step, ProcessGrid::Sending::Transfer, channelOf(op), to);
  return success();
}

/// The results are the values, followed by a token.
static LogicalResult giveWithToken(Step &step, ArrayRef<Value> values) {
  for (auto [i, type] : llvm::enumerate(step.op->getResultTypes())) {
    if (isa<TokenType>(type)) {
      step.results[i] = Token();
      continue;
    }
    if (i >= values.size() || !step.evaluator.fits(values[i], type)) {
      InFlightDiagnostic error = step.error();
      error << "expected to receive " << type << " for result #" << i;
      if (i < values.size() && values[i].tensor())
        error << ", got " << values[i].tensor()->type();
      else
        error << ", got nothing";
      return error;
    }
    step.results[i] = values[i];
  }
  return success();
}

static LogicalResult evaluateRecv(RecvOp op, Step &step) {
  if (op.getIsHostTransfer())
    return step.unsupported("no host sends data");
  FailureOr<ProcessGrid *> grid = gridOf(step);
  if (failed(grid))
    return failure();
  FailureOr<Routes> routes = routesOf(step, **grid);
  if (failed(routes))
    return failure();
  if (routes->from.empty()) {
    // No process sends to this one: zeros, as for collective_permute.
    for (auto [i, type] : llvm::enumerate(step.op->getResultTypes())) {
      if (isa<TokenType>(type)) {
        step.results[i] = Token();
        continue;
      }
      FailureOr<Tensor> zeros = step.make(i);
      if (failed(zeros))
        return failure();
      step.results[i] = *zeros;
    }
    return success();
  }
  FailureOr<std::vector<Value>> values =
      (*grid)->take(step, ProcessGrid::Sending::Transfer, channelOf(op),
                    routes->from.front());
  return failed(values) ? failure() : giveWithToken(step, *values);
}

static LogicalResult evaluateInfeed(InfeedOp op, Step &step) {
  FailureOr<ProcessGrid *> grid = gridOf(step);
  if (failed(grid))
    return failure();
  FailureOr<std::vector<Value>> values = (*grid)->feed(step);
  return failed(values) ? failure() : giveWithToken(step, *values);
}

static LogicalResult evaluateOutfeed(OutfeedOp op, Step &step) {
  show(step, "outfeed");
  step.results[0] = Token();
  return success();
}

//===----------------------------------------------------------------------===//
// Asynchronous operations
//===----------------------------------------------------------------------===//

static LogicalResult evaluateAsyncStart(AsyncStartOp op, Step &step) {
  FailureOr<ProcessGrid *> grid = gridOf(step);
  if (failed(grid))
    return failure();
  step.results[0] = Future{(*grid)->start(step, op.getBody())};
  return success();
}

static LogicalResult evaluateAsyncDone(AsyncDoneOp op, Step &step) {
  FailureOr<ProcessGrid *> grid = gridOf(step);
  if (failed(grid))
    return failure();
  FailureOr<std::vector<Value>> values =
      (*grid)->wait(step, std::get<Future>(step.operands[0]).task);
  return failed(values) ? failure() : giveWithToken(step, *values);
}

//===----------------------------------------------------------------------===//
// The id of this process
//===----------------------------------------------------------------------===//

template <typename Op> static LogicalResult evaluateId(Op op, Step &step) {
  FailureOr<ProcessGrid *> grid = gridOf(step);
  FailureOr<Tensor> id = step.make();
  if (failed(grid) || failed(id))
    return failure();
  int64_t self = step.evaluator.getProcess(),
          partitions = (*grid)->getPartitions();
  id->set(0,
          Scalar::whole(std::is_same_v<Op, ReplicaIdOp> ? self / partitions
                                                        : self % partitions));
  step.results[0] = *id;
  return success();
}

void addCollectiveRules(EvaluationRules &rules) {
  rules.add<AllGatherOp, evaluateAllGather>();
  rules.add<AllReduceOp, evaluateAllReduce>();
  rules.add<AllToAllOp, evaluateAllToAll>();
  rules.add<AsyncDoneOp, evaluateAsyncDone>();
  rules.add<AsyncStartOp, evaluateAsyncStart>();
  rules.add<CollectiveBroadcastOp, evaluateBroadcast>();
  rules.add<CollectiveReduceOp, evaluateCollectiveReduce>();
  rules.add<CollectivePermuteOp, evaluatePermute>();
  rules.add<CrossReplicaSumOp, evaluateCrossReplicaSum>();
  rules.add<InfeedOp, evaluateInfeed>();
  rules.add<OutfeedOp, evaluateOutfeed>();
  rules.add<PartitionIdOp, evaluateId<PartitionIdOp>>();
  rules.add<RecvOp, evaluateRecv>();
  rules.add<ReduceScatterOp, evaluateReduceScatter>();
  rules.add<ReplicaIdOp, evaluateId<ReplicaIdOp>>();
  rules.add<SendOp, evaluateSend>();
}

} // namespace mercator::reference
