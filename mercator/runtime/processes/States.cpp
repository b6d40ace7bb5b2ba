// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mercator/runtime/processes/States.h"
#include "mercator/runtime/Collectives.h"

using namespace mercator;

const char *mercator::nameOf(int32_t operation) {
  switch (operation) {
  case mercator_op_all_gather:
    return "all_gather";
  case mercator_op_all_reduce:
    return "all_reduce";
  case mercator_op_all_to_all:
    return "all_to_all";
  case mercator_op_collective_broadcast:
    return "collective_broadcast";
  case mercator_op_collective_permute:
    return "collective_permute";
  case mercator_op_collective_reduce:
    return "collective_reduce";
  case mercator_op_cross_replica_sum:
    return "cross-replica-sum";
  case mercator_op_recv:
    return "recv";
  case mercator_op_reduce_scatter:
    return "reduce_scatter";
  case mercator_op_send:
    return "send";
  default:
    return "collecting the results";
  }
}

void States::set(const ProcessState &state) {
  if (state.rank >= 0 && state.rank < size())
    states[size_t(state.rank)] = state;
}

bool States::isStuck(int32_t rank) const {
  std::vector<bool> stuck(states.size());
  for (const ProcessState &state : states)
    stuck[size_t(state.rank)] = state.phase == Phase::Waits;
  auto keepsWaiting = [&](const ProcessState &state) {
    for (const ProcessState &other : states)
      if (state.waitsFor.test(size_t(other.rank)) &&
          (other.phase == Phase::Ended ||
           (stuck[size_t(other.rank)] && other.tag != state.tag)))
        return true;
    return false;
  };
  for (bool again = true; again;) {
    again = false;
    for (const ProcessState &state : states)
      if (stuck[size_t(state.rank)] && !keepsWaiting(state)) {
        stuck[size_t(state.rank)] = false;
        again = true;
      }
  }
  return stuck[size_t(rank)];
}

int32_t States::firstWaiting(bool inVain) const {
  for (const ProcessState &state : states)
    if (state.phase == Phase::Waits && (!inVain || isStuck(state.rank)))
      return state.rank;
  return -1;
}

/// "process 1", "processes 1, 2 and 5 more".
static std::string listOf(const std::bitset<kMostProcesses> &ranks) {
  constexpr size_t kShown = 8;
  std::string list;
  size_t count = 0;
  for (size_t i = 0; i < ranks.size(); ++i)
    if (ranks.test(i) && ++count <= kShown)
      list += (count == 1 ? "" : ", ") + std::to_string(i);
  if (count > kShown)
    list += " and " + std::to_string(count - kShown) + " more";
  return (count == 1 ? "process " : "processes ") + list;
}

static std::string placeOf(const ProcessState &state, const std::string &file) {
  std::string name = state.file[0] ? state.file : file;
  if (state.line <= 0)
    return name + (name.empty() ? "" : ": ");
  return name + ":" + std::to_string(state.line) + ":" +
         std::to_string(state.column) + ": ";
}

static std::string waitingOf(const ProcessState &state) {
  std::string text = "process " + std::to_string(state.rank) + " waits in " +
                     nameOf(state.operation);
  if (state.channel != 0)
    text += " on channel " + std::to_string(state.channel);
  return text + " for " + listOf(state.waitsFor);
}

std::string States::describe(int32_t rank, const std::string &why,
                             const std::string &file) const {
  const ProcessState &own = (*this)[rank];
  std::string text =
      placeOf(own, file) + "error: " + waitingOf(own) + why + "\n";
  for (const ProcessState &other : states) {
    if (other.rank == rank)
      continue;
    if (other.phase == Phase::Runs) {
      if (own.waitsFor.test(size_t(other.rank)))
        text += "note: process " + std::to_string(other.rank) +
                " computes, or does not exist any more\n";
      continue;
    }
    if (other.phase == Phase::Ended) {
      text += "note: process " + std::to_string(other.rank) +
              " has ended the program\n";
      continue;
    }
    text += placeOf(other, file) + "note: " + waitingOf(other);
    if (other.operation == own.operation && other.tag != own.tag &&
        other.bytes != own.bytes)
      text += ", with messages of " + std::to_string(other.bytes) +
              " bytes in place of " + std::to_string(own.bytes);
    text += "\n";
  }
  return text;
}
