// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// When each dispatch of a program ran, and on which threads.
///
/// ```cpp
/// startTrace();
/// // A traced program calls mercator_trace_begin(0), and mercator_trace_end(0).
/// std::vector<TraceEvent> events = stopTrace();
/// std::string json = printTrace(events, {{"%dot", 4096, 131072}});
/// ```
///
/// printTrace writes the Trace Event Format, which ui.perfetto.dev and
/// chrome://tracing show. There is a row for each thread. A program is traced if
/// it was compiled for it; one at a time.

#ifndef MERCATOR_RUNTIME_TRACE_H
#define MERCATOR_RUNTIME_TRACE_H

#include <cstdint>
#include <string>
#include <vector>

namespace mercator {

/// A dispatch, or the parts of it that one thread of the runtime ran.
struct TraceEvent {
  int64_t dispatch;
  int64_t thread;     ///< 0: the caller's
  int64_t begin, end; ///< nanoseconds since startTrace
};

struct TraceName {
  std::string name;
  int64_t bytes = 0, flops = 0; ///< 0: not known
};

/// Forgets what was recorded, and records from now on. At most a million events.
void startTrace();
std::vector<TraceEvent> stopTrace();

/// Requires: `names` has an entry for each dispatch.
[[nodiscard]] std::string printTrace(const std::vector<TraceEvent> &events,
                                     const std::vector<TraceName> &names);

/// For the thread pool: reports that this thread ran parts of the current
/// dispatch.
class TracedParts {
public:
  explicit TracedParts(int64_t thread);
  ~TracedParts();
  TracedParts(const TracedParts &) = delete;
  TracedParts &operator=(const TracedParts &) = delete;

private:
  int64_t thread, dispatch, begin = 0;
};

} // namespace mercator

#endif // MERCATOR_RUNTIME_TRACE_H
