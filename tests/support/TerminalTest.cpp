// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/support/Terminal.h"

#include "gtest/gtest.h"

namespace mercator {
namespace {

TEST(Wrap, BreaksBehindCommasThenAtSpaces) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrap("", 4), Lines{""});
  EXPECT_EQ(wrap("d0, d1", 0), Lines{"d0, d1"});
  EXPECT_EQ(wrap("d0 in 0..9, d1 in 0..9", 22),
            Lines{"d0 in 0..9, d1 in 0..9"});
  EXPECT_EQ(wrap("d0 in 0..9, d1 in 0..9", 21),
            (Lines{"d0 in 0..9,", "d1 in 0..9"}));
  EXPECT_EQ(wrap("more than is read", 9), (Lines{"more than", "is read"}));
  EXPECT_EQ(wrap("a longer-word b", 4), (Lines{"a", "longer-word", "b"}));
  // Columns are counted, not bytes.
  EXPECT_EQ(wrap("äöü, äöü", 8), Lines{"äöü, äöü"});
}

TEST(Wrap, ColorsTakeNoColumns) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrap("\033[1mab\033[0m, cd", 6), Lines{"\033[1mab\033[0m, cd"});
  EXPECT_EQ(wrap("\033[1mab\033[0m, cd", 5),
            (Lines{"\033[1mab\033[0m,", "cd"}));
}

static std::string folded(const std::vector<llvm::StringRef> &written,
                          unsigned columns) {
  std::string text;
  llvm::raw_string_ostream os(text);
  {
    FoldedStream stream(os, columns);
    for (llvm::StringRef part : written)
      stream << part;
  }
  return text;
}

TEST(FoldedStream, IndentsWhatFollows) {
  EXPECT_EQ(folded({"ab\n", "  one two three four five\n", "end"}, 20),
            "ab\n  one two three\n      four five\nend");
  EXPECT_EQ(folded({"  one two th", "ree four five", "\n\n"}, 20),
            "  one two three\n      four five\n\n");
  // What is too narrow to be broken stays.
  EXPECT_EQ(folded({"                one two three four\n"}, 20),
            "                one two three four\n");
}

} // namespace
} // namespace mercator
