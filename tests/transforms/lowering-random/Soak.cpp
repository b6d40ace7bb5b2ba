// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// lowering-soak [COUNT [SEED [OPERATION]]]: lowers COUNT random programs,
// beginning with SEED, to linalg and to flow, and compares their results.
// OPERATION: only programs that end with an operation of such a name. Prints
// the first difference for each operation, minimized, and tables of the
// outcomes and of the reasons for programs that were refused or not run.

#include "LoweringCheck.h"

#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace mercator;
using namespace mercator::testing;

int main(int argc, char **argv) {
  llvm::EnablePrettyStackTrace();
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  uint64_t count = 20'000, seed = 1;
  if ((argc > 1 && llvm::StringRef(argv[1]).getAsInteger(10, count)) ||
      (argc > 2 && llvm::StringRef(argv[2]).getAsInteger(10, seed)) ||
      argc > 4) {
    llvm::errs() << "usage: lowering-soak [COUNT [SEED [OPERATION]]]\n";
    return 2;
  }
  std::string only = argc > 3 ? argv[3] : "";
  LoweringChecker checker;
  LoweringTally tally;
  std::map<std::string, int64_t> failures;
  auto begin = std::chrono::steady_clock::now();
  for (uint64_t s = seed; s < seed + count; ++s) {
    Sample sample = loweringSampleOf(s, only);
    if (sample.operations.empty())
      continue;
    auto [stage, outcome] = checker.check(sample, s, tally);
    if (outcome.kind != LoweringOutcome::Differs)
      continue;
    if (failures[lastOperation(sample)]++ > 0)
      continue;
    llvm::outs() << "MERCATOR_SEED=" << s << " " << lastOperation(sample)
                 << ", " << checker.minimised(sample, s, stage) << "\n";
    llvm::outs().flush(); // a later program may crash
  }
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  llvm::outs() << tally.table() << "\n"
               << count << " programs in " << int64_t(seconds)
               << " s; stages: " << tally.summary() << "\n";
  for (const auto &[name, times] : failures)
    llvm::outs() << name << ": " << times << " differ\n";
  return failures.empty() ? 0 : 1;
}
