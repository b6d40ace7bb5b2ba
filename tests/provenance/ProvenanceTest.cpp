// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indexing maps of random programs, checked with the provenance evaluator. A
// failure prints the smallest program found, and the seed: MERCATOR_SEED=N
// repeats this program.

#include "Check.h"
#include "KnownGaps.h"
#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/random/programs/Generator.h"

#include "mercator/analysis/maps/MapInterface.h"
#include "mercator/dialects/Register.h"
#include "mercator/reference/provenance/Provenance.h"

#include "gtest/gtest.h"

#include <set>

using namespace mercator;
using namespace mercator::testing;

namespace {

/// All operations of the dialects with models.
std::vector<mlir::OperationName> promised(mlir::MLIRContext &context) {
  std::vector<mlir::OperationName> names;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
    for (const char *dialect : {"stablehlo", "hlo", "chlo"})
      if (name.getDialectNamespace() == dialect)
        names.push_back(name);
  return names;
}

class AllOperations : public ::testing::Test {
protected:
  AllOperations() {
    mlir::DialectRegistry registry;
    registerAllMercatorDialects(registry);
    registerMapInterfaces(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }
  mlir::MLIRContext context;
};

TEST_F(AllOperations, HaveAProvenanceRuleOrAReason) {
  EXPECT_GT(promised(context).size(), 170u);
  for (mlir::OperationName name : promised(context)) {
    std::optional<llvm::StringRef> why = reference::whyWithoutProvenance(name);
    EXPECT_NE(reference::hasProvenance(name), why.has_value())
        << name.getStringRef().str();
  }
}

TEST_F(AllOperations, AreGenerated) {
  // Operations without operands, and operations that other generators use.
  const std::set<std::string> without = {
      "stablehlo.after_all", "stablehlo.create_token", "stablehlo.partition_id",
      "stablehlo.replica_id", "stablehlo.tuple"};
  const std::vector<std::string> &names = generatedNames();
  std::set<std::string> generated(names.begin(), names.end());
  for (mlir::OperationName name : promised(context)) {
    std::string text = name.getStringRef().str();
    bool expected = reference::hasProvenance(name) && without.count(text) == 0;
    EXPECT_EQ(generated.count(text) == 1, expected) << text;
  }
}

/// Checks programs, and records the known gaps that occurred.
class Checking {
public:
  void check(const Sample &sample, uint64_t seed, bool everyAssignment) {
    if (sample.operations.empty())
      return;
    Outcome outcome = checker.check(sample, seed, everyAssignment, coverage);
    if (outcome.kind == Outcome::Agrees)
      return;
    if (outcome.kind == Outcome::Invalid) {
      if (++invalid <= 3)
        ADD_FAILURE() << "a program that is none: " << outcome.text
                      << sample.text();
      return;
    }
    if (const KnownGap *gap = isKnownGap(sample, outcome)) {
      gaps.insert(gap->operation);
      return;
    }
    if (differing.insert(outcome.operation).second && differing.size() <= 8)
      ADD_FAILURE() << "MERCATOR_SEED=" << seed << "\n"
                    << minimised(checker, sample, seed, outcome);
  }

  Checker checker;
  Coverage coverage;
  int invalid = 0;
  std::set<std::string> differing, gaps;
};

TEST(Provenance, MapsOfRandomProgramsAgree) {
  uint64_t first = testSeed();
  int count = givenSeed() ? 1 : cases(50'000);
  Checking run;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Sample sample = sampleOf(seed);
    run.check(sample, seed, givenSeed().has_value());
  }
  // The following checks need many programs.
  if (count < 50'000)
    return;
  RecordProperty("programs", int(run.coverage.programs));
  const UsesSeen &uses = run.coverage.uses;
  for (auto [what, number] :
       {std::pair("counts", uses.counts),
        {"sectors", uses.sectors},
        {"boxes", uses.boxes},
        {"tiles", uses.tiles},
        {"counts with runtime variables", uses.runtimeCounts},
        {"bounds", uses.bounds},
        {"recomputations", uses.recomputations}}) {
    RecordProperty(what, int(number));
    EXPECT_GT(number, 20'000) << what;
  }
  for (const std::string &name : generatedNames())
    EXPECT_GE(run.coverage.operations[name].programs, 100) << name;
  for (const KnownGap &gap : knownGaps())
    EXPECT_EQ(run.gaps.count(gap.operation), 1u)
        << gap.operation << " is right now; take it out of KnownGaps.h";
  // Whole reads would pass all checks above.
  for (const auto &[name, seen] : run.coverage.operations)
    if (seen.approximate > 0)
      EXPECT_TRUE(seen.exact > 0 || isNeverExact(name))
          << name << " has no exact map any more\n"
          << run.coverage.table();
}

TEST(Provenance, MapsOfLoopsCallsAndDynamicExtentsAgree) {
  Checking run;
  uint64_t first = testSeed(), count = givenSeed() ? 1 : cases(1'000);
  for (uint64_t seed = first; seed < first + count; ++seed)
    run.check(furtherSampleOf(seed), seed, givenSeed().has_value());
  for (const auto &[name, seen] : run.coverage.operations)
    EXPECT_TRUE(seen.approximate == 0 || seen.exact > 0 || count < 1000)
        << name << "\n"
        << run.coverage.table();
}

/// Indices get every value, within and beyond the bounds that they are clamped
/// to.
TEST(Provenance, MapsHoldForEveryAssignmentOfIndices) {
  Checking run;
  uint64_t first = testSeed();
  for (const char *name :
       {"stablehlo.dynamic_slice", "stablehlo.dynamic_update_slice",
        "stablehlo.gather", "stablehlo.dynamic_gather", "stablehlo.scatter",
        "stablehlo.torch_index_select", "stablehlo.case", "stablehlo.while",
        "chlo.ragged_dot"})
    for (uint64_t seed = first; seed < first + cases(400); ++seed)
      run.check(randomProgram(seed, 1, name, Sizes{3, 3, 18}), seed, true);
  EXPECT_GE(run.coverage.runs, 5 * run.coverage.programs);
}

} // namespace
