// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/processes/Processes.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <thread>
#include <unistd.h>

using namespace mercator;

namespace {
using Clock = std::chrono::steady_clock;

constexpr int64_t kMostBytes = int64_t(1) << 30; // of one message
/// Tags of what is no operation of the program.
enum { kCollect = 1, kBroadcast = 2 };

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void sleepFor(std::chrono::microseconds time) {
  std::this_thread::sleep_for(time);
}

// The launcher of MPI ends the others with SIGTERM when a process dies. A process
// that waits says where it waits first.
volatile std::sig_atomic_t isWaiting = 0, isTerminated = 0;

void onTerminate(int signal) {
  if (isWaiting) {
    isTerminated = 1;
    return;
  }
  std::signal(signal, SIG_DFL);
  (void)raise(signal);
}

struct Waiting {
  Waiting() { isWaiting = 1; }
  Waiting(const Waiting &) = delete;
  Waiting &operator=(const Waiting &) = delete;
  ~Waiting() { isWaiting = 0; }
};
} // namespace

void mercator::watchTermination() { std::signal(SIGTERM, onTerminate); }

Processes::Processes(const mercator_transport &transport)
    : transport(transport), states(transport.size) {}

int64_t Processes::launched() {
  for (const char *name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char *text = std::getenv(name))
      return std::max<int64_t>(std::atoll(text), 0);
  return 0;
}

//===----------------------------------------------------------------------===//
// What processes know of each other
//===----------------------------------------------------------------------===//

void Processes::tellAll(const ProcessState &state) {
  states.set(state);
  for (int32_t other = 0; other < size(); ++other)
    if (other != rank())
      transport.tell(transport.state, &state, sizeof(state), other);
}

void Processes::hearAll() {
  ProcessState state;
  while (transport.hear(transport.state, &state, sizeof(state)) != 0)
    if (state.phase == Phase::Released)
      released = state.operation;
    else
      states.set(state);
}

static void writeToErrors(const std::string &text) {
  size_t written = 0;
  while (written < text.size()) {
    ssize_t count =
        write(STDERR_FILENO, text.data() + written, text.size() - written);
    if (count <= 0)
      break;
    written += size_t(count);
  }
}

