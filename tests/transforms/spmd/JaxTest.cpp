// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Programs that JAX wrote for 8 devices, with NamedSharding, shard_map or GSPMD's
// annotations. Three of them are what public bugs of partitioners are about:
// roll_pad (jax#39301), scatter_add (xla#42481) and gather_columns (tt-mlir#6756).
// feed_forward and feed_forward_line are llvm/lighthouse's, without its annotations of
// values inside.

#include "Sharded.h"
#include "tests/Folders.h"

#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::spmd;

namespace {

/// What a device receives, in bytes: for operands, for sums, and what it receives
/// in the program that XLA (jaxlib 0.10.2) partitions, counted from its collectives.
/// Bytes of collectives that the program itself has are not ours.
struct JaxProgram {
  const char *name;
  int64_t received, reduced, byXla;
};

class JaxSharded : public testing::TestWithParam<JaxProgram> {};

TEST_P(JaxSharded, EqualsTheWholeProgram) {
  auto [name, received, reduced, byXla] = GetParam();
  auto text = llvm::MemoryBuffer::getFile(
      sourceFolder() + "/tests/transforms/spmd/Inputs/" + name + ".mlir");
  ASSERT_TRUE(bool(text));
  Outcome outcome = runSharded((*text)->getBuffer(), {}, 1);
  ASSERT_EQ(int(outcome.kind), int(Outcome::Kind::Equal))
      << outcome.text << "\n"
      << outcome.partitioned;
  for (const ProofReport &each : outcome.report.proofs)
    EXPECT_TRUE(each.proof.verdict == OperationProof::Verdict::Equal ||
                each.name == "gather" || each.name == "scatter")
        << each.name << ": " << each.proof.reason;
  EXPECT_EQ(outcome.report.received, received);
  EXPECT_EQ(outcome.report.receivedByAll, outcome.report.leastOfAll);
  EXPECT_EQ(outcome.report.reduced, reduced);
  EXPECT_LE(received + reduced, byXla);
}

INSTANTIATE_TEST_SUITE_P(
    Programs, JaxSharded,
    testing::Values(
        JaxProgram{"attention", 3072, 0, 3072},
        JaxProgram{"convolution", 192, 0, 192},
        JaxProgram{"embedding", 0, 576, 672},
        JaxProgram{"embedding_grad", 432, 576, 4256},
        JaxProgram{"fsdp", 7104, 1544, 10759},
        JaxProgram{"feed_forward", 1536, 2048, 5120},
        JaxProgram{"feed_forward_line", 896, 8960, 10752},
        JaxProgram{"gather_columns", 0, 216, 252},
        JaxProgram{"mlp", 0, 192, 192}, JaxProgram{"mlp_gspmd", 0, 192, 192},
        JaxProgram{"moe", 768, 0, 1400}, JaxProgram{"pipeline", 0, 0, 64},
        JaxProgram{"roll", 16, 0, 16}, JaxProgram{"roll_pad", 48, 0, 48},
        JaxProgram{"scan", 48, 0, 56}, JaxProgram{"scatter_add", 0, 192, 224},
        JaxProgram{"scatter_rows", 0, 32, 56},
        JaxProgram{"shard_map", 0, 0, 96},
        JaxProgram{"training", 384, 516, 1028}),
    [](const auto &info) { return std::string(info.param.name); });

} // namespace
