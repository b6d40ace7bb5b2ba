// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/Suggest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace mercator;

namespace {

std::string nearest(llvm::StringRef word,
                    std::vector<llvm::StringRef> candidates) {
  return suggest(word, candidates).value_or("none").str();
}

TEST(Suggest, TypingErrors) {
  EXPECT_EQ(nearest("simplfy", {"map", "simplify", "prove"}), "simplify");
  EXPECT_EQ(nearest("mpa", {"map", "simplify", "prove"}),
            "map"); // two neighbors exchanged
  EXPECT_EQ(nearest("mpaa", {"map", "simplify", "prove"}), "none");
  EXPECT_EQ(nearest("simpilfy", {"map", "simplify", "prove"}), "simplify");
  EXPECT_EQ(nearest("mp", {"map", "simplify", "prove"}), "map");
  EXPECT_EQ(nearest("maps", {"map", "simplify", "prove"}), "map");
  EXPECT_EQ(nearest("instrution", {"direction", "instruction"}), "instruction");
}

TEST(Suggest, NothingFarAway) {
  EXPECT_EQ(nearest("frobnicate", {"map", "simplify", "prove"}), "none");
  EXPECT_EQ(nearest("x", {"map", "simplify", "prove"}), "none");
  EXPECT_EQ(nearest("", {"a"}), "none");
  EXPECT_EQ(nearest(std::string(1000, 'a'), {std::string(999, 'a')}), "none");
}

TEST(Suggest, TheNearestAndTheFirstOfEquals) {
  EXPECT_EQ(nearest("reduce_windw", {"reduce_winnow", "reduce_window"}),
            "reduce_window");
  EXPECT_EQ(nearest("dim", {"dum", "dom"}), "dum");
  EXPECT_EQ(nearest("multiply", {"multiqqy", "multiwwy"}), "multiqqy");
}

} // namespace
