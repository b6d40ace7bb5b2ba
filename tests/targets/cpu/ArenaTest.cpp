// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/machine/Arena.h"
#include "tests/Seed.h"

#include "gtest/gtest.h"

#include <random>

using namespace mercator;
using namespace mercator::cpu;

namespace {

/// Whether every offset is aligned and inside, no two buffers that live at the same time
/// overlap, and no buffer is in a room that is in use.
void expectSound(const std::vector<Lifetime> &buffers, const ArenaPlan &plan,
                 const std::vector<Room> &rooms = {}) {
  ASSERT_EQ(plan.offsets.size(), buffers.size());
  ASSERT_EQ(plan.rooms.size(), buffers.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Lifetime &a = buffers[i];
    int64_t bytes = plan.bytes;
    EXPECT_EQ(plan.offsets[i] % kAlignment, 0);
    if (plan.rooms[i] != ArenaPlan::kArena) {
      const Room &room = rooms[size_t(plan.rooms[i])];
      EXPECT_TRUE(a.last < room.first || room.last < a.first);
      EXPECT_EQ(room.alignment % a.alignment, 0);
      EXPECT_FALSE(a.isScratch);
      bytes = room.bytes;
    }
    EXPECT_LE(plan.offsets[i] + a.bytes, bytes);
    for (size_t j = 0; j < i; ++j) {
      const Lifetime &b = buffers[j];
      bool meet = a.first <= b.last && b.first <= a.last;
      bool overlap = plan.rooms[i] == plan.rooms[j] &&
                     plan.offsets[i] < plan.offsets[j] + b.bytes &&
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

TEST(Arena, BuffersLieInRoomsUntilTheseAreInUse) {
  std::vector<Room> rooms = {{2, 5, 8192}};
  std::vector<Lifetime> buffers = {{0, 1, 8192}, {1, 2, 8192}};
  ArenaPlan plan = planArena(buffers, rooms);
  expectSound(buffers, plan, rooms);
  EXPECT_EQ(plan.rooms, (std::vector<int64_t>{0, ArenaPlan::kArena}));
  EXPECT_EQ(plan.bytes, 8192);
}

TEST(Arena, ARoomHasManyBuffers) {
  std::vector<Room> rooms = {{9, 9, 50'000}};
  std::vector<Lifetime> buffers = {
      {0, 3, 20'000}, {1, 2, 20'000}, {2, 4, 20'000}, {4, 8, 40'000}};
  ArenaPlan plan = planArena(buffers, rooms);
  expectSound(buffers, plan, rooms);
  EXPECT_EQ(plan.rooms, (std::vector<int64_t>{0, 0, ArenaPlan::kArena, 0}))
      << "20,000 bytes are left in the arena";
  EXPECT_EQ(plan.bytes, 20'032);
}

TEST(Arena, RoomsHaveNoScratchAndNothingWiderOrSmall) {
  std::vector<Room> rooms = {{9, 9, 50'000, /*alignment=*/4}};
  std::vector<Lifetime> buffers = {{0, 1, 9000, /*isScratch=*/true},
                                   {0, 1, 9000, false, /*alignment=*/8},
                                   {0, 1, 4000},
                                   {0, 1, 9000, false, /*alignment=*/4}};
  ArenaPlan plan = planArena(buffers, rooms);
  expectSound(buffers, plan, rooms);
  constexpr int64_t kArena = ArenaPlan::kArena;
  EXPECT_EQ(plan.rooms, (std::vector<int64_t>{kArena, kArena, kArena, 0}));
}

TEST(Arena, ASmallRoomIsUsedBeforeALargeOne) {
  std::vector<Room> rooms = {{9, 9, 50'000}, {9, 9, 10'000}};
  std::vector<Lifetime> buffers = {{0, 1, 9000}, {0, 1, 40'000}};
  ArenaPlan plan = planArena(buffers, rooms);
  EXPECT_EQ(plan.rooms, (std::vector<int64_t>{1, 0}));
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
      buffers.push_back({first, first + int64_t(engine() % 10),
                         int64_t(engine() % 20'000), engine() % 4 == 0,
                         int64_t(1) << engine() % 4});
    }
    std::vector<Room> rooms;
    for (size_t count = engine() % 6; rooms.size() < count;) {
      auto first = int64_t(engine() % 40);
      rooms.push_back({first, first + int64_t(engine() % 10),
                       int64_t(engine() % 60'000), int64_t(1) << engine() % 4});
    }
    expectSound(buffers, planArena(buffers, rooms), rooms);
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
