// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/compiler/run/Grid.h"
#include "mercator/dialects/stablehlo/Stablehlo.h"

using namespace mercator;
using llvm::Twine;
using stablehlo::ProcessCounts;

static int64_t numberOf(mlir::ModuleOp module, llvm::StringRef name) {
  auto number = module->getAttrOfType<mlir::IntegerAttr>(name);
  return number && number.getInt() > 0 ? number.getInt() : 1;
}

/// Whether the collectives of a program are between replicas, and between partitions.
struct Between {
  bool replicas = false, partitions = false;
};

static Between betweenOf(mlir::ModuleOp module) {
  using namespace mercator::stablehlo;
  Between found;
  module->walk([&](mlir::Operation *op) {
    if (llvm::isa<ReplicaIdOp, CrossReplicaSumOp>(op))
      found.replicas = true;
    if (llvm::isa<PartitionIdOp>(op))
      found.partitions = true;
    auto groups =
        op->getAttrOfType<mlir::DenseIntElementsAttr>("replica_groups");
    auto pairs =
        op->getAttrOfType<mlir::DenseIntElementsAttr>("source_target_pairs");
    if ((!groups && !pairs) || op->hasAttr("use_global_device_ids"))
      return;
    auto handle = op->getAttrOfType<ChannelHandleAttr>("channel_handle");
    bool hasChannel = handle && handle.getHandle() > 0;
    // These are replicas with all their partitions: {0} is all of one replica.
    bool withAll = llvm::isa<AllGatherOp, AllReduceOp, ReduceScatterOp>(op);
    if (hasChannel && withAll)
      hasChannel = groups.getNumElements() == 0 ||
                   (groups.getNumElements() == 1 &&
                    groups.getSplatValue<llvm::APInt>().isZero());
    (hasChannel ? found.partitions : found.replicas) = true;
  });
  return found;
}

Answer<ProcessCounts> mercator::processGridOf(mlir::ModuleOp module,
                                              const RunOptions &options,
                                              DiagnosticEngine &diagnostics) {
  int64_t wanted = options.processes;
  ProcessCounts given{options.replicas, options.partitions};
  if (wanted == 0 || given.size() == wanted)
    return given;
  auto refuse = [&](const Twine &got) -> ExitCode {
    (void)diagnostics.error({}, "expected as many processes as the replicas "
                                "times the partitions, got " +
                                    Twine(wanted) + " processes and " + got);
    return ExitCode::WrongUsage;
  };
  if (given.size() > 1) {
    bool isOne = given.replicas == 1 || given.partitions == 1;
    if (!isOne || wanted % given.size() != 0)
      return refuse(Twine(given.replicas) + " replicas of " +
                    Twine(given.partitions) + " partitions");
    (given.replicas == 1 ? given.replicas : given.partitions) =
        wanted / given.size();
    return given;
  }
  ProcessCounts own{numberOf(module, "mhlo.num_replicas"),
                    numberOf(module, "mhlo.num_partitions")};
  if (own.size() == wanted)
    return own;
  if (own.size() > 1) {
    ExitCode code =
        refuse("a program for " + Twine(own.replicas) + " replicas of " +
               Twine(own.partitions) + " partitions");
    diagnostics.help("--processes=" + Twine(own.size()));
    return code;
  }
  Between between = betweenOf(module);
  if (between.replicas && between.partitions) {
    (void)diagnostics.error(
        {}, "expected `--replicas` and `--partitions`, since the program has "
            "collectives between both");
    diagnostics.help("--replicas=" + Twine(wanted) + " --partitions=1");
    return ExitCode::WrongUsage;
  }
  return between.replicas ? ProcessCounts{wanted, 1} : ProcessCounts{1, wanted};
}
