// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Runs tasks that wait for one another, one at a time and in a fixed order.
///
///   Scheduler scheduler;
///   scheduler.spawn([&] {
///     box = 1;
///     return success();
///   });
///   scheduler.spawn([&] {                // runs when the first has ended
///     return scheduler.wait(op, "waits for the box", [&] { return box; });
///   });
///   if (failed(scheduler.run())) ..
///
/// Each task has a thread of its own for its stack, but only one of them runs:
/// the first one that can, from the one after the last on. So results and
/// diagnostics are the same each time. Where no task can go on, that is an
/// error at what they wait for, and all of them fail.

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

  /// Adds a task; it does not start before the caller waits or ends.
  /// Returns its number.
  size_t spawn(std::function<llvm::LogicalResult()> body);

  /// Called from outside all tasks: runs them until all have ended. Fails where
  /// one of them did.
  llvm::LogicalResult run();

  /// Called by a task: lets others run until `ready`. Fails where that cannot
  /// become true, or where another task has failed. `op` is what it waits at,
  /// `why` goes on from "process".
  llvm::LogicalResult wait(mlir::Operation *op, std::string why,
                           std::function<bool()> ready);

  [[nodiscard]] bool isDone(size_t task) const { return tasks[task].done; }

private:
  struct Task {
    std::function<llvm::LogicalResult()> body;
    std::function<bool()> ready; // empty: it is
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
