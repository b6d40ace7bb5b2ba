// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of the runtime: every part runs once, whatever the number of
// threads and of callers. Build with -fsanitize=thread to look for races.

#include "mercator/runtime/Abi.h"
#include "mercator/runtime/Run.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

using namespace mercator;

namespace {

struct Counts {
  std::vector<std::atomic<int>> parts;
  explicit Counts(size_t count) : parts(count) {}
};

void add(int64_t number, int64_t /*worker*/, void *data) {
  static_cast<Counts *>(data)->parts[size_t(number)].fetch_add(1);
}

TEST(Parallel, EveryPartRunsOnce) {
  for (int64_t threads : {1, 2, 3, 16})
    for (int64_t count : {0, 1, 2, 7, 1000}) {
      mercator_set_threads(threads);
      Counts counts{size_t(count)};
      for (int round = 1; round <= 50; ++round) {
        mercator_parallel(count, add, &counts);
        for (std::atomic<int> &part : counts.parts)
          ASSERT_EQ(part.load(), round) << threads << " threads";
      }
    }
}

/// The number of threads that run parts.
size_t threadsOf(int64_t count) {
  struct Found {
    std::mutex mutex;
    std::set<std::thread::id> threads;
  } found;
  mercator_parallel(
      count,
      [](int64_t, int64_t, void *data) {
        auto *all = static_cast<Found *>(data);
        std::lock_guard lock(all->mutex);
        all->threads.insert(std::this_thread::get_id());
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      },
      &found);
  return found.threads.size();
}

TEST(Parallel, ThreadsAreThoseOfTheRun) {
  mercator_set_threads(4);
  for (int round = 0; round < 20; ++round) {
    for (int64_t threads : {1, 2, 3}) {
      mercator::Run run({.threads = threads});
      EXPECT_LE(threadsOf(16), size_t(threads));
      mercator::Run inner({.threads = 1});
      EXPECT_EQ(threadsOf(16), 1U);
    }
    EXPECT_LE(threadsOf(16), 4U);
  }
  EXPECT_EQ(mercator_get_threads(), 4);
  // Fewer threads than before, for the process.
  mercator_set_threads(2);
  EXPECT_LE(threadsOf(16), 2U);
}

TEST(Parallel, AWorkerIsOneThread) {
  struct Found {
    std::mutex mutex;
    std::map<int64_t, std::set<std::thread::id>> workers;
  };
  for (int64_t threads : {1, 2, 3, 16})
    for (int64_t count : {1, 2, 3, 40}) {
      mercator_set_threads(threads);
      for (int round = 0; round < 20; ++round) {
        Found found;
        mercator_parallel(
            count,
            [](int64_t, int64_t worker, void *data) {
              auto *all = static_cast<Found *>(data);
              std::lock_guard lock(all->mutex);
              all->workers[worker].insert(std::this_thread::get_id());
            },
            &found);
        EXPECT_EQ(found.workers.begin()->first, 0);
        EXPECT_LT(found.workers.rbegin()->first, std::min(threads, count));
        for (const auto &[worker, ids] : found.workers)
          EXPECT_EQ(ids.size(), 1U) << worker << " of " << threads;
      }
    }
}

/// Jobs of several callers, and jobs inside of parts.
TEST(Parallel, SeveralCallers) {
  mercator_set_threads(4);
  std::vector<std::thread> callers;
  std::atomic<int> wrong{0};
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        Counts counts{17};
        mercator_parallel(
            4,
            [](int64_t, int64_t, void *data) {
              mercator_parallel(17, add, data);
            },
            &counts);
        for (std::atomic<int> &part : counts.parts)
          wrong += part.load() != 4;
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(wrong.load(), 0);
}

} // namespace
