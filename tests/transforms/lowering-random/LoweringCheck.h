// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random programs through the stages of compilation: the reference evaluator
/// runs each before and after, on the same arguments.
///
///   LoweringChecker checker;
///   LoweringTally tally;
///   checker.check(loweringSampleOf(seed), seed, tally);
///   llvm::outs() << tally.table();
///
/// Results are equal bit for bit, where any NaN equals a NaN. An operation that
/// sums, or that computes a function of the reals, may give other bits: then
/// the difference is at most some units in the last place of the largest
/// element (Tolerance.h). If later operations amplify such a difference, the program is cut
/// after these operations, and each part is compared by itself.
///
/// Each pass is validated by maps too. A refutation is a difference.

#ifndef MERCATOR_TESTS_TRANSFORMS_LOWERING_RANDOM_LOWERINGCHECK_H
#define MERCATOR_TESTS_TRANSFORMS_LOWERING_RANDOM_LOWERINGCHECK_H

#include "CellsCheck.h"
#include "tests/random/programs/Variation.h"

#include "mercator/compiler/program/Stage.h"

#include "mlir/IR/MLIRContext.h"

#include <map>
#include <memory>

namespace mercator::testing {

struct LoweringOutcome {
  enum Kind {
    Equal,   ///< bit for bit
    Near,    ///< within ULPs
    Refused, ///< the program cannot be lowered
    NotRun,  ///< it is no program, or cannot be evaluated
    Differs  ///< another result, a failure of the result, or invalid IR
  } kind = Equal;
  std::string why = {};
};

struct LoweringTally {
  /// By the last operation of the program, then by kind.
  std::map<std::string, std::map<LoweringOutcome::Kind, int64_t>> operations;
  /// Of programs that were refused or not run: the reason, N for numbers.
  std::map<std::string, int64_t> reasons;
  std::map<LoweringOutcome::Kind, int64_t> total;
  /// Of all passes to a stage (transforms/verify/VerifyMaps.h).
  std::map<Stage, verify::MapCounts> maps;

  void add(const std::string &operation, Stage stage,
           const LoweringOutcome &outcome);
  /// A row for each operation, the reasons, the total.
  [[nodiscard]] std::string table() const;
  /// The totals in a few lines.
  [[nodiscard]] std::string summary() const;
};

class LoweringChecker {
public:
  LoweringChecker();
  ~LoweringChecker();

  /// The program in the types of its seed, after the stage. At Stage::Cpu it
  /// runs as machine code.
  LoweringOutcome check(const Sample &sample, uint64_t seed, Stage stage);
  /// Both stages, counted. The outcome of the first that is not equal or near,
  /// and the stage.
  std::pair<Stage, LoweringOutcome> check(const Sample &sample, uint64_t seed,
                                          LoweringTally &tally);
  /// How dispatches are formed; without it each seed draws one of allFormations.
  std::optional<Formation> formation;
  /// Of the dispatches from maps (CellsCheck.h).
  CellsTally cells;
  /// Functions and fusions that operations were moved into (Outline.h).
  int64_t outlined = 0;

  /// The smallest program found that differs after the stage, with its text.
  std::string minimised(const Sample &sample, uint64_t seed, Stage stage);

private:
  LoweringOutcome whole(const Sample &sample, uint64_t seed, Stage stage,
                        double ulps);
  verify::MapCounts maps; ///< of the last program
  std::unique_ptr<mlir::MLIRContext> context;
  int uses = 0;
};

/// By maps, for the default device and for one on which nearly all that is
/// possible is merged, and by the rules of the seed.
[[nodiscard]] llvm::ArrayRef<Formation> allFormations();

/// The name of the last operation of a program, which it is counted by.
[[nodiscard]] std::string lastOperation(const Sample &sample);

/// The program of a seed. One operation, or several, of rank up to 8, or one of
/// furtherGenerators(). `only`: the last operation has this in its name.
[[nodiscard]] Sample loweringSampleOf(uint64_t seed,
                                      const std::string &only = "");

} // namespace mercator::testing

#endif // MERCATOR_TESTS_TRANSFORMS_LOWERING_RANDOM_LOWERINGCHECK_H
