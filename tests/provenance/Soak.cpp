// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// provenance-soak [COUNT [SEED [KIND]]]: checks COUNT random programs,
// beginning with SEED. KIND is `further`, or one of furtherGenerators():
// programs with more structure than a sequence of operations, such as "loops in
// loops". Prints each difference between the maps and the reads of the program,
// minimized, and tables of the coverage and of the reasons for maps that are
// not exact.

#include "Check.h"
#include "KnownGaps.h"
#include "tests/random/programs/Generator.h"

#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <set>

using namespace mercator::testing;

int main(int argc, char **argv) {
  uint64_t count = 1'000'000, seed = 1;
  std::string kind = argc > 3 ? argv[3] : "";
  if ((argc > 1 && llvm::StringRef(argv[1]).getAsInteger(10, count)) ||
      (argc > 2 && llvm::StringRef(argv[2]).getAsInteger(10, seed)) ||
      (!kind.empty() && kind != "further" &&
       !furtherGenerators().count(kind)) ||
      argc > 4) {
    llvm::errs() << "usage: provenance-soak [COUNT [SEED [KIND]]]\n";
    return 2;
  }
  Checker checker;
  Coverage coverage;
  std::map<std::string, int64_t> failures;
  int64_t invalid = 0;
  auto begin = std::chrono::steady_clock::now();
  for (uint64_t s = seed; s < seed + count; ++s) {
    Sample sample = kind.empty()
                        ? sampleOf(s)
                        : furtherSampleOf(s, kind == "further" ? "" : kind);
    if (sample.operations.empty())
      continue;
    bool isAlone = !kind.empty() || sample.operations.size() <= 2;
    Outcome outcome = checker.check(sample, s, isAlone, coverage);
    if (outcome.kind == Outcome::Invalid && invalid++ < 5)
      llvm::outs() << "seed " << s << ": invalid: " << outcome.text
                   << sample.text() << "\n";
    if (outcome.kind != Outcome::Differs || isKnownGap(sample, outcome))
      continue;
    if (failures[outcome.operation]++ == 0)
      llvm::outs() << "MERCATOR_SEED=" << s << "\n"
                   << minimised(checker, sample, s, outcome) << "\n";
  }
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  llvm::outs() << coverage.table() << "\n"
               << coverage.reasonTable() << "\n"
               << coverage.programs << " programs, " << coverage.runs
               << " runs in " << int64_t(seconds) << " s; " << invalid
               << " invalid\n";
  int64_t differ = 0;
  for (const auto &[name, number] : failures) {
    llvm::outs() << name << ": " << number << " differ\n";
    differ += number;
  }
  return differ || invalid ? 1 : 0;
}
