// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/targets/cpu/kernels/ContractionSchedule.h"
#include "tests/Scale.h"
#include "tests/Seed.h"

#include "gtest/gtest.h"

#include <random>

using namespace mercator::cpu;
using mercator::cases;
using mercator::testSeed;

namespace {

/// A product of m x k and k x n, row by row in memory; of n x k, if `isTransposed`.
ContractionProblem product(int64_t m, int64_t n, int64_t k,
                           bool isTransposed = false, int64_t bits = 32) {
  ContractionProblem p;
  p.row = {m, k, 0, n};
  p.column = {n, 0, isTransposed ? k : 1, 1};
  p.sums = {{k, 1, isTransposed ? 1 : n, 0}};
  p.elementBits = bits;
  p.isZero = p.isWhole = true;
  return p;
}

TEST(ContractionSchedule, PacksAsMuchAsTheCacheHolds) {
  ContractionProblem p = product(512, 512, 512, /*isTransposed=*/true);
  for (auto [bytes, chunk] : {std::pair(1 << 20, 28), {1 << 21, 56}, {1, 1}})
    EXPECT_EQ(ContractionSchedule::choose(p, 64, bytes).chunk, chunk) << bytes;
}

TEST(ContractionSchedule, ChoicesObeyTheLaws) {
  std::printf("seed %llu\n", (unsigned long long)testSeed());
  std::mt19937_64 random(testSeed());
  auto extent = [&] {
    int64_t most = int64_t(1) << (random() % 14);
    return 1 + int64_t(random() % uint64_t(most));
  };
  for (int i = 0; i < cases(20'000); ++i) {
    ContractionProblem p = product(extent(), extent(), extent(),
                                   random() % 2 == 0, random() % 2 ? 32 : 64);
    p.isZero = random() % 2 == 0;
    p.hasPrologue = random() % 4 == 0;
    p.hasRowsPrologue = random() % 4 == 0;
    if (random() % 8 == 0 && p.row.extent >= 48) {
      p.group = int64_t(1) << (1 + random() % 2);
      p.groupB = 1000;
    }
    if (random() % 4 == 0)
      p.batch = {{extent(), 1, 1, 1}};
    ContractionSchedule best = ContractionSchedule::choose(
        p, random() % 2 ? 32 : 64, int64_t(1) << (16 + random() % 8));
    std::string text = best.text();
    ASSERT_EQ(best.check(p), "") << text;
    ContractionSchedule varied = best.varied(p, random);
    ASSERT_EQ(varied.check(p), "") << varied.text();
    auto read = ContractionSchedule::parse(text);
    ASSERT_TRUE(bool(read)) << text;
    ASSERT_TRUE(*read == best) << text;
    EXPECT_TRUE(varied.form == best.form && varied.split == best.split);
    // The order of the sum does not depend on the machine.
    ContractionSchedule other = ContractionSchedule::choose(p, 32, 1 << 20);
    ASSERT_TRUE(other.form == best.form && other.split == best.split) << text;
  }
}

} // namespace
