// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A line on standard error that says how far a command is. It appears after two
/// seconds, on a terminal only, and is gone at the end:
///
///   1204 instructions, at fusion.88

#ifndef MERCATOR_TOOLS_DRIVER_PROGRESS_H
#define MERCATOR_TOOLS_DRIVER_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

namespace mercator {

class Progress {
public:
  ~Progress() {
    if (isShown)
      llvm::errs() << "\r\033[K";
  }
  void step(llvm::StringRef name) {
    ++count;
    if (!isTerminal || Clock::now() < next)
      return;
    isShown = true;
    next = Clock::now() + std::chrono::milliseconds(200);
    llvm::errs() << "\r\033[K" << count << " instructions, at "
                 << name.take_front(60);
  }

private:
  using Clock = std::chrono::steady_clock;
  bool isTerminal = llvm::errs().is_displayed(), isShown = false;
  Clock::time_point next = Clock::now() + std::chrono::seconds(2);
  size_t count = 0;
};

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_PROGRESS_H
