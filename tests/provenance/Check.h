// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks indexing maps against the provenance evaluator: the maps of each
// operation of a program, and of the program as a whole, in both directions.

#ifndef MERCATOR_TESTS_PROVENANCE_CHECK_H
#define MERCATOR_TESTS_PROVENANCE_CHECK_H

#include "Uses.h"
#include "tests/random/programs/Sample.h"

#include "mlir/IR/MLIRContext.h"

#include <map>
#include <memory>

namespace mercator::testing {

/// Statistics of the maps of one operation.
struct Seen {
  int64_t programs = 0;
  /// The numbers of sets of maps that were exact, and that were not.
  int64_t exact = 0, approximate = 0;
  /// The numbers of pairs that maps gave which were not exact, and of those
  /// that the program read.
  int64_t pairsGiven = 0, pairsRead = 0;

  void add(const Seen &other);
};

struct Coverage {
  std::map<std::string, Seen> operations; ///< and "(program)"
  /// Statistics of maps that are not exact, by operation and first reason, with
  /// N for numbers.
  std::map<std::pair<std::string, std::string>, Seen> reasons;
  int64_t programs = 0, runs = 0;
  UsesSeen uses;
  /// A row for each operation, then the total.
  [[nodiscard]] std::string table() const;
  /// A row for each reason, the most frequent first.
  [[nodiscard]] std::string reasonTable() const;
};

struct Outcome {
  enum Kind { Agrees, Differs, Invalid } kind = Agrees;
  std::string operation; ///< the one whose maps differ, or "(program)"
  std::string text;      ///< the difference, or the error of an invalid program
};

class Checker {
public:
  Checker();
  ~Checker();

  /// `seed` determines the elements of the arguments. With `everyAssignment`,
  /// all values of index arguments are tried, if there are few.
  Outcome check(const Sample &sample, uint64_t seed, bool everyAssignment,
                Coverage &coverage);
  /// The same for the public function of a module; `arguments` has the types
  /// and bounds of its arguments.
  Outcome check(llvm::StringRef text, const std::vector<SampleValue> &arguments,
                uint64_t seed, bool everyAssignment, Coverage &coverage);

private:
  std::unique_ptr<mlir::MLIRContext> context;
  int uses = 0;
};

/// The program of a seed: one operation, or 2 to 8.
Sample sampleOf(uint64_t seed);
/// The same for furtherGenerators(), or for one of them.
Sample furtherSampleOf(uint64_t seed, const std::string &name = "");

/// The smallest program found that differs at the same operation, and the
/// difference, as text.
std::string minimised(Checker &checker, const Sample &sample, uint64_t seed,
                      const Outcome &outcome);

} // namespace mercator::testing

#endif // MERCATOR_TESTS_PROVENANCE_CHECK_H
