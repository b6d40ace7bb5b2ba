// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/estimate/Reuse.h"

#include "gtest/gtest.h"

using namespace mercator;
using namespace mercator::cpu;

namespace {

using Distances = std::vector<std::vector<double>>;

TEST(Reuse, OfTwoSteps) {
  // a (4) -> t (1) -> b (1), again and again.
  Touch a{1, 0, 4}, t{0, 0, 1}, b{2, 0, 1};
  EXPECT_EQ(distancesOf({{a, t}, {t, b}}), (Distances{{6, 2}, {1, 6}}));
}

TEST(Reuse, MemoryCountsAndNotItsValue) {
  // Four bytes of an arena are those of u, and one of them is that of v.
  Touch u{0, 4, 4}, v{0, 7, 1}, other{1, 0, 10};
  Distances found = distancesOf({{u}, {other}, {v}});
  EXPECT_EQ(found[2][0], 14);
  EXPECT_EQ(found[0][0], 15);
  // One that has half of the bytes is enough.
  EXPECT_EQ(distancesOf({{u}, {other}, {Touch{0, 6, 2}}})[0][0], 2);
}

TEST(Reuse, UnknownMemoryIsFarAway) {
  Touch a{1, 0, 4}, unknown{-1, 0, 3};
  Distances found = distancesOf({{a, unknown}});
  EXPECT_GE(found[0][1], 7);
}

} // namespace