/// Others may end for the same reason at the same time. The first of those that wait
/// prints the message, and the others give it some time.
void Processes::end(EndReason reason, const std::string &why) {
  if (isEnded)
    return;
  isEnded = true;
  for (int i = 0; i < 20; ++i) {
    sleepFor(std::chrono::milliseconds(10));
    hearAll();
  }
  int32_t first = states.firstWaiting(reason == EndReason::InVain);
  bool isOwn = reason == EndReason::Timeout || reason == EndReason::Broken;
  message = states.describe(isOwn || first < 0 ? rank() : first, why, program);
  if (reason == EndReason::Timeout)
    message +=
        "help: --timeout=" + std::to_string(int64_t(2 * timeout) + 1) + "\n";
  if (first != rank())
    sleepFor(std::chrono::milliseconds(reason == EndReason::Died ? 500 : 1500));
  writeToErrors(message);
  transport.abort(transport.state, reason == EndReason::InVain ? 1 : 4);
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

bool Processes::wait(ProcessState state, Limit limit) {
  Waiting waiting;
  constexpr int kSpins = 32, kYields = 256;
  for (int i = 0; i < kYields; ++i) {
    int32_t status = transport.test(transport.state);
    if (status == 1)
      return true;
    if (status < 0)
      break;
    if (i >= kSpins)
      sched_yield();
  }
  constexpr double kBusy = 0.02, kQuiet = 0.25, kSure = 0.5;
  auto begin = Clock::now();
  bool isTold = false;
  double vainSince = -1;
  state.rank = rank();
  state.number = ++number;
  state.phase = Phase::Waits;
  while (true) {
    int32_t status = transport.test(transport.state);
    if (status == 1)
      break;
    double waited = since(begin);
    if (waited < kBusy && status == 0 && !isTerminated) {
      sched_yield();
      continue;
    }
    sleepFor(std::chrono::microseconds(waited < 5 ? 50 : 1000));
    if (waited < kQuiet && status == 0 && !isTerminated)
      continue;
    hearAll();
    std::bitset<kMostProcesses> waitsFor;
    for (size_t i = 0; status == 0 && i < peers.size(); ++i)
      if (!transport.is_done(transport.state, int32_t(i)))
        waitsFor.set(size_t(peers[i]));
    if (status == 0 && waitsFor.none())
      continue;
    if (!isTold || waitsFor != state.waitsFor) {
      state.waitsFor = waitsFor;
      tellAll(state);
      isTold = true;
      vainSince = -1;
    }
    if (status < 0)
      end(EndReason::Broken,
          std::string(": MPI failed: ") + transport.why(transport.state));
    else if (isTerminated)
      end(EndReason::Died, ", and MPI ends it since another process has died");
    else if (!states.isStuck(rank()))
      vainSince = -1;
    else if (vainSince < 0)
      vainSince = waited;
    else if (waited - vainSince > kSure)
      end(EndReason::InVain, " in vain");
    if (limit == Limit::Timed && waited > timeout)
      end(EndReason::Timeout,
          ", for more than " + std::to_string(int64_t(timeout)) + " s");
    if (isEnded)
      return false;
  }
  if (isTold) {
    state.phase = Phase::Runs;
    state.waitsFor.reset();
    tellAll(state);
  }
  return true;
}

bool Processes::pass(ProcessState state, const std::vector<Message> &sends,
                     const std::vector<Message> &receives, Limit limit) {
  if (isEnded)
    return false;
  peers.clear();
  if (!state.file[0]) // others may run another program
    std::strncpy(state.file, program.c_str(), sizeof(state.file) - 1);
  auto each = [&](const std::vector<Message> &messages, auto start) {
    for (const Message &message : messages)
      for (int64_t at = 0; at < message.bytes || at == 0; at += kMostBytes) {
        int64_t bytes = std::min(message.bytes - at, kMostBytes);
        state.bytes = std::max(state.bytes, message.bytes);
        start(static_cast<char *>(message.data) + at, bytes, message.peer);
        peers.push_back(message.peer);
      }
  };
  each(receives, [&](char *data, int64_t bytes, int32_t peer) {
    transport.receive(transport.state, data, bytes, peer, state.tag);
  });
  each(sends, [&](char *data, int64_t bytes, int32_t peer) {
    transport.send(transport.state, data, bytes, peer, state.tag);
  });
  return peers.empty() || wait(state, limit);
}

bool Processes::exchange(ProcessState state, const std::vector<Message> &sends,
                         const std::vector<Message> &receives) {
  return pass(std::move(state), sends, receives, Limit::Timed);
}

void Processes::leave(int32_t tag, const std::vector<Message> &sends) {
  for (const Message &message : sends)
    for (int64_t at = 0; at < message.bytes || at == 0; at += kMostBytes)
      transport.leave(transport.state, static_cast<char *>(message.data) + at,
                      std::min(message.bytes - at, kMostBytes), message.peer,
                      tag);
}

//===----------------------------------------------------------------------===//
// Beginning and end
//===----------------------------------------------------------------------===//

std::vector<std::string> Processes::collect(const std::string &own,
                                            bool isTimed) {
  Limit limit = isTimed ? Limit::Timed : Limit::None;
  ProcessState state{.tag = kCollect};
  std::vector<int64_t> sizes(size_t(size()), int64_t(own.size()));
  auto dataOf = [](std::string &text) {
    return Message{text.data(), int64_t(text.size()), 0};
  };
  if (rank() != 0) {
    std::string text = own;
    if (pass(state, {{sizes.data(), 8, 0}}, {}, limit))
      (void)pass(state, {dataOf(text)}, {}, limit);
    return {};
  }
  std::vector<Message> receives;
  for (int32_t other = 1; other < size(); ++other)
    receives.push_back({&sizes[size_t(other)], 8, other});
  if (!pass(state, {}, receives, limit))
    return {};
  std::vector<std::string> all(size_t(size()), own);
  receives.clear();
  for (int32_t other = 1; other < size(); ++other) {
    all[size_t(other)].resize(size_t(sizes[size_t(other)]));
    receives.push_back(dataOf(all[size_t(other)]));
    receives.back().peer = other;
  }
  if (!pass(state, {}, receives, limit))
    return {};
  return all;
}

std::string Processes::broadcast(const std::string &own) {
  ProcessState state{.tag = kBroadcast};
  std::string text = own;
  auto bytes = int64_t(text.size());
  std::vector<Message> numbers, texts;
  if (rank() != 0) {
    if (!pass(state, {}, {{&bytes, 8, 0}}, Limit::None))
      return {};
    text.resize(size_t(bytes));
    (void)pass(state, {}, {{text.data(), bytes, 0}}, Limit::None);
    return text;
  }
  for (int32_t other = 1; other < size(); ++other) {
    numbers.push_back({&bytes, 8, other});
    texts.push_back({text.data(), bytes, other});
  }
  if (pass(state, numbers, {}, Limit::None))
    (void)pass(state, texts, {}, Limit::None);
  return text;
}

int32_t Processes::agree(int32_t code) {
  std::vector<std::string> all = collect(std::to_string(code), false);
  std::string words;
  for (const std::string &each : all)
    if (words.empty() || words == "0")
      words = each;
  words =
      broadcast(words + (all.empty() || all.front() == "0" ? "" : " failed"));
  hasFailed = words.ends_with(" failed");
  return int32_t(std::atoi(words.c_str()));
}

int32_t Processes::finish(int32_t code, const std::string &text) {
  ProcessState state{.rank = rank(), .phase = Phase::Ended, .operation = code};
  if (!isEnded)
    tellAll(state);
  if (code != 0 && !text.empty()) {
    // Another process may have failed for the same reason.
    for (int i = 0; i < 50 && released < 0; ++i) {
      hearAll();
      sleepFor(std::chrono::milliseconds(10));
    }
    bool isFirst = true;
    for (int32_t other = 0; other < rank(); ++other)
      isFirst &=
          states[other].phase != Phase::Ended || states[other].operation == 0;
    if (isFirst)
      writeToErrors(text);
  }
  auto begin = Clock::now();
  auto areAllHere = [&] {
    for (int32_t other = 0; other < size(); ++other)
      if (states[other].phase != Phase::Ended)
        return false;
    return true;
  };
  while (!isEnded && (rank() == 0 ? !areAllHere() : released < 0)) {
    hearAll();
    sleepFor(std::chrono::microseconds(since(begin) < 0.01 ? 20 : 500));
  }
  if (rank() == 0) {
    state.phase = Phase::Released;
    for (int32_t other = 1; other < size(); ++other)
      transport.tell(transport.state, &state, sizeof(state), other);
  }
  transport.finish(transport.state);
  return rank() == 0 ? code : std::max(released, 0);
}
