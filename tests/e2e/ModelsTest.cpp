// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Real programs from the shared folder: every instruction has its maps in both
// directions, and there are no diagnostics.

#include "Snippet.h"

#include "llvm/ADT/StringExtras.h"

using namespace mercator;
using namespace mercator::e2e;

namespace {
class Model : public testing::TestWithParam<const char *> {};
} // namespace

TEST_P(Model, AllInstructionsBothWays) {
  std::optional<std::string> folder = sharedData();
  if (!folder)
    GTEST_SKIP() << "the folder of shared data is absent";
  std::string path = *folder + "/data/models/" + GetParam();
  Outcome outcome =
      runCommand({"map", path.c_str(), "--direction=both", "--json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  auto parsed = llvm::json::parse(outcome.out);
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_GT(parsed->getAsObject()->getArray("records")->size(), 1000u);
}

// The same input gives the same bytes, also across the whole program.
TEST(Models, SameBytesThroughTheProgram) {
  std::optional<std::string> folder = sharedData();
  if (!folder)
    GTEST_SKIP() << "the folder of shared data is absent";
  std::string path = *folder + "/data/models/large_loop_fusion.hlo";
  Outcome outcome = runCommand({"map", path.c_str(), "--fused", "--json"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out,
            runCommand({"map", path.c_str(), "--fused", "--json"}).out);
}

INSTANTIATE_TEST_SUITE_P(
    Hlo, Model,
    testing::Values("mobilenet_v2.hlo", "llama31_8b.hlo",
                    "maxtext_train_step.hlo", "large_loop_fusion.hlo"),
    [](const auto &info) {
      return llvm::StringRef(info.param).split('.').first.str();
    });
