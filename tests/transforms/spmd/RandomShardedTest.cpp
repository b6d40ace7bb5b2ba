// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random programs, partitioned and run against the whole ones. MERCATOR_SHARDED=N
// runs N of them, MERCATOR_SEED=N begins with another one, and
// MERCATOR_MPI=build/bin/mercator runs each by processes of MPI, too.

#include "RandomSharded.h"
#include "Sharded.h"
#include "tests/Scale.h"
#include "tests/Seed.h"

#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::spmd;

TEST(RandomSharded, EqualsTheWholeProgram) {
  const char *given = std::getenv("MERCATOR_SHARDED");
  int count = given ? std::atoi(given) : cases(500);
  const char *mercator = std::getenv("MERCATOR_MPI");
  int refused = 0, invalid = 0, wrong = 0, proved = 0, open = 0;
  for (int i = 0; i < count && wrong < 5; ++i) {
    uint64_t seed = testSeed() + i;
    std::string program = randomShardedProgram(seed);
    Outcome outcome = runSharded(program, {}, seed, mercator ? mercator : "");
    refused += outcome.kind == Outcome::Kind::Refused;
    invalid += outcome.kind == Outcome::Kind::Invalid;
    // A plan that leaves an element out is replaced by whole operands, and the results
    // are right: no plan may be like that.
    for (const OperationReport &op : outcome.report.operations)
      if (llvm::StringRef(op.whole).starts_with("device ")) {
        ADD_FAILURE() << "MERCATOR_SEED=" << seed << ": " << op.name << ": "
                      << op.whole << "\n"
                      << program;
        ++wrong;
      }
    for (const ProofReport &one : outcome.report.proofs) {
      proved += one.proof.verdict == OperationProof::Verdict::Equal;
      open += one.proof.verdict == OperationProof::Verdict::Open;
      if (one.proof.verdict == OperationProof::Verdict::Different) {
        ADD_FAILURE() << "MERCATOR_SEED=" << seed << ": " << one.name << ": "
                      << one.proof.reason << "\n"
                      << program << "\n"
                      << outcome.partitioned;
        ++wrong;
      }
    }
    if (outcome.kind == Outcome::Kind::Equal)
      continue;
    ++wrong;
    ADD_FAILURE() << "MERCATOR_SEED=" << seed << " MERCATOR_SHARDED=1\n"
                  << outcome.text << "\n"
                  << program << "\n"
                  << outcome.partitioned;
  }
  // Rows of divided tables are chosen by their indices; little else is open.
  EXPECT_LE(open * 50, proved + open);
  EXPECT_EQ(refused, 0);
  EXPECT_EQ(invalid, 0);
}
