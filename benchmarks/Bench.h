// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Timing of small pieces of work, and of a peer's in the same rounds.
//
//   bench.row("compose", 1, timed([&] { keep(compose(f, g).results[0]); }),
//                           timed([&] { keep(f2.compose(g2)); }));
//
// prints one line, times in nanoseconds, `-` where there is nothing to time:
//
//   compose <tab> our median <tab> our minimum <tab> peer's median <tab>
//   minimum
//
// How. Each side is repeated until it takes a millisecond; then both are run in
// turn, one round after the other, so that other work on the machine slows both
// down. A round is short, so that on a busy machine most rounds run
// undisturbed. The median of the rounds counts.

#ifndef MERCATOR_BENCHMARKS_BENCH_H
#define MERCATOR_BENCHMARKS_BENCH_H

#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace mercator::bench {

/// Does the work `times` times; the seconds that what counts of it took.
using Work = std::function<double(size_t times)>;

/// The compiler must assume that someone looks at x.
template <typename T> void keep(const T &x) {
  asm volatile("" : : "r"(&x) : "memory");
}

class Stopwatch {
public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
};

/// All of f counts.
template <typename F> Work timed(F f) {
  return [f = std::move(f)](size_t times) mutable {
    Stopwatch watch;
    for (size_t i = 0; i < times; ++i)
      f();
    return watch.seconds();
  };
}

/// What f() returns counts: the seconds of the parts that it timed itself.
template <typename F> Work selfTimed(F f) {
  return [f = std::move(f)](size_t times) mutable {
    double total = 0;
    for (size_t i = 0; i < times; ++i)
      total += f();
    return total;
  };
}

class Bench {
public:
  /// Rows whose name does not contain `filter` are passed over.
  Bench(unsigned rounds, std::string filter)
      : rounds(rounds), filter(std::move(filter)) {}

  /// A row prints the time of one unit. Doing the work once is `units` units.
  void row(llvm::StringRef name, double units, const Work &ours,
           const Work &peer = nullptr);
  /// Says what could not be measured, and why.
  void skip(llvm::StringRef name, llvm::StringRef reason);

private:
  unsigned rounds;
  std::string filter;
};

/// Ends the program: a result that was to be timed is wrong, and its time would
/// mean nothing.
void require(bool condition, const char *what);

void nodeRows(Bench &bench);
void simplifyRows(Bench &bench);
void reshapeRows(Bench &bench);
void intervalRows(Bench &bench);
void evaluateRows(Bench &bench);
void softmaxRows(Bench &bench);
void gatherRows(Bench &bench);

} // namespace mercator::bench

#endif // MERCATOR_BENCHMARKS_BENCH_H
