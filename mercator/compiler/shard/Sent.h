// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What a program that is partitioned already sends: its collectives.
///
///   SentTable table = *sentBy(module, cluster);
///   table.rows[0].operation        // "all_gather"
///   table.rows[0].received         // bytes that a device receives each time
///
/// Collectives of one kind with equal groups and bytes are one row. Bytes are those
/// of a ring, as in Partition.h, and times as in Times.h. Operations in loops count
/// once.

#ifndef MERCATOR_COMPILER_SHARD_SENT_H
#define MERCATOR_COMPILER_SHARD_SENT_H

#include "mercator/analysis/device/Cluster.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mercator {

struct SentRow {
  std::string operation;
  int64_t groups = 0, members = 0; ///< how many, and the size of the largest
  int64_t bytes = 0;               ///< of the operands on a device
  int64_t received = 0;            ///< by a device, each time
  double microseconds = 0;         ///< each time, if there is a cluster
  int64_t count = 0;
  int64_t number = 0;  ///< in the order of the program
  mlir::Location loc;  ///< of the first
  std::string at = {}; ///< the same as text

  [[nodiscard]] int64_t receivedInAll() const { return received * count; }
};

struct SentTable {
  int64_t devices = 1;
  std::vector<SentRow> rows; ///< those that receive most come first
};

/// Whether the module has collectives outside of manual computations.
[[nodiscard]] bool isPartitioned(mlir::ModuleOp module);

/// Requires: isPartitioned. Fails after an error: groups that are wrong, or a cluster
/// that does not join the devices.
[[nodiscard]] llvm::FailureOr<SentTable> sentBy(mlir::ModuleOp module,
                                                const Cluster *cluster);

} // namespace mercator

#endif // MERCATOR_COMPILER_SHARD_SENT_H
