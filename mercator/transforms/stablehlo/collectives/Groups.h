// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The processes that communicate in a collective.
///
///   #groups = dense<[[0, 1], [2, 3]]>    // of replicas, on 4 replicas x 2 partitions
///   processes {0, 2}, {1, 3}, {4, 6}, {5, 7}
///
/// Processes are numbered replica * partitions + partition. The numbers in
/// `replica_groups` are replicas, partitions, or processes, which the channel and
/// `use_global_device_ids` say (the StableHLO specification, "Collective ops"). They
/// may be axes of a mesh, whose devices are processes.

#ifndef MERCATOR_TRANSFORMS_STABLEHLO_COLLECTIVES_GROUPS_H
#define MERCATOR_TRANSFORMS_STABLEHLO_COLLECTIVES_GROUPS_H

#include "mercator/transforms/stablehlo/Passes.h"

#include "mlir/IR/Operation.h"

#include <utility>
#include <vector>

namespace mercator::stablehlo {

struct ProcessGroups {
  std::vector<std::vector<int64_t>> groups;

  /// The extent of the largest one.
  [[nodiscard]] int64_t size() const;
  /// Whether all have this extent.
  [[nodiscard]] bool isRegular() const;
};

/// The groups of a collective. Fails after an error: a number is not one of a
/// process, or a process is in no group and `mayBeAlone` does not allow that.
llvm::FailureOr<ProcessGroups> groupsOf(mlir::Operation *op,
                                        const ProcessCounts &grid,
                                        bool mayBeAlone = false);

/// The sources and targets of `source_target_pairs`. Fails after an error.
llvm::FailureOr<std::vector<std::pair<int64_t, int64_t>>>
pairsOf(mlir::Operation *op, const ProcessCounts &grid);

/// The number of the channel; 0 without one.
[[nodiscard]] int64_t channelOf(mlir::Operation *op);

} // namespace mercator::stablehlo

#endif // MERCATOR_TRANSFORMS_STABLEHLO_COLLECTIVES_GROUPS_H
