// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs with exponentially many paths, or very long ones: the work must not
// depend on the number of paths. A walk over all paths would not terminate.

#include "Snippet.h"

using namespace mercator;
using namespace mercator::e2e;

TEST(Sharing, TenThousandDoublings) {
  std::string text = "a0 = f32[8,16] parameter(0)\n";
  constexpr int kLength = 10'000;
  for (int i = 1; i <= kLength; ++i)
    text += (i == kLength ? "ROOT a" : "a") + std::to_string(i) +
            " = f32[8,16] add(a" + std::to_string(i - 1) + ", a" +
            std::to_string(i - 1) + ")\n";
  Snippet p(text);
  p.fused().reads("a10000", 0,
                  {"(d0, d1) -> (d0, d1), domain: d in [0, 7] x [0, 15]"});
  p.fused().reaches("a10000", 0,
                    {"(d0, d1) -> (d0, d1), domain: d in [0, 7] x [0, 15]"});
}

// Each rung reads the one below in two ways with the same meaning.
TEST(Sharing, LadderThroughReshapes) {
  std::string text = "x0 = f32[6,10] parameter(0)\n";
  constexpr int kDepth = 64;
  auto name = [](const char *letter, int i) {
    return letter + std::to_string(i);
  };
  for (int i = 1; i <= kDepth; ++i) {
    std::string below = name("x", i - 1);
    text += name("l", i) + " = f32[4,15] reshape(" + below + ")\n" +
            name("r", i) + " = f32[60] reshape(" + below + ")\n" +
            name("q", i) + " = f32[4,15] reshape(" + name("r", i) + ")\n" +
            name("y", i) + " = f32[4,15] add(" + name("l", i) + ", " +
            name("q", i) + ")\n" + (i == kDepth ? "ROOT " : "") + name("x", i) +
            " = f32[6,10] reshape(" + name("y", i) + ")\n";
  }
  Snippet p(text);
  EXPECT_EQ(p.fused().textOf("x64", 0),
            "(d0, d1) -> (d0, d1), domain: d0 in [0, 5], d1 in [0, 9]");
}

// The two sides of each rung differ, so the number of maps doubles until it
// exceeds the limit. Then the answer is the whole operand, with that reason.
TEST(Sharing, LadderOfDifferentMaps) {
  std::string text = "x0 = f32[1048576] parameter(0)\n";
  for (int i = 0; i < 64; ++i) {
    std::string n = std::to_string(i), next = std::to_string(i + 1);
    text += "a" + n + " = f32[1024,1024] reshape(x" + n + ")\n" + "t" + n +
            " = f32[1024,1024] transpose(a" + n + "), dimensions={1,0}\n" +
            "r" + n + " = f32[1048576] reshape(t" + n + ")\n" + "v" + n +
            " = f32[1048576] reverse(x" + n + "), dimensions={0}\n" + "q" + n +
            " = f32[1048576] add(r" + n + ", v" + n + ")\n" + "p" + n +
            " = f32[1048575] slice(q" + n + "), slice={[1:1048576]}\n" + "c" +
            n + " = f32[1] slice(q" + n + "), slice={[0:1]}\n" +
            (i == 63 ? "ROOT x" : "x") + next +
            " = f32[1048576] concatenate(p" + n + ", c" + n +
            "), dimensions={0}\n";
  }
  Snippet p(text);
  Answer answer = p.fused().ask("x64", /*inToOut=*/false, 0, 0);
  ASSERT_FALSE(answer.maps.empty());
  EXPECT_NE(answer.reasons.back(), "");
}
