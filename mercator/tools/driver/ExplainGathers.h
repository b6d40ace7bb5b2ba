// Part of Mercator, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What `mercator explain` tells of the gathers of a StableHLO program: what
/// becomes of each dimension, what is known of the start indices, every way to
/// do it with its cost, and the one that is taken, step by step. All of it is
/// the planner's (targets/ascend/gather); nothing is decided here.

#ifndef MERCATOR_TOOLS_DRIVER_EXPLAINGATHERS_H
#define MERCATOR_TOOLS_DRIVER_EXPLAINGATHERS_H

#include "mercator/analysis/device/Device.h"
#include "mercator/targets/ascend/gather/Planner.h"
#include "mercator/tools/driver/Explain.h"
#include "mercator/tools/driver/MapProgram.h"

namespace mercator {

struct GatherExplanation {
  Instruction instruction;
  /// Instead of all that follows: why nothing can be said before the program
  /// runs.
  std::string unknown;
  gather::GatherProblem problem;
  gather::Planning planning;
};

/// The gathers of all computations, planned for a generation of devices.
[[nodiscard]] std::vector<GatherExplanation>
explainGathers(const MapProgram &program, const Device &device);

/// What the planner knows of a column of the start indices.
struct KnownStart {
  size_t column;
  /// None where it is anything that its type can be.
  std::optional<std::string> range;
  /// Why the clamp is idle; empty where it is not.
  std::string idleBelow, idleAbove;
};
[[nodiscard]] KnownStart knownStart(const gather::GatherProblem &problem,
                                    size_t column);

void printGathers(const MapProgram &program,
                  llvm::ArrayRef<GatherExplanation> gathers, bool color,
                  llvm::raw_ostream &os);
/// A list, one gather a line.
void printGathersJson(const MapProgram &program,
                      llvm::ArrayRef<GatherExplanation> gathers,
                      llvm::raw_ostream &os);

} // namespace mercator

#endif // MERCATOR_TOOLS_DRIVER_EXPLAINGATHERS_H
