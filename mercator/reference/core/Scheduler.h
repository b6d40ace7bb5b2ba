// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Runs tasks that wait for one another, one at a time and in a deterministic
/// order.
///
///   Scheduler scheduler;
///   scheduler.spawn([&] {
///     box = 1;
///     return success();
///   });
///   scheduler.spawn([&] {                // runs after the first has ended
///     return scheduler.wait(op, "waits for the box", [&] { return box; });
///   });
///   if (failed(scheduler.run())) ..
///
/// Each task has its own thread for its stack, but only one runs at a time: the
/// first one that can run, starting after the last one that ran. Results and
/// diagnostics are therefore deterministic. If no task can continue, errors
/// name the events that they wait for, and all tasks fail.

#ifndef MERCATOR_REFERENCE_CORE_SCHEDULER_H
#define MERCATOR_REFERENCE_CORE_SCHEDULER_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/thread.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>

namespace mercator::reference {

class Scheduler {
public:
  Scheduler() = default;
  Scheduler(const Scheduler &) = delete;
  Scheduler &operator=(const Scheduler &) = delete;
  /// Requires: all tasks have ended.
  ~Scheduler();

  /// Adds a task and returns its number. The task starts when the caller waits
  /// or ends.
  size_t spawn(std::function<llvm::LogicalResult()> body);

  /// Runs all tasks to their end; called from outside the tasks. Fails if a
  /// task failed.
  llvm::LogicalResult run();

  /// Called by a task: lets others run until `ready`. Fails if that cannot
  /// become true or if another task failed. `op` is the waiting operation; the
  /// message is "process" followed by `why`.
  llvm::LogicalResult wait(mlir::Operation *op, std::string why,
                           std::function<bool()> ready);

  [[nodiscard]] bool isDone(size_t task) const { return tasks[task].done; }

private:
  struct Task {
    std::function<llvm::LogicalResult()> body;
    std::function<bool()> ready; // empty: it is ready
    mlir::Operation *op = nullptr;
    std::string why;
    bool done = false;
    std::condition_variable turn;
    llvm::thread thread;
  };
  static constexpr size_t nobody = -1;

  void main(size_t self);
  void passOn(size_t from);
  void reportDeadlock();

  std::mutex mutex;
  std::condition_variable ended;
  std::deque<Task> tasks;
  size_t current = nobody;
  bool hasFailed = false;
};

} // namespace mercator::reference

#endif // MERCATOR_REFERENCE_CORE_SCHEDULER_H
