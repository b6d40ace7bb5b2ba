// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/shard/Sent.h"

#include "mercator/dialects/sdy/Sdy.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"
#include "mercator/transforms/spmd/Sizes.h"
#include "mercator/transforms/spmd/Times.h"
#include "mercator/transforms/stablehlo/collectives/Groups.h"

#include "llvm/ADT/STLExtras.h"

#include <map>
#include <tuple>

using namespace mercator;
using namespace mercator::stablehlo;
using stablehlo::ProcessCounts;

static bool isCollective(mlir::Operation *op) {
  return llvm::isa<AllGatherOp, AllReduceOp, ReduceScatterOp, AllToAllOp,
                   CollectivePermuteOp, CollectiveBroadcastOp>(op);
}

bool mercator::isPartitioned(mlir::ModuleOp module) {
  bool hasAny = false;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (llvm::isa<sdy::ManualComputationOp>(op))
      return mlir::WalkResult::skip();
    hasAny |= isCollective(op);
    return hasAny ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return hasAny;
}

static int64_t bytesOf(mlir::ValueRange values) {
  int64_t bytes = 0;
  for (mlir::Type type : values.getTypes())
    if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
        tensor && tensor.hasStaticShape())
      bytes += tensor.getNumElements() *
               spmd::bytesOfElement(tensor.getElementType());
  return bytes;
}

/// As the module states it, or as many as its groups name: partitions if the numbers
/// are those of devices, else replicas.
static ProcessCounts countsOf(mlir::ModuleOp module) {
  auto number = [&](llvm::StringRef name) -> int64_t {
    auto attribute = module->getAttrOfType<mlir::IntegerAttr>(name);
    return attribute ? std::max<int64_t>(attribute.getInt(), 1) : 1;
  };
  ProcessCounts counts{number("mhlo.num_replicas"),
                       number("mhlo.num_partitions")};
  if (counts.size() > 1)
    return counts;
  int64_t most = 1;
  bool areDevices = false;
  module.walk([&](mlir::Operation *op) {
    if (!isCollective(op))
      return;
    areDevices |= op->hasAttr("use_global_device_ids");
    for (llvm::StringRef name : {"replica_groups", "source_target_pairs"})
      if (auto ids = op->getAttrOfType<mlir::DenseIntElementsAttr>(name))
        for (const llvm::APInt &id : ids)
          most = std::max(most, id.getSExtValue() + 1);
  });
  return areDevices ? ProcessCounts{1, most} : ProcessCounts{most, 1};
}

namespace {
using Groups = std::vector<std::vector<int64_t>>;
} // namespace

/// Of one collective: its groups, and what a device receives.
static llvm::FailureOr<Groups>
readCollective(mlir::Operation *op, const ProcessCounts &counts, SentRow &row) {
  row.operation = op->getName().stripDialect().str();
  row.bytes = bytesOf(op->getOperands());
  Groups groups;
  if (llvm::isa<CollectivePermuteOp>(op)) {
    auto pairs = pairsOf(op, counts);
    if (failed(pairs))
      return mlir::failure();
    for (auto [source, target] : *pairs)
      if (source != target)
        groups.push_back({source, target});
  } else {
    auto found = groupsOf(op, counts, /*mayBeAlone=*/true);
    if (failed(found))
      return mlir::failure();
    groups = std::move(found->groups);
  }
  row.groups = int64_t(groups.size());
  for (const std::vector<int64_t> &group : groups)
    row.members = std::max(row.members, int64_t(group.size()));
  int64_t others = std::max<int64_t>(row.members - 1, 0),
          members = std::max<int64_t>(row.members, 1);
  if (llvm::isa<AllGatherOp>(op))
    row.received = row.bytes * others;
  else if (llvm::isa<AllReduceOp>(op))
    row.received = 2 * row.bytes * others / members;
  else if (llvm::isa<ReduceScatterOp, AllToAllOp>(op))
    row.received = row.bytes * others / members;
  else
    row.received = others > 0 ? row.bytes : 0;
  return groups;
}

static double timeOfSent(mlir::Operation *op, const Groups &groups,
                         const SentRow &row, const Cluster &cluster) {
  double bytes = double(row.bytes), members = double(row.members);
  int64_t steps = row.members - 1;
  if (steps <= 0)
    return 0;
  if (llvm::isa<AllGatherOp>(op))
    return spmd::ringTime(cluster, groups, steps, bytes);
  if (llvm::isa<AllReduceOp>(op))
    return spmd::ringTime(cluster, groups, 2 * steps, bytes / members);
  if (llvm::isa<ReduceScatterOp>(op))
    return spmd::ringTime(cluster, groups, steps, bytes / members);
  if (llvm::isa<AllToAllOp>(op))
    return spmd::exchangeTime(cluster, groups, bytes / members);
  return spmd::ringTime(cluster, groups, 1, bytes);
}

llvm::FailureOr<SentTable> mercator::sentBy(mlir::ModuleOp module,
                                            const Cluster *cluster) {
  SentTable table;
  ProcessCounts counts = countsOf(module);
  table.devices = counts.size();
  if (cluster && !cluster->joins(table.devices))
    return module.emitError()
           << "expected a program for devices that '" << cluster->name
           << "' joins, got one for " << table.devices;
  std::map<std::tuple<std::string, Groups, int64_t>, size_t> known;
  mlir::WalkResult walked = module.walk([&](mlir::Operation *op) {
    if (!isCollective(op))
      return mlir::WalkResult::advance();
    SentRow row{.operation = "", .loc = op->getLoc()};
    llvm::FailureOr<Groups> groups = readCollective(op, counts, row);
    if (failed(groups))
      return mlir::WalkResult::interrupt();
    if (cluster)
      row.microseconds = timeOfSent(op, *groups, row, *cluster);
    auto [it, isNew] = known.try_emplace(
        {row.operation, std::move(*groups), row.bytes}, table.rows.size());
    if (isNew) {
      row.number = int64_t(table.rows.size());
      table.rows.push_back(std::move(row));
    }
    ++table.rows[it->second].count;
    return mlir::WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return mlir::failure();
  llvm::sort(table.rows, [](const SentRow &one, const SentRow &other) {
    return std::tuple(-one.receivedInAll(), one.number) <
           std::tuple(-other.receivedInAll(), other.number);
  });
  return table;
}
