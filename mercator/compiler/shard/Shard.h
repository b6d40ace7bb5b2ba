// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// `shard`: a program for several devices, and what they send each other.
///
///   Answer<ShardedText> sharded = compilation->shard({.mesh = "data:2,model:4",
///                                                     .in = {"0=data,-"}});
///   sharded->text                       StableHLO for all devices
///   sharded->report.operations          what each operation receives, and why

#ifndef MERCATOR_COMPILER_SHARD_SHARD_H
#define MERCATOR_COMPILER_SHARD_SHARD_H

#include "mercator/compiler/shard/Sent.h"
#include "mercator/transforms/spmd/Partition.h"

#include "llvm/Support/JSON.h"

#include <string>

namespace mercator {

struct ShardOptions {
  /// The mesh and the shardings of arguments and results; without a mesh, those
  /// of the program.
  spmd::Request request = {};
  /// Whether a program that is partitioned already is read, for `sent`.
  bool readsPartitioned = false;
};

struct ShardedText {
  std::string text; ///< MLIR
  spmd::PartitionReport report;
  /// Of a program that is partitioned already; text and report are empty then.
  std::optional<SentTable> sent = {};
};

/// One way to divide a program.
struct ShardChoice {
  spmd::Request request;
  int64_t received = 0;    ///< bytes of a device, with those for sums
  int64_t peakBytes = 0;   ///< on a device
  double share = 1;        ///< of the work, on a device
  double microseconds = 0; ///< predicted, if there is a cluster
};

/// Every way to divide one argument among all devices along one dimension, and two
/// arguments, or one twice, along two axes of the mesh; at most `kMostChoices`.
/// With a cluster, the choices stand in the order of their predicted times. Without
/// one, divisions of the work come first, then those that send fewer bytes. A choice
/// divides the work if a device does at most twice its part.
struct ShardChoices {
  static constexpr size_t kMostChoices = 256;
  std::vector<ShardChoice> choices;
  size_t refused = 0; ///< that the partitioner refuses
  size_t untried = 0; ///< beyond the limit
};

/// The report of a module that states shardings and can be partitioned; nothing for
/// another one. The module does not change, and nothing is printed.
[[nodiscard]] std::optional<spmd::PartitionReport>
shardsOf(mlir::ModuleOp module);

/// The report as JSON, with the schema `mercator.shard/1`.
void writeJson(const spmd::PartitionReport &report, llvm::StringRef module,
               llvm::json::OStream &json);
/// `mercator.sent/1`.
void writeJson(const SentTable &sent, llvm::StringRef module,
               llvm::json::OStream &json);
void writeJson(const ShardChoices &choices, llvm::StringRef module,
               llvm::json::OStream &json);

} // namespace mercator

#endif // MERCATOR_COMPILER_SHARD_SHARD_H
