// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/Trace.h"

#include "mercator/runtime/Abi.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <mutex>

using namespace mercator;

namespace {
constexpr int64_t kNone = -1;
constexpr size_t kMost = 1'000'000;

struct Recorder {
  std::mutex mutex;
  std::vector<TraceEvent> events;
  std::chrono::steady_clock::time_point start;
  std::atomic<bool> isOn{false};
  std::atomic<int64_t> dispatch{kNone}; ///< the current one
  int64_t begin = 0;                    ///< of the current one

  [[nodiscard]] int64_t now() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now() - start)
        .count();
  }
  void add(TraceEvent event) {
    std::lock_guard lock(mutex);
    if (events.size() < kMost)
      events.push_back(event);
  }
};

Recorder &recorder() {
  static Recorder *own = new Recorder;
  return *own;
}

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

void mercator::startTrace() {
  Recorder &own = recorder();
  std::lock_guard lock(own.mutex);
  own.events.clear();
  own.start = std::chrono::steady_clock::now();
  own.dispatch = kNone;
  own.isOn = true;
}

std::vector<TraceEvent> mercator::stopTrace() {
  Recorder &own = recorder();
  own.isOn = false;
  std::lock_guard lock(own.mutex);
  return std::move(own.events);
}

void mercator_trace_begin(int64_t dispatch) {
  Recorder &own = recorder();
  own.begin = own.now();
  own.dispatch = dispatch;
}

void mercator_trace_end(int64_t dispatch) {
  Recorder &own = recorder();
  own.dispatch = kNone;
  if (own.isOn)
    own.add({dispatch, 0, own.begin, own.now()});
}

TracedParts::TracedParts(int64_t thread)
    : thread(thread),
      dispatch(recorder().isOn ? recorder().dispatch.load() : kNone) {
  if (dispatch != kNone)
    begin = recorder().now();
}

TracedParts::~TracedParts() {
  if (dispatch != kNone)
    recorder().add({dispatch, thread, begin, recorder().now()});
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
