// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two maps over the same variables, compared by methods 2 to 4 of Prove.h. The
// methods are in files apart: points in ProvePoints.cpp, sets of integers in
// ProveSets.cpp.
//
// Internal: prove() uses it.

#ifndef MERCATOR_INDEXING_DECIDE_PROVER_H
#define MERCATOR_INDEXING_DECIDE_PROVER_H

#include "mercator/indexing/decide/Prove.h"
#include "mercator/indexing/decide/RuntimePairs.h"
#include "mercator/indexing/decide/Sampled.h"

namespace mercator::indexing {

/// An element that only one of two maps over the same variables reads.
struct Difference {
  using Values = llvm::SmallVector<int64_t, 6>;
  int reader;   ///< 0 or 1
  Values outer; ///< dimensions and runtime variables
  Values element;
  const char *how; ///< the method that found it
};

/// Makes the difference a counterexample of the verdict. False if evaluating
/// the maps as given does not confirm it.
[[nodiscard]] bool showDifference(Verdict &verdict, const RuntimePairs &pairs,
                                  const Difference &found);

class Prover {
public:
  Prover(const Map &first, const Map &second, const ProveOptions &options)
      : arena(*first.arena), options(options),
        sides{SampledMap(first), SampledMap(second)} {}

  /// The answer of run(); `difference` if the kind is No.
  Decision::Kind kind = Decision::Kind::Unknown;
  std::string reason;
  std::optional<Difference> difference;

  /// Tries the methods in their order.
  void run();
  /// Methods 2 and 3 alone: true if there are few points and all agree.
  bool agreesEverywhere();

private:
  using Values = Difference::Values;

  // Some points, and all points. Each returns false if it decides nothing.
  bool sample();
  bool exhaust();
  [[nodiscard]] bool isSmall() const;

  uint64_t random();
  int64_t pick(Interval i, unsigned round);
  [[nodiscard]] System outerBox() const;
  [[nodiscard]] int64_t stepLimit() const;
  bool agreeAsFunctions(const System &outer, int64_t &points);
  bool compareAt(llvm::ArrayRef<int64_t> at, Budget &budget);
  void decideEqual(int64_t points);

  // Sets of integers.
  bool includes(int reader, std::string &why);
  Map graphOf(const SampledMap &side);
  Decision::Kind implies(int reader, Expr e, Interval bounds, bool refutes,
                         std::string &why);
  bool impliesAll(int reader, const Domain &domain, const Substitution &by,
                  bool refutes, std::string &why);

  // Candidates for counterexamples.
  bool refute(int reader, llvm::ArrayRef<int64_t> outer,
              llvm::ArrayRef<int64_t> element, const char *how);
  bool refuteAt(int reader, llvm::ArrayRef<int64_t> point, const char *how);

  Arena &arena;
  const ProveOptions &options;
  SampledMap sides[2];
  std::vector<Values> rows[2];
  uint64_t state = 1;
  /// The time of integer programming grows about fourfold per column. This
  /// budget allows 16 questions of 8 columns, or many smaller ones.
  int64_t columnsLeft = int64_t(16) << (2 * 8);
};

} // namespace mercator::indexing

#endif // MERCATOR_INDEXING_DECIDE_PROVER_H
