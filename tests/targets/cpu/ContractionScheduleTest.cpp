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

std::string textOf(const ContractionSchedule &schedule) {
  std::string text;
  llvm::raw_string_ostream os(text);
  schedule.print(os);
  return text;
}

struct Row {
  int64_t m, n, k;
  bool isTransposed;
  int64_t vectorBytes;
  const char *schedule;
};

constexpr int64_t kCacheBytes = 1 << 20;

TEST(ContractionSchedule, Choices) {
  const Row rows[] = {
      // Squares: tiles of 7 rows of 4 vectors, and panels of b.
      {512, 512, 512, false, 64,
       "form=tiles lanes=16 rows=14 vectors=2 pack=ab chunk=18 parts=64"},
      {512, 500, 500, false, 64,
       "form=tiles lanes=16 rows=14 vectors=2 pack=b parts=64"},
      {512, 500, 500, false, 32,
       "form=tiles lanes=8 rows=6 vectors=2 pack=b parts=64"},
      // A long sum is added up in blocks.
      {512, 500, 4000, false, 64,
       "form=tiles lanes=16 rows=14 vectors=2 pack=b terms=1024 parts=64"},
      // Few rows: b in place, a few rows of it at a time.
      {4, 4096, 4096, false, 64,
       "form=streams lanes=16 rows=4 vectors=4 split=256 parts=64"},
      // Few rows, and terms that are neighbors in both.
      {4, 4096, 4096, true, 64, "form=dots lanes=16 rows=4 vectors=6 parts=64"},
      {4, 4096, 4096, true, 32, "form=dots lanes=16 rows=4 vectors=3 parts=64"},
      {1, 1, 1, false, 64, "form=tiles lanes=16 rows=1 vectors=1 parts=1"},
  };
  for (const Row &row : rows) {
    ContractionProblem p = product(row.m, row.n, row.k, row.isTransposed);
    EXPECT_EQ(
        textOf(ContractionSchedule::choose(p, row.vectorBytes, kCacheBytes)),
        row.schedule)
        << row.m << " x " << row.n << " x " << row.k;
  }
}

TEST(ContractionSchedule, PacksAsMuchAsTheCacheHolds) {
  ContractionProblem p = product(512, 512, 512);
  for (auto [bytes, chunk] : {std::pair(1 << 20, 18), {1 << 21, 36}, {1, 1}})
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
    if (random() % 8 == 0 && p.row.extent >= 48) {
      p.group = int64_t(1) << (1 + random() % 2);
      p.groupB = 1000;
    }
    if (random() % 4 == 0)
      p.batch = {{extent(), 1, 1, 1}};
    ContractionSchedule best = ContractionSchedule::choose(
        p, random() % 2 ? 32 : 64, int64_t(1) << (16 + random() % 8));
    std::string text = textOf(best);
    ASSERT_EQ(best.check(p), "") << text;
    ContractionSchedule varied = best.varied(p, random);
    ASSERT_EQ(varied.check(p), "") << textOf(varied);
    auto read = ContractionSchedule::parse(text);
    ASSERT_TRUE(bool(read)) << text;
    ASSERT_TRUE(*read == best) << text;
    // The order of the sum does not depend on the machine.
    ContractionSchedule other = ContractionSchedule::choose(p, 32, kCacheBytes);
    ASSERT_TRUE(other.form == best.form && other.split == best.split) << text;
  }
}

TEST(ContractionSchedule, RefusesWhatIsImpossible) {
  struct Refusal {
    const char *schedule, *reason;
  };
  // 100 x 100 with 1,000 terms, b transposed, and c not filled with zeros.
  ContractionProblem p = product(100, 100, 1000, true);
  p.isZero = false;
  const Refusal refusals[] = {
      {"form=tiles lanes=16 rows=7 vectors=4", "must be packed"},
      {"form=streams lanes=16 rows=7 vectors=4 pack=b", "streams read b"},
      {"form=tiles lanes=16 rows=7 vectors=4 pack=b overlaps=1",
       "computed twice"},
      {"form=tiles lanes=12 rows=7 vectors=4 pack=b", "power of 2"},
      {"form=tiles lanes=16 rows=0 vectors=4 pack=b", "at least 1"},
      {"form=tiles lanes=16 rows=101 vectors=1 pack=b", "at most 64 vectors"},
      {"form=tiles lanes=16 rows=7 vectors=4 pack=ab", "chunk is"},
      {"form=tiles lanes=16 rows=7 vectors=4 pack=b chunk=2", "chunk is"},
      {"form=tiles lanes=16 rows=7 vectors=4 pack=b terms=2000",
       "blocks of terms"},
      {"form=tiles lanes=16 rows=7 vectors=4 pack=b terms=500", "whole chains"},
      {"form=tiles lanes=16 rows=7 vectors=4 pack=b split=2000",
       "can be split"},
      {"form=dots lanes=16 rows=7 vectors=4 pack=b", "pack nothing"},
      {"form=dots lanes=16 rows=7 vectors=4 terms=10", "pack nothing"},
      {"form=tiles lanes=16 rows=7 vectors=4 pack=b parts=65", "at most 64"},
  };
  for (const Refusal &refusal : refusals) {
    auto schedule = ContractionSchedule::parse(refusal.schedule);
    ASSERT_TRUE(bool(schedule)) << refusal.schedule;
    EXPECT_NE(schedule->check(p).find(refusal.reason), std::string::npos)
        << refusal.schedule << ": " << schedule->check(p);
  }
  // Columns in groups of 4 are packed by whole vectors of them.
  p.group = 4;
  auto narrow =
      ContractionSchedule::parse("form=tiles lanes=2 rows=7 vectors=4 pack=b");
  EXPECT_NE(narrow->check(p).find("whole groups"), std::string::npos);
  p = product(100, 100, 1000);
  p.group = 4;
  auto inPlace =
      ContractionSchedule::parse("form=tiles lanes=16 rows=7 vectors=4");
  EXPECT_NE(inPlace->check(p).find("must be packed"), std::string::npos);
  ContractionProblem few = product(4, 100, 1000);
  auto dots = ContractionSchedule::parse("form=dots lanes=16 rows=4 vectors=4");
  EXPECT_NE(dots->check(few).find("neighbors"), std::string::npos);
}

TEST(ContractionSchedule, TextsThatAreNone) {
  for (const char *text : {"form=squares", "rows=many", "pack=c", "height=3",
                           "rows", "form=tiles,rows=3"}) {
    auto schedule = ContractionSchedule::parse(text);
    EXPECT_FALSE(bool(schedule)) << text;
    llvm::consumeError(schedule.takeError());
  }
}

} // namespace
