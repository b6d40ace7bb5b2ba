// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Trace.h"

#include "mercator/runtime/Abi.h"
#include "mercator/runtime/Run.h"

#include <cstdio>

using namespace mercator;

namespace {
constexpr int64_t kNone = -1;
constexpr size_t kMost = 1'000'000;

std::string quoted(const std::string &text) {
  std::string json = "\"";
  for (char c : text)
    if (c == '"' || c == '\\')
      json += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      json += ' ';
    else
      json += c;
  return json + '"';
}

/// Nanoseconds as the format's microseconds.
std::string microseconds(int64_t time) {
  char text[32];
  std::snprintf(text, sizeof text, "%lld.%03lld", (long long)(time / 1000),
                (long long)(time % 1000));
  return text;
}
} // namespace

int64_t Trace::now() const {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now() - start)
      .count();
}

void Trace::add(TraceEvent event) {
  std::lock_guard lock(mutex);
  if (events.size() < kMost)
    events.push_back(event);
}

void Trace::begin(int64_t number) {
  begun = now();
  dispatch = number;
}

void Trace::end(int64_t number) {
  dispatch = kNone;
  add({number, 0, begun, now()});
}

void mercator_trace_begin(int64_t dispatch) {
  if (Trace *trace = Run::current().trace)
    trace->begin(dispatch);
}

void mercator_trace_end(int64_t dispatch) {
  if (Trace *trace = Run::current().trace)
    trace->end(dispatch);
}

TracedParts::TracedParts(Trace *trace, int64_t thread)
    : trace(trace), thread(thread), dispatch(trace ? trace->current() : kNone) {
  if (dispatch != kNone)
    begin = trace->now();
}

TracedParts::~TracedParts() {
  if (dispatch != kNone)
    trace->add({dispatch, thread, begin, trace->now()});
}

std::string mercator::printTrace(const std::vector<TraceEvent> &events,
                                 const std::vector<TraceName> &names) {
  std::string json = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
  const char *separator = "\n";
  for (const TraceEvent &event : events) {
    const TraceName &name = names[size_t(event.dispatch)];
    json += separator;
    json += "{\"name\":" + quoted(name.name) +
            ",\"ph\":\"X\",\"pid\":1,\"tid\":" + std::to_string(event.thread) +
            ",\"ts\":" + microseconds(event.begin) +
            ",\"dur\":" + microseconds(event.end - event.begin) +
            ",\"args\":{\"dispatch\":" + std::to_string(event.dispatch) +
            ",\"bytes\":" + std::to_string(name.bytes) +
            ",\"flops\":" + std::to_string(name.flops) + "}}";
    separator = ",\n";
  }
  return json + "\n]}\n";
}
