// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What processes know of each other when they wait long, and whether they wait in
/// vain.
///
///   States states(/*size=*/2);
///   states.set({.rank = 0, .phase = Phase::Waits, .tag = 5, .waitsFor = {1}});
///   states.set({.rank = 1, .phase = Phase::Ended});
///   states.isStuck(0); // true: process 1 does not come any more
///
/// A process that waits for a quarter of a second tells all others where, and again
/// when it goes on. Nothing is sent before: the usual collective costs nothing.
///
/// Process a waits *in vain* if one of those that it waits for has ended, or itself
/// waits in vain and in another operation. Two processes in the same operation do not
/// keep each other from going on: their messages are under way. The processes that
/// wait in vain are the greatest set with this property, so a cycle is found. The
/// time is linear in the processes and in what they wait for, times the length of the
/// longest chain.

#ifndef MERCATOR_RUNTIME_PROCESSES_STATES_H
#define MERCATOR_RUNTIME_PROCESSES_STATES_H

#include "mercator/runtime/processes/Transport.h"

#include <bitset>
#include <string>
#include <vector>

namespace mercator {

/// As many processes as the evaluator simulates.
inline constexpr int32_t kMostProcesses = 256;

/// `Released` is said by process 0 alone, when all may leave.
enum class Phase : int32_t { Runs, Waits, Ended, Released };

/// Trivially copyable: it is sent.
struct ProcessState {
  int32_t rank = 0;
  Phase phase = Phase::Runs;
  int64_t number = 0;    ///< of the operation, counted by the process
  int32_t operation = 0; ///< mercator_operation; 0: collects the results
  int32_t tag = 0;       ///< equal in all processes that can meet
  int64_t channel = 0;
  int64_t bytes = 0; ///< of the largest message
  int64_t line = 0, column = 0;
  char file[192] = ""; ///< empty: the program
  std::bitset<kMostProcesses> waitsFor = {};
};

/// `all_reduce`, `send`.
[[nodiscard]] const char *nameOf(int32_t operation);

class States {
public:
  /// Requires: at most kMostProcesses.
  explicit States(int32_t size) : states(size_t(size)) {
    for (int32_t i = 0; i < size; ++i)
      states[size_t(i)].rank = i;
  }

  void set(const ProcessState &state);
  [[nodiscard]] const ProcessState &operator[](int32_t rank) const {
    return states[size_t(rank)];
  }
  [[nodiscard]] int32_t size() const { return int32_t(states.size()); }

  /// Whether a process waits in vain, as far as is known.
  [[nodiscard]] bool isStuck(int32_t rank) const;
  /// The process of the least number that waits, or that waits in vain; -1: none.
  [[nodiscard]] int32_t firstWaiting(bool inVain) const;

  /// The message of a process that gives up, with a note for each other process:
  ///
  ///   f.mlir:3:8: error: process 0 waits in all_reduce for process 1
  ///   f.mlir:9:8: note: process 1 waits in all_gather for process 0
  ///
  /// `file` is that of the program.
  [[nodiscard]] std::string describe(int32_t rank, const std::string &why,
                                     const std::string &file) const;

private:
  std::vector<ProcessState> states;
};

} // namespace mercator

#endif // MERCATOR_RUNTIME_PROCESSES_STATES_H
