// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Trace.h"
#include "mercator/runtime/Abi.h"

#include <gtest/gtest.h>
#include <set>
#include <thread>

using namespace mercator;

namespace {

TEST(Trace, RecordsDispatchesAndTheThreadsOfTheirParts) {
  startTrace();
  mercator_trace_begin(1);
  mercator_parallel(
      8,
      [](int64_t, void *) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      },
      nullptr);
  mercator_trace_end(1);
  std::vector<TraceEvent> events = stopTrace();
  std::set<int64_t> threads;
  for (const TraceEvent &event : events) {
    EXPECT_EQ(event.dispatch, 1);
    EXPECT_LE(event.begin, event.end);
    threads.insert(event.thread);
  }
  EXPECT_TRUE(threads.contains(0));
  EXPECT_EQ(events.size(), threads.size());
}

TEST(Trace, NothingIsRecordedAfterItStopped) {
  startTrace();
  (void)stopTrace();
  mercator_trace_begin(0);
  mercator_trace_end(0);
  EXPECT_TRUE(stopTrace().empty());
}

TEST(Trace, WritesTheTraceEventFormat) {
  EXPECT_EQ(printTrace({{0, 1, 1500, 4000}}, {{"%a \"b\"", 64, 8}}),
            "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
            "{\"name\":\"%a \\\"b\\\"\",\"ph\":\"X\",\"pid\":1,\"tid\":1,"
            "\"ts\":1.500,\"dur\":2.500,\"args\":{\"dispatch\":0,"
            "\"bytes\":64,\"flops\":8}}\n]}\n");
}

} // namespace
