// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/reference/core/Scheduler.h"

#include "mercator/reference/core/Perturbation.h"

using namespace mlir;

namespace mercator::reference {

/// The stack size of a main thread, independent of the system's default for
/// threads.
static constexpr unsigned kStackBytes = 8 << 20;

Scheduler::~Scheduler() {
  for (Task &task : tasks)
    if (task.thread.joinable())
      task.thread.join();
}

size_t Scheduler::spawn(std::function<LogicalResult()> body) {
  // A task that spawns another already holds the mutex.
  std::unique_lock lock(mutex, std::defer_lock);
  if (current == nobody)
    lock.lock();
  size_t number = tasks.size();
  Task &task = tasks.emplace_back();
  // The new thread has the rounding mode of this one.
  task.body = [own = Perturbation::current(), body = std::move(body)] {
    Perturbation::adopt(own);
    return body();
  };
  task.thread = llvm::thread(std::optional<unsigned>(kStackBytes),
                             [this, number] { main(number); });
  return number;
}

void Scheduler::main(size_t self) {
  std::unique_lock lock(mutex);
  // Appending to a deque moves no elements.
  Task &task = tasks[self];
  task.turn.wait(lock, [&] { return current == self; });
  if (!hasFailed && failed(task.body()))
    hasFailed = true;
  task.done = true;
  passOn(self);
}

LogicalResult Scheduler::run() {
  std::unique_lock lock(mutex);
  if (tasks.empty())
    return success();
  passOn(tasks.size() - 1);
  ended.wait(lock, [&] { return current == nobody; });
  return failure(hasFailed);
}

LogicalResult Scheduler::wait(Operation *op, std::string why,
                              std::function<bool()> ready) {
  if (ready())
    return success();
  // The running thread always holds the mutex.
  size_t self = current;
  Task &task = tasks[self];
  task.ready = std::move(ready);
  task.op = op;
  task.why = std::move(why);
  passOn(self);
  std::unique_lock lock(mutex, std::adopt_lock);
  task.turn.wait(lock, [&] { return current == self; });
  lock.release();
  task.ready = nullptr;
  return failure(hasFailed);
}

void Scheduler::passOn(size_t from) {
  for (size_t i = 1; i <= tasks.size(); ++i) {
    size_t next = (from + i) % tasks.size();
    Task &task = tasks[next];
    if (!task.done && (hasFailed || !task.ready || task.ready())) {
      current = next;
      task.turn.notify_one();
      return;
    }
  }
  if (llvm::any_of(tasks, [](const Task &task) { return !task.done; })) {
    reportDeadlock();
    hasFailed = true;
    return passOn(from);
  }
  current = nobody;
  ended.notify_all();
}

void Scheduler::reportDeadlock() {
  std::optional<InFlightDiagnostic> error;
  for (const Task &task : tasks) {
    if (task.done)
      continue;
    if (!error)
      error.emplace(
          task.op->emitOpError()
          << "expected a process that can continue, got a deadlock: process "
          << task.why);
    else
      error->attachNote(task.op->getLoc()) << "process " << task.why;
  }
}

} // namespace mercator::reference
