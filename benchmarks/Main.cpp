// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// mercator-bench [--rounds=N] [FILTER]: the times of the algebra, a line a
/// row. benchmarks/run makes the table of README.md from them.

#include "Bench.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstdlib>
#include <malloc.h>

using namespace mercator::bench;
using llvm::StringRef;

/// How often work must be done to take about a millisecond.
static size_t calibrate(const Work &work) {
  constexpr double kWanted = 0.001;
  size_t times = 1;
  while (true) {
    double seconds = work(times);
    if (seconds >= kWanted / 2)
      return std::max<size_t>(1, times * (kWanted / seconds));
    times *= seconds < kWanted / 20 ? 10 : 2;
  }
}

namespace {
struct Side {
  const Work &work;
  size_t times = work ? calibrate(work) : 0;
  std::vector<double> nanoseconds = {};

  void round(double units) {
    if (work)
      nanoseconds.push_back(work(times) * 1e9 /
                            (static_cast<double>(times) * units));
  }
  void print() {
    if (!work) {
      llvm::outs() << "\t-\t-";
      return;
    }
    llvm::sort(nanoseconds);
    llvm::outs() << llvm::format("\t%.1f\t%.1f",
                                 nanoseconds[nanoseconds.size() / 2],
                                 nanoseconds.front());
  }
};
} // namespace

void Bench::row(StringRef name, double units, const Work &ours,
                const Work &peer) {
  if (!name.contains(filter))
    return;
  Side sides[] = {{ours}, {peer}};
  for (unsigned i = 0; i < rounds; ++i)
    for (Side &side : sides)
      side.round(units);
  llvm::outs() << name;
  for (Side &side : sides)
    side.print();
  llvm::outs() << '\n';
  llvm::outs().flush();
}

void Bench::skip(StringRef name, StringRef reason) {
  if (name.contains(filter))
    llvm::outs() << "# " << name << ": not measured, " << reason << '\n';
}

void mercator::bench::require(bool condition, const char *what) {
  if (condition)
    return;
  llvm::errs() << "mercator-bench: error: " << what << '\n';
  std::exit(3);
}

int main(int argc, char **argv) {
  unsigned rounds = 51;
  std::string filter;
  for (StringRef argument : llvm::ArrayRef(argv + 1, argc - 1)) {
    StringRef value = argument;
    if (!value.consume_front("--rounds=")) {
      filter = argument.str();
    } else if (value.getAsInteger(10, rounds) || rounds == 0) {
      llvm::errs()
          << "mercator-bench: error: expected a number of rounds, got '"
          << value << "'\n";
      return 2;
    }
  }
  // Freed memory stays with the process: how fast the system hands out pages is
  // not what is measured.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  Bench bench(rounds, filter);
  nodeRows(bench);
  simplifyRows(bench);
  reshapeRows(bench);
  softmaxRows(bench);
  intervalRows(bench);
  evaluateRows(bench);
  gatherRows(bench);
  return 0;
}
