// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/program/Processors.h"

#include "mercator/runtime/Abi.h"
#include "mercator/runtime/program/FloatMode.h"

#include "gtest/gtest.h"

#include <atomic>
#include <sched.h>

using namespace mercator;

namespace {

TEST(Processors, Quota) {
  EXPECT_EQ(quotaOf("max 100000\n"), 0);
  EXPECT_EQ(quotaOf("200000 100000\n"), 2);
  EXPECT_EQ(quotaOf("150000 100000"), 2);
  EXPECT_EQ(quotaOf("1 100000"), 1);
  EXPECT_EQ(quotaOf(""), 0);
  EXPECT_EQ(quotaOf("-5 100000"), 0);
  EXPECT_EQ(quotaOf("200000 0"), 0);
  EXPECT_EQ(quotaOf("200000"), 0);
}

/// As under `taskset -c 0`.
TEST(Processors, FollowTheAffinity) {
  cpu_set_t all, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  EXPECT_LE(usableProcessors(), CPU_COUNT(&all));
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &all)) {
      CPU_SET(i, &one);
      break;
    }
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(usableProcessors(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof all, &all), 0);
}

/// Every thread of the runtime has the mode of the caller.
TEST(FloatMode, HoldsInAllThreads) {
  mercator_set_threads(4);
  for (int round = 0; round < 20; ++round)
    for (int32_t flushes : {1, 0}) {
      uint64_t before = mercator_begin_floats(flushes);
      std::atomic<int> wrong{0};
      mercator_parallel(
          64,
          [](int64_t, int64_t, void *data) {
            volatile float small = 1e-38f;
            volatile float smaller = small * 0.1f;
            bool isZero = smaller * 1e10f == 0;
            *static_cast<std::atomic<int> *>(data) += isZero ? 1 : 0;
          },
          &wrong);
#if defined(__x86_64__) || defined(__aarch64__)
      EXPECT_EQ(wrong.load(), flushes ? 64 : 0);
#endif
      EXPECT_EQ(floatMode() & 0xffc0, floatModeOf(flushes != 0) & 0xffc0);
      mercator_end_floats(before);
      EXPECT_EQ(floatMode() & 0xffc0, before & 0xffc0);
    }
}

} // namespace
