// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// How long a kernel takes, by cause.
///
/// ```cpp
/// mercator::cpu::Time time{.multiplyAdds = 1.0e6, .packing = 0.2e6};
/// assert(time.total() == 1.2e6);
/// assert(mercator::cpu::spell(time) ==
///        "1.2 ms predicted: multiply-adds 1.0, packing 0.2");
/// ```
///
/// Units are nanoseconds. The causes add up to the time: of two things that a core
/// does at the same time, the shorter one costs nothing. So `memory` is the time that
/// the arithmetic beside it does not hide.

#ifndef MERCATOR_TARGETS_CPU_ESTIMATE_TIME_H
#define MERCATOR_TARGETS_CPU_ESTIMATE_TIME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mercator::cpu {

struct Time {
  double multiplyAdds = 0; ///< of products and of other fused operations
  double arithmetic = 0;   ///< additions, comparisons, exp, ..
  double packing = 0;      ///< copies to the kernel's own memory
  double accesses = 0;     ///< loads, stores and loops that hit the first cache
  double caches = 0;       ///< bytes from the larger caches
  double memory = 0;       ///< bytes from and to memory
  double starting = 0;     ///< calls, starting the threads and meeting them
  double waiting = 0;      ///< cores that have no task left

  [[nodiscard]] double total() const;
  Time &operator+=(const Time &other);
  [[nodiscard]] Time scaled(double factor) const;

  /// A cause by its name, in the order above: "multiply-adds".
  struct Cause {
    llvm::StringRef name;
    double Time::*field;
  };
  [[nodiscard]] static llvm::ArrayRef<Cause> causes();
};

/// A loop of a kernel, or a block between loops, with all its executions. The nodes of
/// a kernel are listed from the outside: what is in a loop follows it, one deeper.
///
///   depth 0  loop   8 iterations, for two threads   3.1 us
///   depth 1  loop   1000 iterations                 2.9 us
///   depth 2  block                                  2.9 us
struct NestNode {
  unsigned depth = 0;
  bool isLoop = false;     ///< otherwise a block, with `iterations` 1
  double iterations = 1;   ///< of one execution
  bool isParallel = false; ///< for several threads
  bool isPacking =
      false;      ///< of a block: it fills a buffer of the kernel itself
  Time time = {}; ///< with what is inside
  /// To each cache from the level after it, in bytes; the last is what comes from memory.
  llvm::SmallVector<double, 4> bytes = {};
};

/// The nodes down to the depth at which `most` are not exceeded, at least depth 0.
[[nodiscard]] std::vector<NestNode> outerNodes(llvm::ArrayRef<NestNode> nodes,
                                               size_t most);

/// `1.2 ms predicted: multiply-adds 1.0, packing 0.2`. Causes of less than a
/// hundredth, or that would be printed as 0.0, are not printed; the largest comes first.
[[nodiscard]] std::string spell(const Time &time);

/// Nanoseconds with two digits: `1.2 ms`, `840 ns`, `12 us`.
[[nodiscard]] std::string spellNanoseconds(double ns);

} // namespace mercator::cpu

#endif // MERCATOR_TARGETS_CPU_ESTIMATE_TIME_H
