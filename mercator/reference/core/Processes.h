// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A grid of replicas and partitions: programs that run concurrently and
/// communicate, all in this process.
///
///   ProcessGrid grid(/*replicas=*/2, /*partitions=*/1);
///   Evaluator evaluator(module, allRules());    // says how: limits, and so on
///   auto results = grid.run(evaluator, {{main, {a}}, {main, {b}}});
///   (*results)[1]                         // of replica 1
///
/// Processes are numbered as in the specification: replica * partitions +
/// partition. Each has its own Evaluator, and they take turns (Scheduler.h).

#ifndef MERCATOR_REFERENCE_CORE_PROCESSES_H
#define MERCATOR_REFERENCE_CORE_PROCESSES_H

#include "mercator/reference/core/Evaluator.h"
#include "mercator/reference/core/Scheduler.h"

#include <deque>
#include <map>
#include <vector>

namespace mercator::reference {

/// The numbers of processes, in the order of the collective.
using ProcessGroup = std::vector<int64_t>;

/// More processes are a mistake in the program.
inline constexpr int64_t kMaxProcesses = 256;

class ProcessGrid {
public:
  struct Invocation {
    mlir::func::FuncOp function;
    std::vector<Value> arguments;
  };

  /// An isolated region, and the arguments of one process.
  struct Part {
    mlir::Region *body;
    std::vector<Value> arguments;
  };

  /// Requires: both are positive, and their product is at most kMaxProcesses.
  ProcessGrid(int64_t replicas, int64_t partitions)
      : replicas(replicas), partitions(partitions) {}

  /// The functions whose results `infeed` takes, in order.
  void setInfeed(std::vector<mlir::func::FuncOp> functions);

  /// Runs one program for each process to completion. `parent` provides the
  /// module and the limits; checks and failure reasons are added to it.
  llvm::FailureOr<std::vector<std::vector<Value>>>
  run(Evaluator &parent, llvm::ArrayRef<Invocation> programs);
  /// The same for regions.
  llvm::FailureOr<std::vector<std::vector<Value>>>
  run(Evaluator &parent, llvm::ArrayRef<Part> parts);

  [[nodiscard]] int64_t getReplicas() const { return replicas; }
  [[nodiscard]] int64_t getPartitions() const { return partitions; }
  [[nodiscard]] int64_t size() const { return replicas * partitions; }
  [[nodiscard]] int64_t number(int64_t replica, int64_t partition) const {
    return replica * partitions + partition;
  }

  //===--- For the rules of operations ------------------------------------===//

  /// Waits until every process of the group has reached an operation of this
  /// kind on this channel. Returns their operands in the order of the group.
  /// Requires: the process of the step is in the group.
  llvm::FailureOr<std::vector<std::vector<Value>>>
  meet(Step &step, int64_t channel, const ProcessGroup &group);

  /// A permutation and a transfer on one channel do not mix.
  enum class Sending { Permutation, Transfer };
  /// Sends values to process `to`.
  void post(Step &step, Sending kind, int64_t channel, int64_t to);
  /// Waits for the values that `from` sends, in order.
  llvm::FailureOr<std::vector<Value>> take(Step &step, Sending kind,
                                           int64_t channel, int64_t from);

  /// The next result of the infeed; an error if there is none.
  llvm::FailureOr<std::vector<Value>> feed(Step &step);

  /// Evaluates an isolated region concurrently with the process; wait(step,
  /// task) returns its results.
  size_t start(Step &step, mlir::Region &region);
  llvm::FailureOr<std::vector<Value>> wait(Step &step, size_t task);

private:
  struct Meeting {
    std::vector<std::vector<Value>> brought;
    llvm::StringRef operation;
    std::vector<bool> present;
    size_t arrived = 0, left = 0;
  };
  struct Started {
    std::unique_ptr<Evaluator> evaluator;
    std::vector<Value> results;
  };
  using MeetingKey = std::pair<int64_t, ProcessGroup>;

  std::string nameOf(int64_t process) const;
  using Body = std::function<llvm::FailureOr<std::vector<Value>>(
      Evaluator &evaluator, size_t process)>;
  llvm::FailureOr<std::vector<std::vector<Value>>> runEach(Evaluator &parent,
                                                           const Body &body);

  int64_t replicas, partitions;
  Scheduler scheduler;
  std::vector<mlir::func::FuncOp> infeed;
  size_t fed = 0;
  /// The number of visits of each process to a place, and the processes
  /// present.
  std::map<std::pair<MeetingKey, int64_t>, int64_t> visits;
  std::map<std::pair<MeetingKey, int64_t>, Meeting> meetings;
  /// By kind, channel, source and target.
  using BoxKey = std::tuple<Sending, int64_t, int64_t, int64_t>;
  std::map<BoxKey, std::deque<std::vector<Value>>> boxes;
  std::map<size_t, Started> started;
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_PROCESSES_H
