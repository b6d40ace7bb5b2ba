// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// When each dispatch of a program ran, and on which threads.
///
/// ```cpp
/// #include "mercator/runtime/Run.h"
/// Trace trace;
/// {
///   Run run({.trace = &trace});
///   // A traced program calls mercator_trace_begin(0), and mercator_trace_end(0).
/// }
/// std::string json = printTrace(trace.getEvents(), {{"%dot", 4096, 131072}});
/// ```
///
/// printTrace writes the Trace Event Format, which ui.perfetto.dev and
/// chrome://tracing show. There is a row for each thread. A program is traced if
/// it was compiled for it. Runs at the same time have traces of their own.

#ifndef MERCATOR_RUNTIME_TRACE_H
#define MERCATOR_RUNTIME_TRACE_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace mercator {

/// A dispatch, or the parts of it that one thread of the runtime ran.
struct TraceEvent {
  int64_t dispatch;
  int64_t thread;     ///< 0: the caller's
  int64_t begin, end; ///< nanoseconds since the trace began
};

struct TraceName {
  std::string name;
  int64_t bytes = 0, flops = 0; ///< 0: not known
};

/// The dispatches of the runs that have it as an argument, at most a million events.
class Trace {
public:
  [[nodiscard]] const std::vector<TraceEvent> &getEvents() const {
    return events;
  }

  // Called while a program runs.
  void begin(int64_t dispatch);
  void end(int64_t dispatch);
  void add(TraceEvent event);
  [[nodiscard]] int64_t now() const;
  /// The current dispatch, or -1.
  [[nodiscard]] int64_t current() const { return dispatch.load(); }

private:
  std::mutex mutex;
  std::vector<TraceEvent> events;
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
  std::atomic<int64_t> dispatch{-1};
  int64_t begun = 0;
};

/// Requires: `names` has an entry for each dispatch.
[[nodiscard]] std::string printTrace(const std::vector<TraceEvent> &events,
                                     const std::vector<TraceName> &names);

/// For the thread pool: reports that this thread ran parts of the current
/// dispatch of a trace, which may be null.
class TracedParts {
public:
  TracedParts(Trace *trace, int64_t thread);
  ~TracedParts();
  TracedParts(const TracedParts &) = delete;
  TracedParts &operator=(const TracedParts &) = delete;

private:
  Trace *trace;
  int64_t thread, dispatch, begin = 0;
};

} // namespace mercator

#endif // MERCATOR_RUNTIME_TRACE_H
