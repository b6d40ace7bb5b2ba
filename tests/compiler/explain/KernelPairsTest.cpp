// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of two compilations that are paired: each rule, and what holds for all.

#include "mercator/compiler/explain/KernelPairs.h"

#include "tests/Scale.h"
#include "tests/Seed.h"

#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace mercator;

namespace {

KernelRecord kernelNamed(const std::string &name, uint64_t computes,
                         const std::string &origin = "f.py:1",
                         const std::string &root = "stablehlo.add",
                         const std::string &type = "f32[8]") {
  KernelRecord record;
  record.instruction = name;
  record.origin = origin;
  record.root = root;
  record.type = type;
  record.computes = computes;
  record.kernel.grid = 4, record.kernel.block = 128;
  record.counts.bytesRead.value = 100;
  record.counts.bytesWritten.value = 28;
  record.time.microseconds = 3;
  return record;
}

std::vector<std::string> changesBetween(const KernelRecord &before,
                                        const KernelRecord &now) {
  KernelComparison all = compareKernels(before, now);
  EXPECT_EQ(all.pairs.size(), 1u);
  EXPECT_TRUE(all.pairs[0].before && all.pairs[0].now);
  return all.pairs[0].changes;
}

/// Each rule pairs two kernels that no earlier rule does.
TEST(KernelPairs, Rules) {
  const char *other = "computes something else";
  KernelRecord a = kernelNamed("a", 1);
  EXPECT_EQ(changesBetween(a, a), std::vector<std::string>{});
  EXPECT_EQ(changesBetween(a, kernelNamed("b", 1, "g.py:2")),
            std::vector<std::string>{});
  EXPECT_EQ(changesBetween(a, kernelNamed("a", 2, "g.py:2", "stablehlo.exp")),
            std::vector<std::string>{other});
  EXPECT_EQ(changesBetween(a, kernelNamed("b", 2)),
            std::vector<std::string>{other});
  EXPECT_EQ(
      changesBetween(a, kernelNamed("b", 2, "f.py:1", "stablehlo.exp", "f16")),
      (std::vector<std::string>{other, "type f16, was f32[8]"}));
  // Another line, another operation, another type: nothing in common.
  KernelComparison all = compareKernels(
      a, kernelNamed("b", 2, "g.py:2", "stablehlo.exp", "f16[8]"));
  ASSERT_EQ(all.pairs.size(), 2u);
  EXPECT_FALSE(all.pairs[0].before);
  EXPECT_FALSE(all.pairs[1].now);
}

/// What computes the same is paired before what has the same name.
TEST(KernelPairs, WorkComesBeforeNames) {
  std::vector<KernelRecord> before = {kernelNamed("fusion", 1),
                                      kernelNamed("fusion.1", 2)},
                            now = {kernelNamed("fusion", 2),
                                   kernelNamed("fusion.1", 1)};
  KernelComparison all = compareKernels(before, now);
  ASSERT_EQ(all.pairs.size(), 2u);
  EXPECT_EQ(all.pairs[0].before, 1u);
  EXPECT_EQ(all.pairs[1].before, 0u);
}

TEST(KernelPairs, Changes) {
  KernelRecord before = kernelNamed("a", 1), now = before;
  now.kernel.grid = 8;
  now.kernel.emitter = kernels::Emitter::Transpose;
  now.counts.bytesRead.value = 200;
  now.repeats = 3;
  EXPECT_EQ(
      changesBetween(before, now),
      (std::vector<std::string>{"emitter transpose, was loop", "grid 8, was 4",
                                "bytes 228, was 128", "runs 3, was 1"}));
  now = before;
  now.kernel.unknown = "a reason";
  KernelComparison all = compareKernels(before, now);
  EXPECT_EQ(all.now.unknown, 1);
  EXPECT_EQ(all.before.unknown, 0);
}

/// Each kernel is in one pair, those now in their order; totals are sums; a program
/// beside itself, in any order and with other names, has no change.
TEST(KernelPairs, HoldsForRandomPrograms) {
  for (uint64_t seed = testSeed(); seed < testSeed() + cases(500); ++seed) {
    std::mt19937_64 random(seed);
    auto below = [&](uint64_t n) { return random() % n; };
    auto program = [&] {
      std::vector<KernelRecord> kernels;
      for (uint64_t i = below(9); i > 0; --i) {
        kernels.push_back(kernelNamed("k." + std::to_string(below(5)), below(6),
                                      "f.py:" + std::to_string(below(3)),
                                      below(2) ? "add" : "exp",
                                      below(2) ? "f32" : "f16"));
        kernels.back().repeats = 1 + int64_t(below(3));
      }
      return kernels;
    };
    std::vector<KernelRecord> before = program(), now = program();
    KernelComparison all = compareKernels(before, now);
    std::set<size_t> used;
    size_t next = 0;
    for (const KernelPair &pair : all.pairs) {
      ASSERT_TRUE(pair.before || pair.now) << "seed " << seed;
      if (pair.now)
        ASSERT_EQ(*pair.now, next++) << "seed " << seed;
      else
        ASSERT_EQ(next, now.size()) << "seed " << seed;
      if (pair.before)
        ASSERT_TRUE(used.insert(*pair.before).second) << "seed " << seed;
      if (pair.before && pair.now &&
          before[*pair.before].computes == now[*pair.now].computes)
        for (const std::string &change : pair.changes)
          ASSERT_NE(change, "computes something else") << "seed " << seed;
    }
    ASSERT_EQ(next, now.size()) << "seed " << seed;
    ASSERT_EQ(used.size(), before.size()) << "seed " << seed;
    int64_t launches = 0;
    for (const KernelRecord &kernel : now)
      launches += kernel.repeats;
    ASSERT_EQ(all.now.launches, launches) << "seed " << seed;
    ASSERT_EQ(all.now.bytes, 128 * launches) << "seed " << seed;
    ASSERT_EQ(all.now.microseconds, 3 * double(launches)) << "seed " << seed;

    for (auto [i, kernel] : llvm::enumerate(now)) // no two compute the same
      kernel.computes = 100 + i;
    std::vector<KernelRecord> turned = now;
    std::shuffle(turned.begin(), turned.end(), random);
    for (KernelRecord &kernel : turned)
      kernel.instruction += "_renamed";
    for (const KernelPair &pair : compareKernels(now, turned).pairs) {
      ASSERT_TRUE(pair.before && pair.now) << "seed " << seed;
      ASSERT_TRUE(pair.changes.empty()) << "seed " << seed;
    }
  }
}

} // namespace
