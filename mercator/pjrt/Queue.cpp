// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/pjrt/Queue.h"

using namespace mercator::pjrt;

Queue::~Queue() {
  {
    std::lock_guard lock(mutex);
    ends = true;
  }
  changed.notify_all();
  if (worker.joinable())
    worker.join();
}

bool Queue::tryNow(llvm::function_ref<void()> task) {
  {
    std::lock_guard lock(mutex);
    if (isRunning || !tasks.empty())
      return false;
    isRunning = true;
  }
  task();
  bool othersWait = false;
  {
    std::lock_guard lock(mutex);
    isRunning = false;
    othersWait = !tasks.empty();
  }
  if (othersWait)
    changed.notify_all();
  return true;
}

void Queue::later(std::function<void()> task) {
  {
    std::lock_guard lock(mutex);
    tasks.push_back(std::move(task));
    if (!worker.joinable())
      worker = std::thread([this] { work(); });
  }
  changed.notify_all();
}

void Queue::work() {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [&] { return !isRunning && (ends || !tasks.empty()); });
    if (tasks.empty())
      return;
    isRunning = true;
    {
      std::function<void()> task = std::move(tasks.front());
      tasks.pop_front();
      lock.unlock();
      task();
    } // what it holds is free before the next one runs
    lock.lock();
    isRunning = false;
  }
}
