// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The programs of a device, which run one after another.
///
///   if (!queue.tryNow([&] { run(); }))
///     queue.later([=] { run(); }); // in the thread of the queue
///
/// Laws. Tasks run in the order in which they are given, one at a time. A task that
/// `tryNow` runs has run when the call returns.

#ifndef MERCATOR_PJRT_QUEUE_H
#define MERCATOR_PJRT_QUEUE_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace mercator::pjrt {

class Queue {
public:
  Queue() = default;
  /// Waits until all tasks have run.
  ~Queue();
  Queue(const Queue &) = delete;
  Queue &operator=(const Queue &) = delete;

  /// Runs a task in this thread. False if another one runs or waits.
  bool tryNow(llvm::function_ref<void()> task);
  void later(std::function<void()> task);

private:
  void work();

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> tasks;
  bool isRunning = false, ends = false;
  std::thread worker; ///< begins with the first task that waits
};

} // namespace mercator::pjrt

#endif // MERCATOR_PJRT_QUEUE_H
