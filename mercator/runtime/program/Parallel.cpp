// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One job at a time. Its parts are claimed one by one from a counter, by the
// caller and by threads that wait for jobs: first they spin, since the next
// kernel often begins within microseconds, then they sleep. The caller waits in
// the same way for the last parts. With more threads than processors nobody spins:
// that would take the processor from those who work. A job that comes
// while another one runs, from another thread or from a part, runs in its own
// thread.
//
// A job has the threads of its run (Run.h), or those of the process. A thread whose
// number is higher leaves it alone.
//
// A thread announces itself in `active` before it looks at `isOpen`, and the
// caller closes the job before it looks at `active`: one of them sees the other.

#include "mercator/runtime/Abi.h"
#include "mercator/runtime/Run.h"
#include "mercator/runtime/Trace.h"
#include "mercator/runtime/program/FloatMode.h"
#include "mercator/runtime/program/Processors.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <pthread.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

constexpr int64_t kMostThreads = 1024;

void pause() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

int64_t defaultThreads() {
  if (const char *text = std::getenv("MERCATOR_THREADS")) {
    char *end = nullptr;
    long wanted = std::strtol(text, &end, 10);
    if (*text != 0 && *end == 0 && wanted > 0)
      return std::min<int64_t>(wanted, kMostThreads);
  }
  return std::min(mercator::usableProcessors(), kMostThreads);
}

class Pool {
public:
  void setThreads(int64_t number) {
    wanted.store(std::clamp<int64_t>(number, 1, kMostThreads));
  }

  [[nodiscard]] int64_t getThreads() const { return wanted.load(); }

  void run(int64_t parts, mercator_task *what, void *with) {
    const mercator::RunArguments &arguments = mercator::Run::current();
    int64_t most = arguments.threads > 0
                       ? std::min(arguments.threads, kMostThreads)
                       : wanted.load();
    if (parts <= 1 || most <= 1 || !busy.try_lock()) {
      for (int64_t i = 0; i < parts; ++i)
        call(what, i, /*worker=*/0, with);
      return;
    }
    start(most);
    limit = most;
    trace = arguments.trace;
    count = parts;
    task = what;
    data = with;
    mode = mercator::floatMode();
    spins = most > processors ? 0 : kSpins;
    next.store(0);
    joined.store(0);
    isOpen.store(true);
    generation.fetch_add(1);
    if (sleepers.load() > 0) {
      std::lock_guard<std::mutex> lock(sleep);
      wake.notify_all();
    }
    claim();
    isOpen.store(false);
    waitForOthers();
    busy.unlock();
  }

private:
  /// Threads that are missing. Fewer than wanted are no error.
  void start(int64_t most) {
    for (; threads + 1 < most; ++threads) {
      pthread_t thread;
      pthread_attr_t attributes;
      if (pthread_attr_init(&attributes) != 0)
        return;
      pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
      int status = pthread_create(&thread, &attributes, work, this);
      pthread_attr_destroy(&attributes);
      if (status != 0)
        return;
    }
  }

  // UBSan's check of calls reads the bytes before a function. Before the first one
  // of a program there may be no memory.
  [[clang::no_sanitize("function")]] static void
  call(mercator_task *what, int64_t number, int64_t worker, void *with) {
    what(number, worker, with);
  }

  void claim() {
    int64_t i = next.fetch_add(1);
    if (i >= count)
      return;
    int64_t worker = joined.fetch_add(1);
    for (; i < count; i = next.fetch_add(1))
      call(task, i, worker, data);
  }

  static void *work(void *pool) {
    static_cast<Pool *>(pool)->work();
    return nullptr;
  }

  [[noreturn]] void work() {
    int64_t number = workers.fetch_add(1) + 1;
    for (uint64_t seen = 0;; seen = generation.load()) {
      wait(seen);
      active.fetch_add(1);
      if (isOpen.load() && number < limit) {
        mercator::TracedParts traced(trace, number);
        mercator::setFloatMode(mode);
        claim();
      }
      if (active.fetch_sub(1) == 1 && callerSleeps.load()) {
        std::lock_guard<std::mutex> lock(sleep);
        done.notify_one();
      }
    }
  }

  void waitForOthers() {
    for (int i = 0; i < spins; ++i) {
      if (active.load() == 0)
        return;
      pause();
    }
    // A thread that leaves sees the flag, or this one sees that it has left.
    callerSleeps.store(true);
    std::unique_lock<std::mutex> lock(sleep);
    while (active.load() != 0)
      done.wait(lock);
    callerSleeps.store(false);
  }

  void wait(uint64_t seen) {
    for (int i = 0, most = spins; i < most; ++i) {
      if (generation.load() != seen)
        return;
      pause();
    }
    std::unique_lock<std::mutex> lock(sleep);
    sleepers.fetch_add(1);
    while (generation.load() == seen)
      wake.wait(lock);
    sleepers.fetch_sub(1);
  }

  static constexpr int kSpins = 20'000; // about 0.2 ms

  std::mutex busy, sleep;
  std::condition_variable wake, done;
  std::atomic<int64_t> wanted{defaultThreads()};
  const int64_t processors = mercator::usableProcessors();
  int64_t threads = 0; ///< beside the callers
  std::atomic<int> spins{kSpins};
  // The job. Written while it is closed and nobody is active.
  int64_t count = 0, limit = 0;
  mercator::Trace *trace = nullptr;
  mercator_task *task = nullptr;
  void *data = nullptr;
  uint64_t mode = 0; ///< FloatMode.h
  std::atomic<bool> isOpen{false}, callerSleeps{false};
  alignas(64) std::atomic<int64_t> next{0}, joined{0};
  alignas(64) std::atomic<int64_t> active{0}, sleepers{0}, workers{0};
  alignas(64) std::atomic<uint64_t> generation{0};
};

/// It lives as long as the process: its threads do.
Pool &pool() {
  static Pool *own = new Pool;
  return *own;
}

} // namespace

void mercator_set_threads(int64_t threads) { pool().setThreads(threads); }

int64_t mercator_get_threads(void) { return pool().getThreads(); }

void mercator_parallel(int64_t count, mercator_task *task, void *data) {
  pool().run(count, task, data);
}
