// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A line on standard error that says what a command is doing. It appears after
/// two seconds, on a terminal only, and is gone at the end:
///
///   LLVM, 3 s                                  at("LLVM")
///   1204 instructions, at fusion.88, 3 s       step("fusion.88"), 1204 times

#ifndef MERCATOR_TOOLS_DRIVER_STATUSLINE_H
#define MERCATOR_TOOLS_DRIVER_STATUSLINE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace mercator {

class StatusLine {
public:
  StatusLine() : isTerminal(llvm::errs().is_displayed()) {
    if (isTerminal)
      watcher = std::thread([this] { watch(); });
  }
  ~StatusLine() { stop(); }

  /// A phase has begun.
  void at(llvm::StringRef phase) {
    if (!isTerminal)
      return;
    std::lock_guard<std::mutex> lock(mutex);
    current = phase.str();
    count = 0;
  }
  /// One more instruction is looked at.
  void step(llvm::StringRef name) {
    if (!isTerminal)
      return;
    std::lock_guard<std::mutex> lock(mutex);
    current.assign(name.data(), std::min<size_t>(name.size(), 60));
    ++count;
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
    using namespace std::chrono;
    auto start = steady_clock::now();
    std::unique_lock<std::mutex> lock(mutex);
    bool isShown = false;
    milliseconds wait(2000);
    while (!changed.wait_for(lock, wait, [this] { return isDone; })) {
      wait = milliseconds(500);
      isShown = true;
      llvm::errs() << "\r\033[K";
      if (count > 0)
        llvm::errs() << count << " instructions, at ";
      llvm::errs()
          << current << ", "
          << duration_cast<seconds>(steady_clock::now() - start).count()
          << " s";
    }
    if (isShown)
      llvm::errs() << "\r\033[K";
  }

  bool isTerminal;
  std::mutex mutex;
  std::condition_variable changed;
  std::string current;
  size_t count = 0; ///< of instructions; 0 in a phase
  bool isDone = false;
  std::thread watcher;
};

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_STATUSLINE_H
