// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/machine/Arena.h"
#include "tests/Seed.h"

#include "gtest/gtest.h"

#include <random>

using namespace mercator;
using namespace mercator::cpu;

namespace {

/// Whether every offset is aligned and inside, and no two buffers that live at
/// the same time overlap.
void expectSound(const std::vector<Lifetime> &buffers, const ArenaPlan &plan) {
  ASSERT_EQ(plan.offsets.size(), buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    EXPECT_EQ(plan.offsets[i] % kAlignment, 0);
    EXPECT_LE(plan.offsets[i] + buffers[i].bytes, plan.bytes);
    for (size_t j = 0; j < i; ++j) {
      const Lifetime &a = buffers[i], &b = buffers[j];
      bool meet = a.first <= b.last && b.first <= a.last;
      bool overlap = plan.offsets[i] < plan.offsets[j] + b.bytes &&
                     plan.offsets[j] < plan.offsets[i] + a.bytes;
      EXPECT_FALSE(meet && overlap) << i << " and " << j;
    }
  }
}

TEST(Arena, BuffersOfAChainUseTwoPlaces) {
  std::vector<Lifetime> chain;
  for (int64_t i = 0; i < 10; ++i)
    chain.push_back({i, i + 1, 1000});
  ArenaPlan plan = planArena(chain);
  expectSound(chain, plan);
  EXPECT_EQ(plan.bytes, 2 * 1024);
}

TEST(Arena, ScratchLiesAfterWhatLivesBesideIt) {
  std::vector<Lifetime> buffers = {
      {0, 1, 100}, {1, 1, 100'000, /*isScratch=*/true}, {1, 2, 200}};
  ArenaPlan plan = planArena(buffers);
  expectSound(buffers, plan);
  EXPECT_EQ(plan.offsets, (std::vector<int64_t>{256, 384, 0}));
}

TEST(Arena, EmptyBuffersHaveAPlace) {
  std::vector<Lifetime> buffers = {{0, 0, 0}, {0, 0, 0}};
  ArenaPlan plan = planArena(buffers);
  EXPECT_NE(plan.offsets[0], plan.offsets[1]);
}

TEST(Arena, RandomBuffersThatMeetDoNotOverlap) {
  std::mt19937_64 engine(testSeed());
  for (int round = 0; round < 200; ++round) {
    std::vector<Lifetime> buffers;
    for (size_t count = engine() % 40; buffers.size() < count;) {
      auto first = int64_t(engine() % 30);
      buffers.push_back(
          {first, first + int64_t(engine() % 10), int64_t(engine() % 3000)});
    }
    expectSound(buffers, planArena(buffers));
  }
}

TEST(Arena, ManyBuffersArePlacedInOrderOfTime) {
  std::vector<Lifetime> buffers;
  for (int64_t i = 0; i < 5000; ++i)
    buffers.push_back({i, i + 3, 64 * (1 + i % 7)});
  ArenaPlan plan = planArena(buffers);
  expectSound(buffers, plan);
  EXPECT_LT(plan.bytes, 40 * 64 * 7);
}

} // namespace
