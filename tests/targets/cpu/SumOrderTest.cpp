// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/SumOrder.h"

#include "gtest/gtest.h"

using namespace mercator;

namespace {

std::string textOf(llvm::ArrayRef<int64_t> extents) {
  std::string text;
  llvm::raw_string_ostream os(text);
  cpu::SumOrder::of(extents).print(os);
  return text;
}

TEST(SumOrder, FollowsFromTheReducedExtents) {
  struct Row {
    llvm::SmallVector<int64_t> extents;
    const char *text;
  };
  const Row rows[] = {
      {{}, "1 rows of 1, 1 lane, nodes of 64 steps"},
      {{0}, "1 rows of 0, 1 lane, nodes of 64 steps"},
      {{63}, "1 rows of 63, 1 lane, nodes of 64 steps"},
      {{7, 7}, "1 rows of 49, 1 lane, nodes of 64 steps"},
      {{64}, "1 rows of 64, 16 lanes, nodes of 16 steps"},
      {{256}, "1 rows of 256, 16 lanes, nodes of 16 steps"},
      {{257}, "1 rows of 257, 16 lanes, nodes of 16, 256 steps"},
      {{3, 100}, "3 rows of 100, 16 lanes, nodes of 16, 256 steps"},
      // Rows of 28 have 4 lanes, and 7 steps.
      {{2, 28, 28}, "56 rows of 28, 4 lanes, nodes of 16, 256, 4096 steps"},
      // Short rows are joined.
      {{100, 3}, "1 rows of 300, 16 lanes, nodes of 16, 256 steps"},
      {{9, 4, 5}, "9 rows of 20, 4 lanes, nodes of 16, 256 steps"},
      {{1 << 24},
       "1 rows of 16777216, 16 lanes, nodes of 16, 256, 4096, 65536, 1048576 "
       "steps"},
      // Unknown extents have enough levels for any sum.
      {{-1},
       "1 rows of ?, 16 lanes, nodes of 16, 256, 4096, 65536, 1048576 steps"},
      {{-1, 100},
       "? rows of 100, 16 lanes, nodes of 16, 256, 4096, 65536, 1048576 steps"},
  };
  for (const Row &row : rows)
    EXPECT_EQ(textOf(row.extents), row.text);
}

TEST(SumOrder, OfMaximaHasManyLanes) {
  auto lanesOf = [](llvm::ArrayRef<int64_t> extents) {
    return cpu::SumOrder::ofExact(extents).lanes;
  };
  EXPECT_EQ(lanesOf({63}), 1);
  EXPECT_EQ(lanesOf({64}), 16);
  EXPECT_EQ(lanesOf({128}), 64);
  EXPECT_EQ(lanesOf({130}), 16); // most of the last step would be empty
  EXPECT_EQ(lanesOf({3, 1030}), 64);
  EXPECT_EQ(lanesOf({-1}), 16);
}

TEST(SumOrder, HasAShortWayFromEachTermToTheResult) {
  auto depthOf = [](llvm::ArrayRef<int64_t> extents) {
    return cpu::SumOrder::of(extents).depth();
  };
  EXPECT_EQ(depthOf({10}), 10 + 1);          // and the initial value
  EXPECT_EQ(depthOf({64}), 4 + 4 + 1);       // steps, tree
  EXPECT_EQ(depthOf({4096}), 16 + 16 + 5);   // 256 steps
  EXPECT_EQ(depthOf({1 << 24}), 5 * 16 + 5); // 2^20 steps
  for (int64_t n = 64; n < (int64_t(1) << 40); n = n * 3 + 1)
    EXPECT_LE(depthOf({n}), 16 * 10) << n;
}

TEST(SumOrder, NodesCoverAllSteps) {
  for (int64_t n = 1; n < 100'000; n = n * 5 / 4 + 1)
    for (int64_t outer : {1, 2, 17}) {
      auto order = cpu::SumOrder::of({outer, n});
      EXPECT_GE(order.nodes.back(), order.steps()) << outer << ' ' << n;
      EXPECT_EQ(order.outer * order.inner, outer * n);
      if (order.nodes.size() > 1)
        EXPECT_LT(order.nodes[order.nodes.size() - 2], order.steps());
    }
}

} // namespace
