// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Random programs through linalg and flow. A failure prints the smallest
/// program found, and the seed.
///
///   MERCATOR_SEED=N                   the program of one seed
///   MERCATOR_LOWERING_PROGRAMS=N      their number
///   MERCATOR_LOWERING_OPERATION=sort  only programs that end with such an
///                                     operation
///
/// With any of these, the tables of outcomes are printed too.

#include "LoweringCheck.h"
#include "tests/Scale.h"
#include "tests/Seed.h"
#include "tests/random/programs/Generator.h"

#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace mercator;
using namespace mercator::testing;

namespace {

TEST(Lowering, KeepsWhatRandomProgramsMean) {
  // A crash names the seed.
  llvm::EnablePrettyStackTrace();
  llvm::sys::PrintStackTraceOnErrorSignal("lowering-random-tests");
  int count = givenSeed() ? 1 : cases(2'000);
  const char *number = std::getenv("MERCATOR_LOWERING_PROGRAMS");
  if (number)
    ASSERT_FALSE(llvm::StringRef(number).getAsInteger(10, count));
  const char *only = std::getenv("MERCATOR_LOWERING_OPERATION");
  LoweringChecker checker;
  LoweringTally tally;
  std::map<std::string, int64_t> failures;
  uint64_t first = givenSeed().value_or(testSeed() % 1'000'000);
  for (uint64_t seed = first; seed < first + uint64_t(count); ++seed) {
    Sample sample = loweringSampleOf(seed, only ? only : "");
    if (sample.operations.empty())
      continue;
    if (givenSeed() && count == 1) { // before it may crash
      llvm::outs() << varied(sample.text(), variationOf(seed))
                   << variationOf(seed).text() << "\n";
      llvm::outs().flush();
    }
    auto [stage, outcome] = checker.check(sample, seed, tally);
    if (outcome.kind == LoweringOutcome::Differs &&
        ++failures[lastOperation(sample)] == 1)
      ADD_FAILURE() << "MERCATOR_SEED=" << seed << " " << lastOperation(sample)
                    << ", " << checker.minimised(sample, seed, stage);
  }
  if (number || only || givenSeed())
    llvm::outs() << tally.table() << "\n";
  llvm::outs() << tally.summary() << "\n";
  for (const auto &[name, times] : failures)
    llvm::outs() << name << ": " << times << " differ\n";
  llvm::outs() << "cells: " << checker.cells.edges << " edges checked, "
               << checker.cells.unchecked << " not; " << checker.outlined
               << " functions and fusions outlined\n";
  llvm::outs().flush();
  // Programs of several operations are drawn often enough.
  if (count > 100 && !only) {
    EXPECT_GT(checker.cells.edges, count / 10);
    EXPECT_GT(checker.outlined, count / 10);
  }
}

TEST(Lowering, AllWaysToFormDispatchesGiveTheSame) {
  llvm::EnablePrettyStackTrace();
  llvm::sys::PrintStackTraceOnErrorSignal("lowering-random-tests");
  int count = givenSeed() ? 1 : cases(500);
  if (const char *number = std::getenv("MERCATOR_LOWERING_PROGRAMS"))
    ASSERT_FALSE(llvm::StringRef(number).getAsInteger(10, count));
  LoweringChecker checker;
  LoweringTally tally;
  uint64_t first = givenSeed().value_or(testSeed() % 1'000'000);
  for (uint64_t seed = first; seed < first + uint64_t(count); ++seed) {
    Sample sample = randomDenseProgram(seed, 4 + int(seed % 12));
    if (sample.operations.empty())
      continue;
    if (givenSeed() && count == 1) {
      llvm::outs() << varied(sample.text(), variationOf(seed))
                   << variationOf(seed).text() << "\n";
      llvm::outs().flush();
    }
    for (const Formation &formation : allFormations()) {
      checker.formation = formation;
      LoweringOutcome outcome = checker.check(sample, seed, Stage::Flow);
      tally.add(lastOperation(sample), Stage::Flow, outcome);
      EXPECT_NE(outcome.kind, LoweringOutcome::Differs)
          << "MERCATOR_SEED=" << seed << " --fusion " << int(formation.fusion)
          << " " << outcome.why << "\n"
          << sample.text();
    }
  }
  llvm::outs() << tally.summary() << "\ncells: " << checker.cells.edges
               << " edges checked, " << checker.cells.repeated
               << " of them from what every cell computes, "
               << checker.cells.unchecked << " not\n";
  llvm::outs().flush();
}

TEST(Lowering, MachineCodeComputesWhatRandomProgramsMean) {
  llvm::EnablePrettyStackTrace();
  llvm::sys::PrintStackTraceOnErrorSignal("lowering-random-tests");
  int count = givenSeed() ? 1 : cases(500);
  if (const char *number = std::getenv("MERCATOR_LOWERING_PROGRAMS"))
    ASSERT_FALSE(llvm::StringRef(number).getAsInteger(10, count));
  LoweringChecker checker;
  LoweringTally tally;
  uint64_t first = givenSeed().value_or(testSeed() % 1'000'000);
  for (uint64_t seed = first; seed < first + uint64_t(count); ++seed) {
    Sample sample = loweringSampleOf(seed, "");
    // Of a singular matrix, StableHLO leaves the factor and the solution open. A
    // Fourier transform of infinities has NaN where its terms are in the order of
    // one algorithm.
    bool isFinite = variationOf(seed).draw != Variation::Draw::Anything;
    bool hasOpenMeaning =
        llvm::any_of(sample.operations, [&](const SampleOperation &op) {
          return op.name == "stablehlo.cholesky" ||
                 op.name == "stablehlo.triangular_solve" ||
                 (op.name == "stablehlo.fft" && !isFinite);
        });
    if (sample.operations.empty() || hasOpenMeaning)
      continue;
    if (givenSeed() && count == 1)
      llvm::outs() << varied(sample.text(), variationOf(seed))
                   << variationOf(seed).text() << "\n";
    LoweringOutcome outcome = checker.check(sample, seed, Stage::Cpu);
    tally.add(lastOperation(sample), Stage::Cpu, outcome);
    EXPECT_NE(outcome.kind, LoweringOutcome::Differs)
        << "MERCATOR_SEED=" << seed << " " << lastOperation(sample) << ", "
        << outcome.why;
  }
  llvm::outs() << (givenSeed() || std::getenv("MERCATOR_LOWERING_PROGRAMS")
                       ? tally.table()
                       : tally.summary())
               << "\n";
  llvm::outs().flush();
}

TEST(Lowering, TypesAreVaried) {
  Variation v;
  v.real = "bf16";
  v.whole = "ui8";
  v.unknown = 3;
  EXPECT_EQ(varied("f(tensor<3x4xf32>, tensor<i32>) {a = 3 : i32}", v),
            "f(tensor<?x4xbf16>, tensor<ui8>) {a = 3 : i32}");
  v.isBounded = true;
  EXPECT_EQ(varied("tensor<2x3xcomplex<f32>>", v),
            "tensor<2x?xcomplex<f32>, #stablehlo.bounds<?, 4>>");
  v.real = "f64";
  EXPECT_EQ(varied("tensor<4xcomplex<f32>>, tensor<f32>", v),
            "tensor<4xcomplex<f64>>, tensor<f64>");
}

} // namespace
