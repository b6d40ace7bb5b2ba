// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Trace.h"
#include "mercator/runtime/Abi.h"
#include "mercator/runtime/Run.h"

#include <gtest/gtest.h>
#include <set>
#include <thread>

using namespace mercator;

namespace {

TEST(Trace, RecordsDispatchesAndTheThreadsOfTheirParts) {
  Trace trace;
  mercator::Run run({.trace = &trace});
  mercator_trace_begin(1);
  mercator_parallel(
      8,
      [](int64_t, int64_t, void *) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      },
      nullptr);
  mercator_trace_end(1);
  const std::vector<TraceEvent> &events = trace.getEvents();
  std::set<int64_t> threads;
  for (const TraceEvent &event : events) {
    EXPECT_EQ(event.dispatch, 1);
    EXPECT_LE(event.begin, event.end);
    threads.insert(event.thread);
  }
  EXPECT_TRUE(threads.contains(0));
  EXPECT_EQ(events.size(), threads.size());
}

TEST(Trace, NothingIsRecordedAfterTheRun) {
  Trace trace;
  {
    mercator::Run run({.trace = &trace});
  }
  mercator_trace_begin(0);
  mercator_trace_end(0);
  EXPECT_TRUE(trace.getEvents().empty());
}

TEST(Trace, RunsAtTheSameTimeHaveTheirOwn) {
  Trace traces[2];
  std::vector<std::thread> callers;
  for (int64_t number : {0, 1})
    callers.emplace_back([&, number] {
      mercator::Run run({.trace = &traces[number]});
      for (int i = 0; i < 100; ++i) {
        mercator_trace_begin(number);
        mercator_parallel(4, [](int64_t, int64_t, void *) {}, nullptr);
        mercator_trace_end(number);
      }
    });
  for (std::thread &caller : callers)
    caller.join();
  for (int64_t number : {0, 1}) {
    EXPECT_GE(traces[number].getEvents().size(), 100U);
    for (const TraceEvent &event : traces[number].getEvents())
      EXPECT_EQ(event.dispatch, number);
  }
}

TEST(Trace, WritesTheTraceEventFormat) {
  EXPECT_EQ(printTrace({{0, 1, 1500, 4000}}, {{"%a \"b\"", 64, 8}}),
            "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
            "{\"name\":\"%a \\\"b\\\"\",\"ph\":\"X\",\"pid\":1,\"tid\":1,"
            "\"ts\":1.500,\"dur\":2.500,\"args\":{\"dispatch\":0,"
            "\"bytes\":64,\"flops\":8}}\n]}\n");
}

} // namespace
