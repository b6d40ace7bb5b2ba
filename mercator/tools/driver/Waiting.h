// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A line on standard error that says what a command is doing. It appears after
/// two seconds, on a terminal only, and is gone at the end:
///
///   LLVM, 3 s

#ifndef MERCATOR_TOOLS_DRIVER_WAITING_H
#define MERCATOR_TOOLS_DRIVER_WAITING_H

#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace mercator {

class Waiting {
public:
  Waiting() {
    if (llvm::errs().is_displayed())
      watcher = std::thread([this] { watch(); });
  }
  ~Waiting() { stop(); }

  /// `phase` is a literal.
  void at(const char *phase) {
    std::lock_guard<std::mutex> lock(mutex);
    current = phase;
  }
  /// The line is gone, and does not come back.
  void stop() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      isDone = true;
    }
    changed.notify_all();
    if (watcher.joinable())
      watcher.join();
  }

private:
  void watch() {
    auto start = std::chrono::steady_clock::now();
    std::unique_lock<std::mutex> lock(mutex);
    bool isShown = false;
    auto wait = std::chrono::milliseconds(2000);
    while (!changed.wait_for(lock, wait, [this] { return isDone; })) {
      wait = std::chrono::milliseconds(500);
      isShown = true;
      auto seconds = std::chrono::duration_cast<std::chrono::seconds>(
          std::chrono::steady_clock::now() - start);
      llvm::errs() << "\r\033[K" << current << ", " << seconds.count() << " s";
    }
    if (isShown)
      llvm::errs() << "\r\033[K";
  }

  std::mutex mutex;
  std::condition_variable changed;
  const char *current = "";
  bool isDone = false;
  std::thread watcher;
};

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_WAITING_H
